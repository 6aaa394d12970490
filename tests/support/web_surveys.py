"""Surveys for the tests of the web app."""

import confide as cf
from confide.design.survey_file import SurveyFile
from confide.surveys.page_settings import Page
from confide.surveys.page_texts import built_in
from confide.surveys.starting_points import find_starting_point
from confide.surveys.survey import Survey

ARABIC = {name: f"ع {text}" for name, text in built_in("en").items()} | {"send": "إرسال"}
"""Every text of the page in a language that is not built in, or nearly so."""


def campus(**page):
    """One of every kind of question, disguised in several ways and in the clear."""
    questions = [
        cf.YesNo("cheated", "Have you ever cheated in an exam?"),
        cf.YesNo("drugs", "Have you ever used illegal drugs?", missing="option"),
        cf.Choice("faculty", ["arts", "law", "science"], "Your faculty"),
        cf.Choice("country", [f"Country {i}" for i in range(12)], "Where were you born?"),
        cf.Number("age", 16, 80, "How old are you?", unit="years", step=1),
        cf.Number("income", 0, 10_000, "Your income a month"),
        cf.YesNo("happy", "Are you happy?"),
        cf.YesNo("lonely", "Are you lonely?"),
    ]
    groups = [
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
        cf.Group(["drugs"], cf.RandomizedChoice("7/10")),
        cf.Group(["country"], cf.RandomizedChoice("1/2")),
        cf.Group(["income"], cf.Intervals([0, 500, 1000, 2000, 5000, 10_000])),
        cf.Group(["lonely", "happy"], cf.RelatedQuestion("5/6")),
    ]
    given = {"organiser": "the student council", "consent": "I take part.", **page}
    return Survey(cf.Design(questions, groups, title="Campus life"), Page(**given))


def small(**page):
    """Two questions, one of them disguised."""
    questions = [cf.YesNo("cheated", "Ever cheated?"), cf.Choice("faculty", ["arts", "law"])]
    group = cf.Group(["cheated"], cf.RelatedQuestion("3/4"))
    return Survey(cf.Design(questions, [group], title="Small"), Page(**page))


def noisy(**page):
    """Numbers with noise of each kind beside a disguised yes-no question."""
    questions = [
        cf.Number("age", 16, 80, "How old are you?", unit="years", step=1),
        cf.YesNo("cheated", "Ever cheated?"),
        cf.Number("weight", 30, 150, "What do you weigh?", unit="kg", step=0.5),
        cf.Number("drinks", 0, 20, "How many drinks a week?", step=1),
    ]
    groups = [
        cf.Group(["age"], cf.UniformNoise(10)),
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
        cf.Group(["weight"], cf.GaussianNoise(8)),
        cf.Group(["drinks"], cf.LaplaceNoise(4)),
    ]
    return Survey(cf.Design(questions, groups, title="Numbers"), Page(**page))


def worked(name):
    """One of the worked surveys that come with confide."""
    file = SurveyFile.parse(find_starting_point(name).text.encode(), f"{name}.toml")
    return Survey(file.design, Page.from_table(file.page))


def workplace(**page):
    """Eleven questions, as many as a short survey of a workplace has."""
    questions = [
        cf.YesNo("bullied", "Have you been bullied at work in the last twelve months?"),
        cf.YesNo("stolen", "Have you taken something home from work that was not yours?"),
        cf.YesNo("slept", "Have you slept on a night shift?"),
        cf.YesNo("drunk", "Have you worked after drinking alcohol?", missing="option"),
        cf.Choice("sick", ["never", "once", "more often"], "How often have you feigned illness?"),
        cf.Number("hours", 0, 80, "How many hours did you work last week?", "hours", step=1),
        cf.YesNo("seen", "Have you seen an accident that nobody reported?"),
        cf.YesNo("told", "Have you been told to keep quiet about one?"),
        cf.Choice("part", ["production", "stores", "office"], "Where do you work?"),
        cf.Number("age", 16, 80, "How old are you?", "years", step=1),
        cf.Number("years", 0, 50, "How many years have you worked here?", "years", step=1),
    ]
    groups = [
        cf.Group(["bullied"], cf.RelatedQuestion("3/4")),
        cf.Group(["stolen"], cf.RelatedQuestion("3/4")),
        cf.Group(["slept"], cf.UnrelatedQuestion("1/2", {"slept": {"yes": "1/4", "no": "3/4"}})),
        cf.Group(["drunk"], cf.RandomizedChoice("7/10")),
        cf.Group(["sick"], cf.RandomizedChoice("3/5")),
        cf.Group(["hours"], cf.LaplaceNoise(6)),
        cf.Group(["seen", "told"], cf.RelatedQuestion("5/6")),
    ]
    consent = "I am at least 18 and take part of my own free will."
    given = {"organiser": "the works council", "consent": consent, **page}
    return Survey(cf.Design(questions, groups, title="Life at the plant"), Page(**given))


STEPS = ["never", "rarely", "often", "always"]


def plant(**page):
    """Boxes to tick, a matrix, a scale and a section for some; in English, German and Arabic."""
    questions = [
        cf.Choice("part", ["production", "office"], "Where do you work?"),
        cf.YesNo("stolen", "taken something home that was not yours"),
        cf.YesNo("slept", "slept on a shift"),
        cf.Choice("boss", STEPS, "My boss is fair.", ordered=True),
        cf.Choice("team", STEPS, "My team helps me.", ordered=True),
        cf.Choice("mood", [1, 2, 3], "How do you feel at work?", ordered=True),
        cf.YesNo("hurt", "Were you hurt at a machine?", missing="option"),
        cf.Number("hours", 0, 80, "How many hours did you work last week?", "hours", step=1),
    ]
    groups = [
        *(cf.Group([name], cf.RelatedQuestion("3/4")) for name in ("stolen", "slept")),
        *(cf.Group([name], cf.RandomizedChoice("2/3")) for name in ("boss", "team", "hurt")),
        cf.Group(["hours"], cf.LaplaceNoise(6)),
    ]
    sections = [
        {"questions": ["stolen", "slept"], "title": "This year", "look": "several"},
        {"questions": ["boss", "team"], "text": "How often is this so?", "look": "matrix"},
        {
            "questions": ["hurt", "hours"],
            "title": "In production",
            "only_if": {"question": "part", "answer": "production"},
        },
    ]
    given = {
        "organiser": "the works council",
        "consent": "I take part.",
        "thanks": "The results come in May.",
        "redirect": "https://panel.example/done?code=ABC",
        "help": {"mood": "1 is bad, 3 is good."},
        "section": sections,
        "translations": {"de": GERMAN_PLANT, "ar": ARABIC_PLANT},
        **page,
    }
    return Survey(cf.Design(questions, groups, title="At the plant"), Page(**given))


GERMAN_PLANT = {
    "title": "Im Werk",
    "organiser": "der Betriebsrat",
    "consent": "Ich nehme teil.",
    "thanks": "Die Ergebnisse kommen im Mai.",
    "help": {"mood": "1 ist schlecht, 3 ist gut."},
    "section": [{"title": "Dieses Jahr"}, {"text": "Wie oft ist das so?"}, {"title": "Produktion"}],
    "question": {
        "part": {"text": "Wo arbeiten Sie?", "options": ["Produktion", "Büro"]},
        "stolen": {"text": "etwas mitgenommen, das Ihnen nicht gehört"},
        "slept": {"text": "in einer Schicht geschlafen"},
        "boss": {"text": "Mein Chef ist gerecht.", "options": ["nie", "selten", "oft", "immer"]},
        "team": {"text": "Mein Team hilft mir.", "options": ["nie", "selten", "oft", "immer"]},
        "mood": {"text": "Wie fühlen Sie sich?", "options": ["1", "2", "3"]},
        "hurt": {"text": "Haben Sie sich an einer Maschine verletzt?"},
        "hours": {"text": "Wie viele Stunden haben Sie gearbeitet?", "unit": "Stunden"},
    },
}

ARABIC_PLANT = {
    "title": "في المصنع",
    "organiser": "مجلس العمال",
    "consent": "أوافق على المشاركة.",
    "thanks": "ستظهر النتائج في مايو.",
    "help": {"mood": "1 سيئ و3 جيد."},
    "section": [{"title": "هذا العام"}, {"text": "كم مرة يحدث ذلك؟"}, {"title": "في الإنتاج"}],
    "question": {
        "part": {"text": "أين تعمل؟", "options": ["الإنتاج", "المكتب"]},
        "stolen": {"text": "أخذت شيئًا ليس لك"},
        "slept": {"text": "نمت أثناء المناوبة"},
        "boss": {"text": "رئيسي عادل.", "options": ["أبدًا", "نادرًا", "غالبًا", "دائمًا"]},
        "team": {"text": "فريقي يساعدني.", "options": ["أبدًا", "نادرًا", "غالبًا", "دائمًا"]},
        "mood": {"text": "كيف تشعر في العمل؟", "options": ["1", "2", "3"]},
        "hurt": {"text": "هل أصبت عند آلة؟"},
        "hours": {"text": "كم ساعة عملت الأسبوع الماضي؟", "unit": "ساعة"},
    },
}


def earnings(noise=None, **page):
    """A number that one may prefer not to say, asked only of those who work."""
    questions = [
        cf.YesNo("works", "Do you work?"),
        cf.YesNo("no_income"),
        cf.Number(
            "income", 0, 10_000, "What do you earn a month?", "euros", step=100, missing="no_income"
        ),
        cf.YesNo("cheated", "Have you ever cheated on taxes?"),
    ]
    groups = [
        cf.Group(["income"], noise or cf.LaplaceNoise(1000)),
        cf.Group(["no_income"], cf.RelatedQuestion("4/5")),
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
    ]
    section = {"questions": ["income"], "only_if": {"question": "works", "answer": "yes"}}
    given = {"section": [section], "own_device": True, **page}
    return Survey(cf.Design(questions, groups, title="Earnings"), Page(**given))

"""A consent text and a summary for an ethics board, worked out from the survey itself."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from string import Template

from confide import privacy
from confide.arrays import Z95
from confide.design import Question
from confide.planning import standard_error
from confide.surveys.explanations import explain_blocks, explain_first, explain_total
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey

_PEOPLE = 1_000
_EVERYONE = "Everybody who has the address can answer, and more than once."
_INVITED = (
    "Each invited person has a link that admits one report. It is redeemed by a blind signature: "
    "the database cannot tell which invitation sent which report. The list of links is kept apart, "
    "and deleted when reminders are over."
)


def write_for_ethics(survey: Survey) -> str:
    """Write both texts as Markdown; what only people can know stands in [brackets]."""
    design, page = survey.design, survey.page
    texts = survey.texts(survey.language)
    clear = [name for name in design.names if design.block(name).mechanism is None]
    seal = f"Seal: `{compute_seal(survey)}`"
    template = files("confide.cli").joinpath("ethics.md").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=survey.title or "[title]",
        questions="\n".join(_write_row(survey, question) for question in design.questions),
        conditions="".join(f"\n{line}\n" for line in _say_conditions(survey)),
        given="\n".join(f"- {sentence}" for sentence in privacy.of(design).sentences()),
        minimum=page.minimum,
        invited=_INVITED if page.invitation else _EVERYONE,
        clear=", ".join(clear) or "none",
        fingerprint=design.fingerprint,
        seal="Seal: made with the database; see `confide seal`." if page.invitation else seal,
        organiser=page.organiser or "[who asks]",
        first=" ".join(explain_first(survey.questionnaire, texts)),
        protected="\n".join(_say_protection(survey, texts)),
        total=" ".join(explain_total(survey.questionnaire, texts)),
        consent=f"\n\nYou agree to: “{page.consent}”" if page.consent else "",
    )


def _write_row(survey: Survey, question: Question) -> str:
    mechanism = survey.design.block(question.name).mechanism
    margin, answers = "", "a number"
    if question.grid is None:
        events = [{question.name: label} for label in question.labels]
        worst = max(standard_error(survey.design, event, None, _PEOPLE) for event in events)
        margin, answers = f"± {100 * Z95 * worst:.0f} points", ", ".join(question.labels)
    sent = "in the clear" if mechanism is None else f"disguised ({mechanism.kind})"
    cells = (_find_text(survey, question.name), answers, sent, margin)
    return "| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |"


def _find_text(survey: Survey, name: str) -> str:
    return survey.wording(survey.language).text(survey.design.position(name)) or name


def _say_conditions(survey: Survey) -> Iterator[str]:
    for section in survey.page.section:
        if asked := section.get("only_if"):
            names = ", ".join(section["questions"])
            yield (
                f"Only people who answer {asked['question']} with “{asked['answer']}” are asked: "
                f"{names}. Everyone else's report holds a default there, disguised in the same way."
            )


def _say_protection(survey: Survey, texts: dict[str, str]) -> Iterator[str]:
    """Say what the page says beside each question."""
    for explained in explain_blocks(survey.questionnaire, texts):
        asked = " / ".join(_find_text(survey, field.name) for field in explained.fields)
        yield f"- *{asked}* {' '.join(explained.sentences)}".replace("\n", " ")

"""Invitations on paper: a card for each, to be cut out and given away."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from confide.surveys.survey import Survey
from confide.web.admin.admin_pages import render_template
from confide.web.admin.result_words import ResultWords
from confide.web.qr_codes import draw_for_print


def write_cards(survey: Survey, links: Sequence[str]) -> str:
    """Write the cards as one HTML document; each has its link as a picture and in letters."""
    cards = [{"link": link, "picture": Markup(draw_for_print(link))} for link in links]
    words = ResultWords(survey, survey.language)
    return render_template(
        "cards.html", words, cards=cards, organiser=words.wording.say("organiser")
    )

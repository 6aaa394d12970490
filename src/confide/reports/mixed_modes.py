"""Who drew for a report, the browser or the person, kept as a share of a batch and not of anyone.

Few people draw by their own coin, so a report that said so would stand out. When a batch is
released its letters are dealt anew among its reports, block by block: how many were drawn by hand
stays as it was, and no report tells any longer who drew for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from confide.reports.records import find_readable
from confide.surveys.questionnaire import Questionnaire


def cut_modes(questionnaire: Questionnaire, record: bytes) -> bytes:
    """Cut off the letters of who drew: reports that differ only in those are the same report.

    >>> import confide as cf
    >>> questionnaire = Questionnaire(cf.Design([cf.YesNo("cheated")]))
    >>> cut_modes(questionnaire, questionnaire.pack([1], "c"))
    b'\\x01'
    """
    return record[: -len(questionnaire.fields)]


def mix_modes(
    questionnaire: Questionnaire, reports: Mapping[bytes, bytes | None]
) -> dict[bytes, bytes | None]:
    """Deal the letters of who drew anew among reports; damaged and withdrawn ones stay as they are.

    Parameters
    ----------
    questionnaire : Questionnaire
        What the reports answer.
    reports : mapping
        Records by the ids of their reports; None for one that was withdrawn.
    """
    usual = questionnaire.usual_modes.encode()
    if all(record is None or record.endswith(usual) for record in reports.values()):
        return dict(reports)
    live = {each: record for each, record in sorted(reports.items()) if record is not None}
    sound = find_readable(questionnaire, list(live.values()))
    read = [
        (each, *questionnaire.unpack(record))
        for (each, record), good in zip(live.items(), sound, strict=True)
        if good
    ]
    modes = [list(letters) for _, _, letters in read]
    for block in questionnaire.by_hand:
        positions = questionnaire.blocks[block].positions
        dealt = [letters[positions[0]] for letters in modes]
        secrets.SystemRandom().shuffle(dealt)
        for letters, letter in zip(modes, dealt, strict=True):
            for position in positions:
                letters[position] = letter
    mixed = {
        each: questionnaire.pack(codes, "".join(letters))
        for (each, codes, _), letters in zip(read, modes, strict=True)
    }
    return {**reports, **mixed}

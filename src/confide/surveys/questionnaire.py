"""A design as the respondent's page needs it: fields, blocks and integer weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import Struct

import numpy as np
import pyarrow as pa

from confide.arrays import Codes, DType
from confide.design import Block, Design, Number
from confide.errors import AnswersError
from confide.files import Json
from confide.formats import PREFER_NOT
from confide.surveys import sampler
from confide.surveys.certainty import Certainty, find_certainty
from confide.surveys.field import Field

BROWSER, OWN, CLEAR = "b", "o", "c"
"""Who drew: the browser, the person's own device, or nobody because the question is in the clear.
A report says so with one letter per question."""


@dataclass(frozen=True, eq=False)
class Questionnaire:
    """What respondents are asked, and the exact shape of what they send.

    Parameters
    ----------
    design : Design
        Every mechanism of it must have exact integer weights.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> Questionnaire(design).disguise({"cheated": "yes"}, iter([7, 4]))
    (0,)
    """

    design: Design

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The questions that share a draw, in the order in which the page draws.

        Mechanisms are in canonical form, so equal fingerprints mean equal weights, down to the
        order of the branches.
        """
        return self.design.blocks

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The questions, in order."""
        by_position = {p: block for block in self.blocks for p in block.positions}
        return tuple(Field(q, by_position[i]) for i, q in enumerate(self.design.questions))

    @cached_property
    def certainty_by_question(self) -> tuple[Certainty, ...]:
        """For each question how sure of its answer someone can be who sees the report."""
        found: dict[int, Certainty] = {}
        for block in self.blocks:
            found |= dict.fromkeys(block.positions, find_certainty(self.fields[block.positions[0]]))
        for number, teller in self.pairs.items():  # a number's report can tell that it was given
            if found[number] is Certainty.SOMETIMES and found[teller] is Certainty.NEVER:
                found[teller] = Certainty.SOMETIMES
        return tuple(found[position] for position in range(len(self.fields)))

    @cached_property
    def pairs(self) -> dict[int, int]:
        """The places of numbers that may be missing, with those of the questions that tell so."""
        position = self.design.position
        return {position(number): position(told) for number, told in self.design.declines.items()}

    @cached_property
    def weights(self) -> list[sampler.Weights | None]:
        """Each block's integer weights; None in the clear."""
        return [self._weights(block) for block in self.blocks]

    def _weights(self, block: Block) -> sampler.Weights | None:
        first = self.fields[block.positions[0]]
        if first.disguised and first.finite:
            return block.channel.weights()
        return first.noise

    @cached_property
    def by_hand(self) -> frozenset[int]:
        """The blocks that a person can draw for, by a device of their own.

        Whether a number is missing the browser must know anyway, which adds noise to the number.
        """
        told = set(self.pairs.values())
        return frozenset(
            b
            for b, w in enumerate(self.weights)
            if w is not None and "noise" not in w and told.isdisjoint(self.blocks[b].positions)
        )

    @cached_property
    def usual_modes(self) -> str:
        """The letters of who drew, where the browser drew all there was to draw."""
        return self.modes()

    def modes(self, own: Sequence[int] = ()) -> str:
        """The letters of who drew, where the person drew for the given blocks."""
        letters: dict[int, str] = {}
        for b, (block, weights) in enumerate(zip(self.blocks, self.weights, strict=True)):
            letter = CLEAR if weights is None else OWN if b in own else BROWSER
            letters |= dict.fromkeys(block.positions, letter)
        return "".join(letters[i] for i in range(len(self.fields)))

    def disguise(self, answers: Json, words: Iterator[int]) -> tuple[int, ...]:
        """Disguise the answers in words of one person, as the page does."""
        given = _fill_in_missing(self.design, answers)
        read = [field.read(given.get(field.name)) for field in self.fields]
        return self.disguise_answers(read, words)

    def disguise_answers(
        self, answers: Sequence[float], words: Iterator[int], own: Sequence[int] = ()
    ) -> tuple[int, ...]:
        """Do what the page does: draw for every block, then look the reports up.

        Parameters
        ----------
        answers : sequence
            An option's number or a number for each question.
        words : iterator of int
            Chance, as unsigned 32-bit words.
        own : sequence of int
            The blocks whose answers the person has disguised already.
        """
        drawn = sampler.draw(self.weights, words)
        codes = [0] * len(self.fields)
        for b, (block, weights) in enumerate(zip(self.blocks, self.weights, strict=True)):
            truths = [self.fields[p].code(answers[p]) for p in block.positions]
            reports = sampler.disguise(None if b in own else weights, drawn[b], truths)
            for position, report in zip(block.positions, reports, strict=True):
                codes[position] = report
        return tuple(codes)

    def script(self) -> Json:
        """Give all that the page's script needs to know."""
        return {
            "design": self.design.fingerprint,
            "modes": self.modes(),
            "blocks": [
                {"questions": list(block.positions), "weights": weights}
                for block, weights in zip(self.blocks, self.weights, strict=True)
            ],
            "fields": [self._describe_field(place) for place in range(len(self.fields))],
        }

    def _describe_field(self, place: int) -> Json:
        field = self.fields[place]
        scripted: Json = {"name": field.name, "digits": field.digits, "size": field.size}
        if field.finite:
            return scripted | {"options": list(field.question.labels)}
        scripted |= {"low": field.number.low, "high": field.number.high}
        if place in self.pairs:
            scripted |= {"missing": self.pairs[place], "stand_in": field.number.stand_in}
        if field.edges is not None:
            return scripted | {"edges": field.edges, "ranges": field.ranges}
        return scripted | {"step": field.step, "beyond": field.beyond}

    @cached_property
    def record(self) -> DType:
        """How a store keeps a report: its codes, then its modes, always of the same size."""
        codes = [(f"code{i}", field.dtype) for i, field in enumerate(self.fields)]
        return np.dtype([*codes, ("modes", f"S{len(self.fields)}")])

    def pack(self, codes: Sequence[int], modes: str) -> bytes:
        """Write a report as a store keeps it."""
        return self._struct.pack(*codes, modes.encode())

    def unpack(self, record: bytes) -> tuple[tuple[int, ...], str]:
        """Read a report as a store keeps it."""
        *codes, modes = self._struct.unpack(record)
        return tuple(codes), modes.decode()

    @cached_property
    def _struct(self) -> Struct:
        """The same record for one report, as `struct` knows it."""
        letters = {"u1": "B", "<u2": "H", "<u4": "I"}
        codes = "".join(letters[field.dtype] for field in self.fields)
        return Struct(f"<{codes}{len(self.fields)}s")

    def report_codes(self, records: bytes) -> list[Codes]:
        """Many records, one after the other, as the codes in which each question is counted."""
        rows = np.frombuffer(records, self.record)
        return [field.to_counted_codes(rows[f"code{i}"]) for i, field in enumerate(self.fields)]

    def table(self, records: bytes) -> pa.Table:
        """Many reports, one after the other, as the table that analysts read."""
        rows = np.frombuffer(records, self.record)
        columns = {f.name: f.column(rows[f"code{i}"]) for i, f in enumerate(self.fields)}
        return pa.table(columns)


def _fill_in_missing(design: Design, answers: Json) -> Json:
    """Put stand-ins where one person's numbers are missing, and say so where it is told."""
    filled = dict(answers)
    for name, teller in design.declines.items():
        number = design.question(name)
        assert isinstance(number, Number)
        given = answers.get(name)
        missing = given in (None, "", PREFER_NOT) or given != given  # NaN
        said = answers.get(teller, missing)
        if said not in (missing, "yes" if missing else "no"):
            raise AnswersError(f"{teller} tells whether {name} is missing, and is wrong.")
        filled |= {teller: int(missing)} | ({name: number.stand_in} if missing else {})
    return filled

"""What is asked, in which groups, disguised by which mechanism; and the files that say so."""

from confide.design.block import Block
from confide.design.design import Design
from confide.design.group import Group
from confide.design.questions import Choice, Finite, Number, Question, YesNo

__all__ = [
    "Block",
    "Choice",
    "Design",
    "Finite",
    "Group",
    "Number",
    "Question",
    "YesNo",
]

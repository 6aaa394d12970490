"""What is asked, in which groups, disguised by which mechanism; and the files that say so."""

from confide.design.block import Block
from confide.design.design import Design, Group
from confide.design.questions import PREFER_NOT, Choice, Finite, Number, Question, YesNo

__all__ = [
    "PREFER_NOT",
    "Block",
    "Choice",
    "Design",
    "Finite",
    "Group",
    "Number",
    "Question",
    "YesNo",
]

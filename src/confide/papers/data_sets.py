"""The papers' three data sets: their attributes, their size, and how their rows are checked.

Nothing of the data stands here. A row is written one way wherever it comes from (the attributes in
the order of UCI's description, "?" for what is missing, the class last), so that one SHA-256 over
all rows checks a file of UCI and a table of OpenML alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

Rows = list[tuple[str, ...]]
"""Rows of values as texts: the attributes, then the class."""

MISSING = "?"


@dataclass(frozen=True)
class Attribute:
    """One attribute of a data set.

    Parameters
    ----------
    name : str
        Its name as a question's.
    categories : tuple of str, optional
        Its categories in the order of UCI's description; left out, it is a number.
    yes : str, optional
        The category that is a yes, where the attribute is yes-no already.
    """

    name: str
    categories: tuple[str, ...] | None = None
    yes: str | None = None


@dataclass(frozen=True)
class DataSet:
    """A data set of the papers.

    Parameters
    ----------
    name : str
        Its name on the command line.
    attributes : tuple of Attribute
        The attributes, in order.
    target : str
        The class's name as a question's.
    classes : tuple of str
        The two classes as UCI writes them, the one that counts as yes last.
    called : tuple of str
        The same two classes as OpenML writes them.
    files : tuple of str
        UCI's files, in order.
    rows : int
        How many records there are.
    sha256 : str
        Of all rows, written as `write_rows` does.
    openml : int
        Its number at OpenML.
    first_there : int
        So many of the last rows come first at OpenML.
    class_first : bool
        Whether UCI's lines start with the class.
    """

    name: str
    attributes: tuple[Attribute, ...]
    target: str
    classes: tuple[str, str]
    called: tuple[str, str]
    files: tuple[str, ...]
    rows: int
    sha256: str
    openml: int
    first_there: int = 0
    class_first: bool = False

    def arrange(self, cells: Sequence[str]) -> tuple[str, ...]:
        """Order a line of UCI's: attributes, then class, without what says nothing."""
        kept = list(cells)
        if self.class_first:
            kept.append(kept.pop(0))
        kept[-1] = kept[-1].rstrip(".")  # Adult's test file ends its lines with a full stop
        return tuple(kept[-len(self.attributes) - 1 :])  # Breast-Cancer starts with a code number


def write_rows(rows: Rows) -> bytes:
    """Write rows as comma-separated lines, the form that is checked and kept."""
    return "".join(",".join(row) + "\n" for row in rows).encode("ascii")


def hash_rows(rows: Rows) -> str:
    """The SHA-256 of rows in that form."""
    return hashlib.sha256(write_rows(rows)).hexdigest()


def _numbers(*names: str) -> tuple[Attribute, ...]:
    return tuple(Attribute(name) for name in names)


ADULT = DataSet(
    "adult",
    (
        Attribute("age"),
        Attribute(
            "workclass",
            (
                *("Private", "Self-emp-not-inc", "Self-emp-inc", "Federal-gov", "Local-gov"),
                *("State-gov", "Without-pay", "Never-worked"),
            ),
        ),
        Attribute("fnlwgt"),
        Attribute(
            "education",
            (
                *("Bachelors", "Some-college", "11th", "HS-grad", "Prof-school", "Assoc-acdm"),
                *("Assoc-voc", "9th", "7th-8th", "12th", "Masters", "1st-4th", "10th"),
                *("Doctorate", "5th-6th", "Preschool"),
            ),
        ),
        Attribute("education_num"),
        Attribute(
            "marital_status",
            (
                *("Married-civ-spouse", "Divorced", "Never-married", "Separated", "Widowed"),
                *("Married-spouse-absent", "Married-AF-spouse"),
            ),
        ),
        Attribute(
            "occupation",
            (
                *("Tech-support", "Craft-repair", "Other-service", "Sales", "Exec-managerial"),
                *("Prof-specialty", "Handlers-cleaners", "Machine-op-inspct", "Adm-clerical"),
                *("Farming-fishing", "Transport-moving", "Priv-house-serv", "Protective-serv"),
                "Armed-Forces",
            ),
        ),
        Attribute(
            "relationship",
            ("Wife", "Own-child", "Husband", "Not-in-family", "Other-relative", "Unmarried"),
        ),
        Attribute("race", ("White", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other", "Black")),
        Attribute("sex", ("Female", "Male")),
        *_numbers("capital_gain", "capital_loss", "hours_per_week"),
        Attribute(
            "native_country",
            (
                *("United-States", "Cambodia", "England", "Puerto-Rico", "Canada", "Germany"),
                *("Outlying-US(Guam-USVI-etc)", "India", "Japan", "Greece", "South", "China"),
                *("Cuba", "Iran", "Honduras", "Philippines", "Italy", "Poland", "Jamaica"),
                *("Vietnam", "Mexico", "Portugal", "Ireland", "France", "Dominican-Republic"),
                *("Laos", "Ecuador", "Taiwan", "Haiti", "Columbia", "Hungary", "Guatemala"),
                *("Nicaragua", "Scotland", "Thailand", "Yugoslavia", "El-Salvador"),
                *("Trinadad&Tobago", "Peru", "Hong", "Holand-Netherlands"),
            ),
        ),
    ),
    "income",
    ("<=50K", ">50K"),
    ("<=50K", ">50K"),
    ("adult.data", "adult.test"),
    48_842,
    "259d92d96070ea0e490f3bcb94af74f79df6632f2bbb69dcc6d3b095e831e77a",
    1590,
    first_there=16_281,
)
BREAST_CANCER = DataSet(
    "breast-cancer",
    _numbers(
        *("clump_thickness", "cell_size", "cell_shape", "adhesion", "epithelial_size"),
        *("bare_nuclei", "chromatin", "nucleoli", "mitoses"),
    ),
    "malignant",
    ("2", "4"),
    ("benign", "malignant"),
    ("breast-cancer-wisconsin.data",),
    699,
    "e83bd8e2de01b0f1d65e36ddcb888aa13600a93dab84306167c6e116f60eb1d7",
    15,
)
VOTING = DataSet(
    "voting",
    tuple(
        Attribute(name, ("n", "y"), "y")
        for name in (
            *("handicapped_infants", "water_project", "budget_resolution"),
            *("physician_fee_freeze", "el_salvador_aid", "religious_groups"),
            *("satellite_test_ban", "nicaraguan_contras", "mx_missile", "immigration"),
            *("synfuels_cutback", "education_spending", "superfund_sue", "crime"),
            *("duty_free_exports", "south_africa_export"),
        )
    ),
    "democrat",
    ("republican", "democrat"),
    ("republican", "democrat"),
    ("house-votes-84.data",),
    435,
    "026da61cef5b33a96aab54cfae27dafbd32614e9424ed5bf67109e697557a798",
    56,
    class_first=True,
)
DATA_SETS = {each.name: each for each in (ADULT, BREAST_CANCER, VOTING)}
"""The data sets by their names."""

"""The profiles of clusters as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from confide.design import YesNo
from confide.extras import Altair, explain_missing
from confide.files import Json

if TYPE_CHECKING:
    from confide.mining.clusters.clusters import DisguisedClusters

_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333", "#999933"]
_WIDTH, _ROW = 420, 16


def draw_profiles(model: DisguisedClusters) -> Altair:
    """Draw how often each answer is given in each cluster: a point and its 95 % interval.

    Where no interval was shown to cover, lines reach one standard error either way.
    """
    with explain_missing("confide[plot]", "a chart"):
        import altair as alt
    rows = list(_list_rows(model))
    answers = list(dict.fromkeys(row["answer"] for row in rows))
    shown = [f"{c.name} ({c.share.value:.0%} of all)" for c in model.clusters_]
    colours = [_COLOURS[place % len(_COLOURS)] for place in range(len(shown))]
    base = alt.Chart(alt.Data(values=rows)).encode(  # type: ignore[no-untyped-call]
        y=alt.Y("answer:N", title=None, sort=answers),
        yOffset=alt.YOffset("cluster:N", sort=shown),
        color=alt.Color("cluster:N", sort=shown, scale=alt.Scale(domain=shown, range=colours)),
    )
    axis = alt.Axis(format="%")
    share = alt.X("share:Q", title="give this answer", scale=alt.Scale(domain=[0, 1]), axis=axis)
    interval = base.mark_rule(strokeWidth=2).encode(alt.X("low:Q", title=""), x2="high:Q")
    return alt.layer(
        interval, base.mark_point(filled=True, size=55, opacity=1).encode(x=share)
    ).properties(width=_WIDTH, height=_ROW * len(shown) * len(answers))


def _list_rows(model: DisguisedClusters) -> Iterator[Json]:
    """One row per cluster and answer; of a yes-no question only yes."""
    for cluster in model.clusters_:
        for name, shares in cluster.answers.items():
            yes_no = isinstance(model.design_.question(name), YesNo)
            for value, share in list(shares.items())[yes_no:]:
                low, high = share.known_interval() or (
                    max(0.0, share.value - share.standard_error),
                    min(1.0, share.value + share.standard_error),
                )
                yield {
                    "cluster": f"{cluster.name} ({cluster.share.value:.0%} of all)",
                    "answer": name if yes_no else f"{name} = {value}",
                    "share": share.value,
                    "low": low,
                    "high": high,
                }

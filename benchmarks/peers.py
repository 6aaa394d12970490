"""The same work as other libraries do it: one answer at a time, as their own examples show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log


def compute_epsilon(truth: float, options: int) -> float:
    """Compute the privacy loss at which a peer keeps the truth with the given probability."""
    return log(truth * (options - 1) / (1 - truth))


def prepare_pure_ldp(
    answers: Sequence[int], options: int, truth: float
) -> Callable[[], list[float]]:
    """Prepare direct encoding of pure-ldp; what is returned estimates the shares."""
    from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer

    loss = compute_epsilon(truth, options)

    def run() -> list[float]:
        client = DEClient(loss, options, index_mapper=int)
        server = DEServer(loss, options, index_mapper=int)
        for answer in answers:
            server.aggregate(client.privatise(answer))
        return [server.estimate(i, suppress_warnings=True) / len(answers) for i in range(options)]

    return run


def prepare_multi_freq_ldpy(
    answers: Sequence[int], options: int, truth: float
) -> Callable[[], list[float]]:
    """Prepare randomized response of multi-freq-ldpy; what is returned estimates the shares."""
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client

    loss = compute_epsilon(truth, options)
    GRR_Client(answers[0], options, loss)  # compiled on its first call, which is not counted

    def run() -> list[float]:
        reports = [GRR_Client(answer, options, loss) for answer in answers]
        return list(GRR_Aggregator_MI(reports, options, loss))

    return run

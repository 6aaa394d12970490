"""Results that any dataframe library reads, as they can be written as an Arrow table."""

from __future__ import annotations

from abc import ABC, abstractmethod

import pyarrow as pa

from confide.extras import PandasFrame, explain_missing


class ArrowRows(ABC):
    """A tidy result: one row per estimate, ready for every library that reads Arrow."""

    @abstractmethod
    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table."""

    def to_pandas(self) -> PandasFrame:
        """The rows as a pandas frame."""
        with explain_missing("pandas", "to_pandas"):
            return self.to_arrow().to_pandas()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

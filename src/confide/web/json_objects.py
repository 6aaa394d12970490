"""The one place where the web app's plain values lose their types."""

from __future__ import annotations

from typing import Any

JsonObject = dict[str, Any]
"""What is sent as JSON, given to a script or given to a template."""

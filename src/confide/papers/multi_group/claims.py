"""What the paper claims of its results."""

from __future__ import annotations

from confide.papers.multi_group import accuracy_claims, privacy_claims, variance_claims

CLAIMS = (*accuracy_claims.CLAIMS, *variance_claims.CLAIMS, *privacy_claims.CLAIMS)

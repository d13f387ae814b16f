"""AdminService: what operators do."""

from __future__ import annotations

__all__ = ["AdminServicer"]


class AdminServicer:
    """Methods of `targi.v1.AdminService`; those that are not here answer UNIMPLEMENTED."""

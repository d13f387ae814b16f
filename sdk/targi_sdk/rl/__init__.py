"""Learning: positions as tensors, masks of legal actions, and an environment for two agents.

Needs the extra `rl`. The environment is in `targi_sdk.rl.environment`, as only it needs PettingZoo.
"""

from __future__ import annotations

try:
    import numpy as _numpy  # noqa: F401 - to say in words what is missing
except ImportError as error:
    raise ImportError(f"targi_sdk.rl needs the extra: pip install 'targi[rl]' ({error})") from error

from targi_sdk.rl.layout import Layout, Plane, layout_of
from targi_sdk.rl.tensors import HIGH, action_mask, encode

__all__ = ["HIGH", "Layout", "Plane", "action_mask", "encode", "layout_of"]

"""Values that many games share: nobody may change them."""

from __future__ import annotations

from typing import NoReturn


class Frozen:
    """A value whose attributes are set once, by its own `__init__`; reading them costs nothing more.

    `object.__setattr__` sets them there. It has to be written out: under another name, the compiled form
    refuses it.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: other games share it")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: other games share it")

"""Bot specifications: the word on a command line that says which bot plays.

    greedy                 a name of the entry-point group `targi.bots`
    package.module:Class   a class in an importable module; the working directory counts
    bots/my_bot.py         a file with exactly one Bot class
    my_bot.py:Class        a named class of a file
    greedy?seed=7&depth=2  any of them with parameters

The parameter `seed` is the bot seed, from which `turn.rng` follows; the others are keyword arguments of the
class, converted to the `int`, `float`, `bool` or `str` that its signature declares.

Errors:

SpecError                   a specification from which no bot can be made
├── UnknownBotError         no entry point, module or file of that name
├── BotImportError          the module or file raises while it is imported
├── NoBotError              the module or file has no such class, or no Bot at all
├── SeveralBotsError        the file has more than one Bot, so that one must be named
├── NotABotError            what is named is not a subclass of Bot
└── BotParameterError       a parameter that the class does not take, or a value that does not fit
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from urllib.parse import parse_qsl

from targi_sdk.bot import Bot
from targi_sdk.errors import UsageError
from targi_sdk.seeds import series_seed

__all__ = [
    "GROUP",
    "BotImportError",
    "BotParameterError",
    "BotSpec",
    "NoBotError",
    "NotABotError",
    "SeveralBotsError",
    "SpecError",
    "UnknownBotError",
    "bot_names",
]

GROUP = "targi.bots"


class SpecError(UsageError):
    """A specification from which no bot can be made."""


class UnknownBotError(SpecError):
    """No entry point, module or file of that name."""


class BotImportError(SpecError):
    """The module or file raises while it is imported."""


class NoBotError(SpecError):
    """The module or file has no such class, or no Bot at all."""


class SeveralBotsError(SpecError):
    """The file has more than one Bot, so that one must be named."""


class NotABotError(SpecError):
    """What is named is not a subclass of Bot."""


class BotParameterError(SpecError):
    """A parameter that the class does not take, or a value that does not fit."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A parsed specification; `str()` gives back what was parsed, so it can be sent to another process."""

    text: str
    """As it was given."""
    target: str
    """What names the class: all before the `?`."""
    seed: bytes | None
    """The bot seed if one was given, 32 bytes: text stands for them as in `targi play --seed`."""
    parameters: tuple[tuple[str, str], ...]
    """Keyword arguments of the class, not yet converted."""

    def __str__(self) -> str:
        return self.text

    @classmethod
    def parse(cls, text: str) -> BotSpec:
        """Split a specification. Raises `BotParameterError` for parameters that are not `name=value`."""
        target, _, query = text.partition("?")
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
        except ValueError as error:
            raise BotParameterError(f"{text!r}: parameters are written name=value, joined by &") from error
        given = dict(pairs)
        if len(given) < len(pairs):
            raise BotParameterError(f"{text!r}: a parameter is given twice")
        seed = series_seed(given.pop("seed")) if "seed" in given else None
        return cls(text, target, seed, tuple(given.items()))

    @property
    def name(self) -> str:
        """A short name for records and tables: the installed name, the class, or the file without its end."""
        source, _, name = self.target.partition(":")
        return name or Path(source).stem

    def load(self) -> type[Bot]:
        """The class. Imports the module that defines it; raises a `SpecError` when there is no usable one."""
        source, _, name = self.target.partition(":")
        if _is_path(source):
            return _pick(_import_file(source), source, name)
        if name:
            return _pick(_import_module(source), source, name)
        return _installed(self.target)

    def make(self) -> Bot:
        """A new bot with the parameters of the specification. Raises a `SpecError`."""
        return self.maker()()

    def maker(self) -> Callable[[], Bot]:
        """What makes new bots: the class is looked up once. Raises a `SpecError`, and so does each call."""
        bot = self.load()
        arguments = _arguments(bot, self)

        def new() -> Bot:
            with _import_errors(self.target):
                return bot(**arguments)

        return new


def bot_names() -> list[str]:
    """Names of the installed bots, sorted."""
    return sorted(point.name for point in entry_points(group=GROUP))


def _is_path(source: str) -> bool:
    return source.endswith(".py") or "/" in source


def _installed(name: str) -> type[Bot]:
    found: dict[str, EntryPoint] = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise UnknownBotError(_unknown(name))
    with _import_errors(f"{name} ({found[name].value})"):
        bot = found[name].load()
    return _checked(bot, name)


def _unknown(name: str) -> str:
    names = bot_names()
    near = difflib.get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    file = f" Did you mean the file {name}.py?" if Path(f"{name}.py").is_file() else ""
    return (
        f"no bot is called {name!r}.{hint}{file} Installed bots: {', '.join(names)}; "
        "or give module:Class, or a file my_bot.py"
    )


def _import_module(name: str) -> ModuleType:
    """Import a module as `python -m` would: the working directory counts."""
    _search_in(Path.cwd())
    try:
        missing = importlib.util.find_spec(name) is None
    except (ImportError, ValueError):
        missing = True
    if missing:
        raise UnknownBotError(f"there is no module {name!r} in {Path.cwd()} or among the installed packages")
    with _import_errors(name):
        return importlib.import_module(name)


def _import_file(source: str) -> ModuleType:
    """Import a file as `python FILE` would: modules beside it can be imported."""
    path = Path(source).resolve()
    if not path.is_file():
        raise UnknownBotError(f"there is no file {source!r} (looked for {path})")
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownBotError(f"{source!r} is not a Python file: its name must end with .py")
    module = importlib.util.module_from_spec(spec)
    _search_in(path.parent)
    sys.modules[name] = module
    try:
        with _import_errors(source):
            spec.loader.exec_module(module)
    except BotImportError:
        del sys.modules[name]
        raise
    return module


def _search_in(directory: Path) -> None:
    if str(directory) not in sys.path:
        sys.path.insert(0, str(directory))


def _pick(module: ModuleType, source: str, name: str) -> type[Bot]:
    if name:
        if not hasattr(module, name):
            raise NoBotError(f"{source} has no {name!r}; its bots: {_listed(_bots_of(module))}")
        return _checked(getattr(module, name), f"{source}:{name}")
    bots = _bots_of(module)
    if not bots:
        raise NoBotError(f"{source} has no bot: write a class that derives from targi_sdk.Bot")
    if len(bots) > 1:
        raise SeveralBotsError(
            f"{source} has several bots ({_listed(bots)}): name one, as {source}:{bots[0]}"
        )
    return _checked(getattr(module, bots[0]), source)


def _bots_of(module: ModuleType) -> list[str]:
    """Names of the concrete bots that the module itself defines."""
    return [
        name
        for name, value in vars(module).items()
        if _is_bot(value) and value.__module__ == module.__name__ and not inspect.isabstract(value)
    ]


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _is_bot(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Bot) and value is not Bot


def _checked(value: object, source: str) -> type[Bot]:
    if not (isinstance(value, type) and _is_bot(value)):
        raise NotABotError(f"{source} is not a bot: it must be a class that derives from targi_sdk.Bot")
    if inspect.isabstract(value):
        missing = ", ".join(sorted(getattr(value, "__abstractmethods__", ())))
        raise NotABotError(f"{source} is no finished bot: it does not define {missing}")
    return value


@contextmanager
def _import_errors(source: str) -> Iterator[None]:
    """Turn whatever the author's code raises into a `BotImportError` that says where."""
    try:
        yield
    except (Exception, SystemExit) as error:
        raise BotImportError(f"{source} does not load: {_where(error)}") from error


def _where(error: BaseException) -> str:
    """The last line of the traceback, after the file and line that raised it."""
    last = traceback.format_exception_only(error)[-1].strip()
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {last}"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}, line {frame.lineno}: {last}"


def _arguments(bot: type[Bot], spec: BotSpec) -> dict[str, object]:
    known = inspect.signature(bot).parameters
    return {name: _argument(known.get(name), name, text, spec) for name, text in spec.parameters}


def _argument(parameter: inspect.Parameter | None, name: str, text: str, spec: BotSpec) -> object:
    if parameter is None:
        raise BotParameterError(f"{spec.target} has no parameter {name!r}")
    convert = CONVERSIONS.get(str(getattr(parameter.annotation, "__name__", parameter.annotation)), str)
    try:
        return convert(text)
    except (KeyError, ValueError) as error:
        raise BotParameterError(f"{spec.target}: {name}={text!r} is no {parameter.annotation}") from error


BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
CONVERSIONS: dict[str, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "bool": lambda text: BOOLEANS[text.lower()],
    "str": str,
}
"""Annotation of a parameter to what makes its value from text; anything else stays text."""

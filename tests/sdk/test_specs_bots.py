"""Bot specifications: what they may name, and what they say when they name nothing usable."""

from __future__ import annotations

from pathlib import Path

import pytest
from targi_bots.random_bot import RandomBot
from targi_sdk.seeds import series_seed
from targi_sdk.specs import (
    BotImportError,
    BotParameterError,
    BotSpec,
    NoBotError,
    NotABotError,
    SeveralBotsError,
    SpecError,
    UnknownBotError,
    bot_names,
)

BOT = """
from targi_sdk.bot import Bot

class First(Bot):
    def __init__(self, depth: int = 1, share: float = 0.5, loud: bool = False, label: str = ""):
        self.given = (depth, share, loud, label)

    def choose(self, turn):
        return turn.legal[0]
"""
SECOND = """
class Second(First):
    version = "2.0"
"""


@pytest.fixture
def bot_file(tmp_path: Path) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT)
    return path


def write(directory: Path, name: str, text: str) -> str:
    path = directory / name
    path.write_text(text)
    return str(path)


def test_a_name_is_looked_up_among_the_installed_bots() -> None:
    assert BotSpec.parse("random").load() is RandomBot
    assert {"random", "builder", "greedy"} <= set(bot_names())


def test_module_and_class_name_an_importable_bot() -> None:
    assert BotSpec.parse("targi_bots.random_bot:RandomBot").load() is RandomBot


def test_a_module_in_the_working_directory_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "bot_beside.py", BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    assert BotSpec.parse("bot_beside:First").load().__name__ == "First"


def test_a_file_with_one_bot_needs_no_class(bot_file: Path) -> None:
    assert BotSpec.parse(str(bot_file)).load().__name__ == "First"


def test_a_file_is_imported_once(bot_file: Path) -> None:
    assert BotSpec.parse(str(bot_file)).load() is BotSpec.parse(f"{bot_file}:First").load()


def test_a_file_may_import_what_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    write(tmp_path, "weights_beside.py", "BASE = 3")
    bot = write(tmp_path, "leaning_bot.py", "from weights_beside import BASE\n" + BOT)
    assert BotSpec.parse(bot).load().__name__ == "First"


def test_an_imported_bot_does_not_count_as_one_of_the_file(tmp_path: Path) -> None:
    text = "from targi_bots.random_bot import RandomBot\n\nclass Mine(RandomBot):\n    pass\n"
    assert BotSpec.parse(write(tmp_path, "mine.py", text)).load().__name__ == "Mine"


def test_one_of_several_bots_is_named_by_its_class(tmp_path: Path) -> None:
    path = write(tmp_path, "two.py", BOT + SECOND)
    assert BotSpec.parse(f"{path}:Second").load().version == "2.0"


def test_parameters_are_converted_as_the_signature_says(bot_file: Path) -> None:
    spec = BotSpec.parse(f"{bot_file}?depth=3&share=0.25&loud=yes&label=a%20b&seed=7")
    assert vars(spec.make())["given"] == (3, 0.25, True, "a b")
    assert spec.seed == series_seed("7")


def test_a_spec_prints_as_it_was_given() -> None:
    assert str(BotSpec.parse("greedy?seed=7")) == "greedy?seed=7"


@pytest.mark.parametrize(
    ("text", "name"),
    [("greedy?seed=1", "greedy"), ("bots/my_bot.py", "my_bot"), ("my_bot.py:Deep", "Deep"), ("a.b:C", "C")],
)
def test_the_short_name_is_the_last_part(text: str, name: str) -> None:
    assert BotSpec.parse(text).name == name


BAD_FILES = {
    "raises.py": ("import os\n\nLIMIT = os.nothing", BotImportError, "raises.py, line 3: AttributeError"),
    "exits.py": ("raise SystemExit(3)", BotImportError, "line 1: SystemExit: 3"),
    "misspelt.py": ("def choose(:\n    pass", BotImportError, "misspelt.py, line 1: SyntaxError"),
    "needs.py": ("import no_such_module", BotImportError, "No module named 'no_such_module'"),
    "empty.py": ("", NoBotError, "derives from targi_sdk.Bot"),
    "only_imports.py": ("from targi_bots.random_bot import RandomBot", NoBotError, "has no bot"),
    "two_bots.py": (BOT + SECOND, SeveralBotsError, "two_bots.py:First"),
    "fails_when_made.py": (
        BOT + "\nclass Failing(First):\n    def __init__(self):\n        raise ValueError('no model file')\n",
        BotImportError,
        "no model file",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_explained(tmp_path: Path, name: str) -> None:
    text, error, words = BAD_FILES[name]
    path = write(tmp_path, name, text)
    with pytest.raises(error) as raised:
        BotSpec.parse(path + ":Failing" * (name == "fails_when_made.py")).make()
    assert words in str(raised.value)
    assert name in str(raised.value)


def test_a_file_that_failed_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path, "mended.py", "import no_such_module")
    with pytest.raises(BotImportError):
        BotSpec.parse(path).load()
    write(tmp_path, "mended.py", BOT)
    assert BotSpec.parse(path).load().__name__ == "First"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("gredy", UnknownBotError, "Did you mean 'greedy'?"),
        ("", UnknownBotError, "Installed bots: "),
        ("nowhere/my_bot.py", UnknownBotError, "there is no file 'nowhere/my_bot.py'"),
        ("no_such_module:MyBot", UnknownBotError, "there is no module 'no_such_module'"),
        ("no_such.module.at_all:MyBot", UnknownBotError, "there is no module"),
        (":MyBot", UnknownBotError, "there is no module ''"),
        ("targi_bots.random_bot:Missing", NoBotError, "its bots: RandomBot"),
        ("targi_sdk.bot:Turn", NotABotError, "derives from targi_sdk.Bot"),
        ("targi_sdk.bot:Bot", NotABotError, "derives from targi_sdk.Bot"),
        ("targi_sdk.bot:turn_rng", NotABotError, "derives from targi_sdk.Bot"),
        ("random?depth=3", BotParameterError, "no parameter 'depth'"),
        ("random?depth", BotParameterError, "name=value"),
        ("random?seed=1&seed=2", BotParameterError, "given twice"),
    ],
)
def test_a_bad_specification_is_explained(text: str, error: type[SpecError], words: str) -> None:
    with pytest.raises(error) as raised:
        BotSpec.parse(text).make()
    assert words in str(raised.value)


def test_a_value_that_does_not_fit_its_parameter_is_refused(bot_file: Path) -> None:
    for wrong in ("depth=deep", "share=half", "loud=perhaps"):
        with pytest.raises(BotParameterError) as raised:
            BotSpec.parse(f"{bot_file}?{wrong}").make()
        assert wrong.partition("=")[0] in str(raised.value)


def test_an_unfinished_bot_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "unfinished.py", "from targi_sdk.bot import Bot\n\nclass Idle(Bot):\n    pass\n")
    with pytest.raises(NotABotError, match="does not define choose"):
        BotSpec.parse(f"{path}:Idle").load()


def test_the_name_of_a_file_without_its_end_gets_a_hint(
    bot_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bot_file.parent)
    with pytest.raises(UnknownBotError, match=r"Did you mean the file my_bot\.py\?"):
        BotSpec.parse("my_bot").load()

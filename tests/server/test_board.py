from adlsp.server.features.diagnostics import Board


def test_each_giver_contributes_its_part():
    board = Board()
    assert board.put("a", {"a": ("one",), "lib": ("shared",)}) == {"a", "lib"}
    assert board.put("b", {"b": (), "lib": ("shared", "two")}) == {"b", "lib"}
    assert board.about("a") == ["one"]
    assert board.about("lib") == ["shared", "two"]
    assert board.about("b") == []


def test_its_own_analysis_comes_first_and_repeats_are_kept():
    board = Board()
    board.put("a", {"z": ("from a",)})
    board.put("z", {"z": ("own", "own")})
    assert board.about("z") == ["own", "own", "from a"]


def test_what_is_said_no_more_is_withdrawn():
    board = Board()
    board.put("a", {"a": (), "lib": ("wrong",)})
    assert board.put("a", {"a": ()}) == {"a", "lib"}
    assert board.about("lib") == []


def test_what_was_said_about_an_older_text_is_forgotten():
    board = Board()
    board.put("a", {"a": ("one",), "lib": ("wrong",)})
    board.forget("lib")
    assert board.about("lib") == []
    assert board.about("a") == ["one"]


def test_a_giver_that_is_gone_takes_its_part_along():
    board = Board()
    board.put("a", {"a": ("one",), "lib": ("wrong",)})
    board.put("lib", {"lib": ("own",)})
    assert board.drop("a") == {"a", "lib"}
    assert board.about("lib") == ["own"]
    assert board.drop("a") == {"a"}

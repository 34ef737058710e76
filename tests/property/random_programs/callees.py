"""Helpers of idiomatic programs: functions that change an argument, recursion, signatures."""

from random import Random

from random_programs.flow import Author
from random_programs.scope import Helper

Made = tuple[Helper, str]


def idiomatic_helper(random: Random, name: str, known: list[Helper]) -> Made:
    """Writes a helper: one of a random kind."""
    writers = (changing, changing, recursive, halving, filling, summing, optional, structured)
    return random.choice(writers)(random, name, known)


def changing(random: Random, name: str, known: list[Helper]) -> Made:
    """A function that changes the array it is given, and may give something back."""
    scope = {"t": "vector", "o": random.choice(("number", "vector"))}
    author = Author(random, dict(scope), known, is_idiomatic=True, kept=("t",))
    author.statements(random.randint(0, 2))
    place = random.choice(("[0]", "[-1]", "[1:]", "[:]", ""))
    operation = random.choice(("+=", "-=", "*=", "=") if place else ("+=", "*="))
    is_early = random.random() < 0.2
    if is_early:
        author.line(f"if {author.condition()}:")
        author.line("    t[1] = 0.3")
        author.line("else:")
    author.line(f"{'    ' * is_early}t{place} {operation} {author.value('number')}")
    author.statements(random.randint(0, 1))
    result = random.choice(("", "", "number"))
    if result:
        author.line(f"return {author.value(result)}")
    return Helper(name, tuple(scope.items()), result, changes=True), author.function(name, "t, o")


def recursive(random: Random, name: str, known: list[Helper]) -> Made:
    """A function that calls itself a number of times."""
    del known
    end = random.choice(("t", "1.0", "t * 0.5", "np.zeros(3)"))
    step = random.choice(
        (
            f"t * {name}(t * 0.8, n - 1)",
            f"np.sin(t) + 0.5 * {name}(t[::-1], n - 1)",
            f"np.tanh({name}(t + 0.1, n - 1) * t) + {name}(np.cos(t), n - 2)",
            f"{name}(np.sin(t), n=n - 1)",
        )
    )
    text = f"def {name}(t, n):\n    if n <= 0:\n        return {end}\n    return {step}\n"
    return Helper(name, (("t", "vector"), ("n", "index")), "vector"), text


def halving(random: Random, name: str, known: list[Helper]) -> Made:
    """A function that calls itself on both halves of what it is given."""
    del known
    both = random.choice((f"{name}(t[:k]) * 0.5 + np.sin({name}(t[k:]))", f"{name}(t[k:]) * t[0]"))
    text = (
        f"def {name}(t):\n    if len(t) == 1:\n        return t[0]\n    k = len(t) // 2\n"
        f"    return {both}\n"
    )
    return Helper(name, (("t", "vector"),), "number"), text


def filling(random: Random, name: str, known: list[Helper]) -> Made:
    """A function that calls itself to change an array, element by element."""
    del known
    value = random.choice(("np.sin(t[n - 1])", "t[n - 1] * t[n - 2]", "0.5 * t[n] + 0.1"))
    text = (
        f"def {name}(t, n):\n    if n > 0:\n        t[n - 1] = {value}\n        {name}(t, n - 1)\n"
    )
    return Helper(name, (("t", "vector"), ("n", "index")), "", changes=True), text


def summing(random: Random, name: str, known: list[Helper]) -> Made:
    """A function of any number of arguments."""
    del known
    term = random.choice(("np.sum(np.sin(part))", "np.max(part) * scale", "np.sum(part * part)"))
    text = (
        f"def {name}(scale, *parts):\n    total = 0.0\n    for part in parts:\n"
        f"        total = total + {term}\n    return total * scale\n"
    )
    count = random.randint(1, 3)
    kinds = (f"part_{i}" for i in range(count))
    parameters = (("scale", "number"), *((kind, "vector") for kind in kinds))
    return Helper(name, parameters, "number", is_by_position=True), text


def optional(random: Random, name: str, known: list[Helper]) -> Made:
    """A function whose option can only be given by name, or may be `None`."""
    scope = {"t": random.choice(("number", "vector")), "o": "number"}
    author = Author(random, {**scope, "rate": "number"}, known, is_idiomatic=True)
    default = random.choice(("0.6", "None", "None", "SCALE"))
    if default == "None":
        author.line("if rate is None:")
        author.line(f"    rate = {random.choice(('0.3', 'o * 2', 'np.sum(t)'))}")
    author.statements(random.randint(0, 2))
    author.line(f"return {author.value('number')}")
    signature = f"t, o, *, rate={default}"
    helper = Helper(name, tuple(scope.items()), "number", has_option=True)
    return helper, author.function(name, signature)


def structured(random: Random, name: str, known: list[Helper]) -> Made:
    """A function that gives a dictionary or a list, of which its caller takes what it needs."""
    del known
    opened, read = random.choice(
        (("{'a': np.sin(t), 'b': np.sum(t)}", "['a']"), ("[t * t, t + 0.1]", "[0]"))
    )
    text = (
        f"def {name}_parts(t):\n    return {opened}\n\n\n"
        f"def {name}(t):\n    parts = {name}_parts(t)\n    return parts{read} * 0.9\n"
    )
    return Helper(name, (("t", "vector"),), "vector"), text

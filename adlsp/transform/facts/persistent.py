"""Sets and mappings of which one differs little from another, and costs only that.

An analysis knows something at each place of a function, and from one place to the next hardly
anything changes. So what is known at all places together costs what changes: these are persistent
data structures, tries by the bits of hashes. Up to `MOST` entries they are one dictionary.
(Bagwell, Ideal hash trees, 2001; Driscoll et al., Making data structures persistent, JCSS 38,
1989.)

What changes nothing gives the very same object, and two that have come from one are compared, and
joined, only where they differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from operator import is_
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from typing import Self

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

Builtin = TypeVar("Builtin", set[Any], frozenset[Any])

MOST = 32
"""How many entries a leaf has at most, unless their hashes are the same."""

BITS = 4
LAST = 60
"""How many bits of a hash a node looks at, and the last of them that are looked at."""

Leaf: TypeAlias = dict[Any, Any]
Node: TypeAlias = "Leaf | tuple[Node, ...]"
"""A dictionary, or a node for each value of some bits of the hash; none is ever changed."""

EMPTY: Leaf = {}


def _branch(key: Hashable, shift: int) -> int:
    return hash(key) >> shift & (1 << BITS) - 1


def _leaf(node: Node, key: Hashable, shift: int = 0) -> Leaf:
    """The leaf where a key is, if it is there."""
    if type(node) is tuple:
        bits = hash(key) >> shift
        while type(node) is tuple:
            node = node[bits & (1 << BITS) - 1]
            bits >>= BITS
    return node  # type: ignore[return-value]


def _entries(node: Node) -> Iterator[tuple[Any, Any]]:
    if isinstance(node, dict):
        yield from node.items()
    else:
        for child in node:
            yield from _entries(child)


def _apart(entries: Leaf, shift: int) -> dict[int, Leaf]:
    """Entries by the branch that they go to."""
    made: dict[int, Leaf] = {}
    for key, value in entries.items():
        made.setdefault(_branch(key, shift), {})[key] = value
    return made


def _put(node: Node, entries: Leaf, shift: int = 0) -> Node:
    """A node with some entries more; the same one if it has them."""
    if isinstance(node, dict):
        made = {**node, **entries}
        if len(made) == len(node) and all(map(is_, map(node.get, entries), entries.values())):
            return node
        if len(made) <= MOST or shift > LAST:
            return made
        node, entries = (EMPTY,) * (1 << BITS), made
    if len(entries) == 1:
        (key,) = entries
        branch = _branch(key, shift)
        return _with(node, branch, _put(node[branch], entries, shift + BITS))
    more = _apart(entries, shift).items()
    return _changed(node, [(b, _put(node[b], some, shift + BITS)) for b, some in more])


def _with(node: tuple[Node, ...], branch: int, child: Node) -> Node:
    """A node with another child at one branch; the same one if it is the same."""
    if child is node[branch]:
        return node
    return (*node[:branch], child, *node[branch + 1 :])


def _changed(node: tuple[Node, ...], children: Iterable[tuple[int, Node]]) -> Node:
    """A node with other children at some branches; the same one if they are the same."""
    made, is_same = [*node], True
    for branch, child in children:
        if child is not made[branch]:
            made[branch], is_same = child, False
    return node if is_same else tuple(made)


def _without(node: Node, keys: Leaf, shift: int = 0) -> Node:
    """A node without some keys; the same one if it has none of them."""
    if isinstance(node, dict):
        if node.keys().isdisjoint(keys):
            return node
        made = node.copy()
        for key in keys:
            made.pop(key, None)
        return made
    if len(keys) == 1:
        (key,) = keys
        branch = _branch(key, shift)
        return _with(node, branch, _without(node[branch], keys, shift + BITS))
    fewer = _apart(keys, shift).items()
    return _changed(node, [(b, _without(node[b], some, shift + BITS)) for b, some in fewer])


def _differing(one: Node, other: Node) -> Iterator[Any]:
    """The keys that only one of two nodes has, or that have other values there."""
    if one is other:
        return
    if isinstance(one, tuple) and isinstance(other, tuple):
        for mine, theirs in zip(one, other, strict=True):
            yield from _differing(mine, theirs)
        return
    mine, theirs = dict(_entries(one)), dict(_entries(other))
    for key in {**mine, **theirs}:
        if key not in mine or key not in theirs or mine[key] is not theirs[key]:
            yield key


def _joined(one: Node, other: Node, shift: int = 0) -> Node:
    """A node with the entries of both; the first one if it has them all."""
    if one is other:
        return one
    if isinstance(other, dict):
        return _put(one, other, shift)
    if isinstance(one, dict):
        return _put(other, one, shift)
    pairs = zip(one, other, strict=True)
    made = [_joined(mine, theirs, shift + BITS) for mine, theirs in pairs]
    return _changed(one, enumerate(made))


def _common(one: Node, other: Node, shift: int = 0) -> Node:
    """A node with the keys that both have; the first one if the other has them all."""
    if one is other:
        return one
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=True)
        made = [_common(mine, theirs, shift + BITS) for mine, theirs in pairs]
        return _changed(one, enumerate(made))
    few, many = (one, other) if isinstance(one, dict) else (other, one)
    return {key: None for key, _ in _entries(few) if key in _leaf(many, key, shift)}


class _Trie(Generic[Key]):
    """What mappings and sets are: a root, of which nothing is ever changed."""

    __slots__ = ("_root",)
    _root: Node

    def __contains__(self, key: object) -> bool:
        root = self._root
        return key in (root if type(root) is dict else _leaf(root, key))

    def __iter__(self) -> Iterator[Key]:
        return (key for key, _ in _entries(self._root))

    def __len__(self) -> int:
        return sum(1 for _ in _entries(self._root))

    def __bool__(self) -> bool:
        return any(True for _ in _entries(self._root))

    def _of(self, root: Node) -> Self:
        if root is self._root:
            return self
        made = object.__new__(type(self))
        made._root = root
        return made


class Map(_Trie[Key], Mapping[Key, Value]):
    """A mapping that is never changed."""

    __slots__ = ()

    def __init__(self, entries: Mapping[Key, Value] | None = None) -> None:
        self._root = _put(EMPTY, dict(entries or {}))

    def __getitem__(self, key: Key) -> Value:
        found: Value = _leaf(self._root, key)[key]
        return found

    if not TYPE_CHECKING:  # its type is that of any mapping

        def get(self, key: Key, default: object = None) -> object:
            """What is there at a key, or else the default: no error is raised for that."""
            return _leaf(self._root, key).get(key, default)

    def __or__(self, entries: Mapping[Key, Value]) -> Self:
        """The mapping with some entries more, or with other values."""
        return self._of(_put(self._root, dict(entries)))

    def without(self, keys: Iterable[Key]) -> Self:
        """The mapping without some keys."""
        return self._of(_without(self._root, dict.fromkeys(keys)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Map):
            return Mapping.__eq__(self, other)
        keys = self.differing(other)
        return all(k in self and k in other and self[k] == other[k] for k in keys)

    __hash__ = None  # type: ignore[assignment]

    def differing(self, other: Map[Key, Value]) -> Iterator[Key]:
        """The keys that only one of two mappings has, or that are given other objects there."""
        return _differing(self._root, other._root)


class Set(_Trie[Key], AbstractSet[Key]):
    """A set that is never changed."""

    __slots__ = ()

    def __init__(self, keys: Iterable[Key] = ()) -> None:
        self._root = _put(EMPTY, dict.fromkeys(keys))

    def union(self, *others: Iterable[Key]) -> Self:
        """The set with some keys more."""
        new = {key: None for other in others for key in other if key not in self}
        return self._of(_put(self._root, new)) if new else self

    def difference(self, *others: Iterable[Key]) -> Self:
        """The set without some keys."""
        old = {key: None for other in others for key in other if key in self}
        return self._of(_without(self._root, old)) if old else self

    def isdisjoint(self, other: Iterable[object]) -> bool:
        """Tells whether it has none of some keys."""
        if isinstance(self._root, dict):
            return self._root.keys().isdisjoint(other)
        root = self._root
        return all(key not in _leaf(root, key) for key in other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Set):
            return AbstractSet.__eq__(self, other)
        return next(_differing(self._root, other._root), self) is self

    __hash__ = None  # type: ignore[assignment]

    def __le__(self, other: AbstractSet[Any]) -> bool:
        return other | self == other if isinstance(other, Set) else AbstractSet.__le__(self, other)

    def __or__(self, other: AbstractSet[Key]) -> Self:  # type: ignore[override]
        if isinstance(other, Set):
            return self._of(_joined(self._root, other._root))
        return self.union(other)

    def __sub__(self, other: AbstractSet[Key]) -> Self:  # type: ignore[override]
        return self.difference(other)

    def __and__(self, other: AbstractSet[Key]) -> Self:
        if isinstance(other, Set):
            return self._of(_common(self._root, other._root))
        return type(self)(key for key in other if key in self)

    def __rand__(self, other: Builtin) -> Builtin:  # type: ignore[override]
        return type(other)(key for key in other if key in self)

    def __ror__(self, other: Builtin) -> Builtin:  # type: ignore[override]
        return type(other)(chain(other, self))

    def __rsub__(self, other: Builtin) -> Builtin:  # type: ignore[override]
        return type(other)(key for key in other if key not in self)

    @classmethod
    def _from_iterable(cls, it: Iterable[Key]) -> Self:  # type: ignore[override]
        return cls(it)

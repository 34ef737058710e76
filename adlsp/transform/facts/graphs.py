"""What holds along the edges of a graph: for facts that follow values, not places of a program.

A fact of a value goes to what is made of it, wherever that stands, so that nothing is asked of the
statements between: this is sparse data-flow analysis, and its solution is what can be reached.
(Reif and Lewis, Symbolic evaluation and the global value graph, POPL 1977.) Without recursion,
because programs may be long.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reached(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """The nodes at which one comes from some, these included: the transitive closure.

    They come in an order that is the same in each run.
    """
    found = dict.fromkeys(starts)
    pending = [*found]
    while pending:
        new = dict.fromkeys(node for node in following(pending.pop()) if node not in found)
        found |= new
        pending += new
    return [*found]


def components(
    nodes: Iterable[Node], successors: Callable[[Node], Sequence[Node]]
) -> Iterator[list[Node]]:
    """The strongly connected components of a graph, each after those that it leads to.

    Successors that are not among the nodes are left out of account. Source: Tarjan, Depth-first
    search and linear graph algorithms (SIAM J. Comput. 1, 1972).
    """
    among = dict.fromkeys(nodes)
    order: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    open_nodes: list[Node] = []
    closed: set[Node] = set()
    for root in among:
        path = [(root, iter(successors(root)))] if root not in order else []
        while path:
            node, rest = path[-1]
            if node not in order:
                order[node] = lowest[node] = len(order)
                open_nodes.append(node)
            following = next((s for s in rest if s in among and s not in closed), None)
            if following is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    start = open_nodes.index(node)
                    component = open_nodes[start:]
                    del open_nodes[start:]
                    closed.update(component)
                    yield component
            elif following in order:
                lowest[node] = min(lowest[node], order[following])
            else:
                path.append((following, iter(successors(following))))

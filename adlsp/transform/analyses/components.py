"""Which nodes of a graph lie on circles together, in an order in which their successors come first.

Source: Tarjan, Depth-first search and linear graph algorithms (SIAM J. Comput. 1, 1972); without
recursion, because programs may be long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence


def components(
    nodes: Iterable[int], successors: Callable[[int], Sequence[int]]
) -> Iterator[list[int]]:
    """The strongly connected components of a graph, each after those that it leads to.

    Successors that are not among the nodes are left out of account.
    """
    among = dict.fromkeys(nodes)
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_nodes: list[int] = []
    closed: set[int] = set()
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

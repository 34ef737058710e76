"""Names of the user's that are names of ours: they must change nothing."""

import re
from random import Random

COLLIDING = """
rt x_bar t out out_bar t_2 x_saved a_bar saved f_grad f_forward helper_0_forward trips bar shape
adlsp x_2 copy i_bar t_bar np_2 u_likes dots list_2 s_bar_2
"""


def collided(random: Random, text: str, names: tuple[str, ...]) -> str:
    """The text with some of its variables, and sometimes NumPy, called otherwise."""
    free = [name for name in COLLIDING.split() if not re.search(rf"\b{name}\b", text)]
    random.shuffle(free)
    present = [name for name in names if re.search(rf"\b{name}\b", text)]
    for name in present:
        if free and random.random() < 0.4:
            text = re.sub(rf"\b{name}\b", free.pop(), text)
    if random.random() < 0.3:
        text = text.replace("import numpy as np", "import numpy as xp").replace("np.", "xp.")
        if present and random.random() < 0.5:
            text = re.sub(rf"\b{present[0]}\b", "np", text)
    return text

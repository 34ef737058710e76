"""The table of all kernels that are written in both libraries."""

from twins.inference import TWINS as INFERENCE
from twins.learning import TWINS as LEARNING
from twins.matrices import TWINS as MATRICES
from twins.motion import TWINS as MOTION
from twins.paths import TWINS as PATHS
from twins.stencils import TWINS as STENCILS

TWINS = (*STENCILS, *MATRICES, *MOTION, *LEARNING, *PATHS, *INFERENCE)

"""The table of all kernels, each with the arguments at which it is checked."""

from kernels.kernel import collect
from kernels.learning import LEARNING
from kernels.matrices import MATRICES
from kernels.motion import MOTION
from kernels.parameters import PARAMETERS
from kernels.paths import PATHS
from kernels.places import PLACES
from kernels.scalars import SCALARS
from kernels.stencils import STENCILS
from kernels.systems import SYSTEMS
from kernels.updates import UPDATES

KERNELS = tuple(
    collect(
        STENCILS,
        MATRICES,
        UPDATES,
        MOTION,
        SYSTEMS,
        LEARNING,
        PARAMETERS,
        PLACES,
        PATHS,
        SCALARS,
    )
)

"""What functions of SciPy do, where no default tells."""

from __future__ import annotations

from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import FRESH, OUTSIDE, Dtype, Kind, Operation, Shape, op

HOMES = (
    *op("scipy.", effect=OUTSIDE, gives=Kind.ARRAY),
    *op("scipy.fft.", dtype=Dtype.COMPLEX),
    *op("scipy.special.", dtype=Dtype.SPECIAL),
    *op("scipy.stats.", dtype=Dtype.DOUBLE),
)

PLACES = (
    *op(
        "airy airye bei beip ber berp cbrt cosdg cosm1 cotdg dawsn digamma ellipe ellipk "
        "ellipkm1 entr erf erfc erfcinv erfcx erfi erfinv exp1 exp10 exp2 expi expit expm1 "
        "exprel fresnel gamma gammaln gammasgn i0 i0e i1 i1e it2i0k0 it2j0y0 it2struve0 itairy "
        "iti0k0 itj0y0 itmodstruve0 itstruve0 j0 j1 k0 k0e k1 k1e kei keip kelvin ker kerp "
        "kolmogi kolmogorov log1p log_expit log_ndtr loggamma logit modfresnelm modfresnelp "
        "ndtr ndtri ndtri_exp psi rgamma round shichi sici sindg spence tandg wofz wrightomega "
        "y0 y1 zetac",
        "scipy.special.",
        n_before_out=1,
    ),
    *op(
        "agm beta betaln binom boxcox boxcox1p chdtr chdtrc chdtri chdtriv ellipeinc ellipj "
        "ellipkinc elliprc eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_hermite "
        "eval_hermitenorm eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu "
        "eval_sh_legendre expn gammainc gammaincc gammainccinv gammaincinv hankel1 hankel1e "
        "hankel2 hankel2e huber hyp0f1 inv_boxcox inv_boxcox1p iv ive jn jv jve kl_div kn kv "
        "kve mathieu_a mathieu_b modstruve owens_t pbdv pbvv pbwa pdtr pdtrc pdtri pdtrik poch "
        "powm1 pseudo_huber rel_entr smirnov smirnovi stdtr stdtridf stdtrit struve tklmbda "
        "xlog1py xlogy yn yv yve zeta",
        "scipy.special.",
        n_before_out=2,
    ),
    *op(
        "bdtr bdtrc bdtri bdtrik bdtrin besselpoly betainc betaincc betainccinv betaincinv "
        "btdtria btdtrib chndtr chndtridf chndtrinc chndtrix elliprd elliprf elliprg "
        "eval_gegenbauer eval_genlaguerre fdtr fdtrc fdtri fdtridfd gdtr gdtrc gdtria gdtrib "
        "gdtrix hyp1f1 hyperu log_wright_bessel lpmv mathieu_cem mathieu_modcem1 "
        "mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem nbdtr nbdtrc nbdtri "
        "nbdtrik nbdtrin nctdtr nctdtridf nctdtrinc nctdtrit nrdtrimn nrdtrisd obl_cv pro_cv "
        "radian voigt_profile wright_bessel",
        "scipy.special.",
        n_before_out=3,
    ),
    *op(
        "elliprj eval_jacobi eval_sh_jacobi hyp2f1 ncfdtr ncfdtri ncfdtridfd ncfdtridfn "
        "ncfdtrinc obl_ang1 obl_rad1 obl_rad2 pro_ang1 pro_rad1 pro_rad2",
        "scipy.special.",
        n_before_out=4,
    ),
    *op(
        "obl_ang1_cv obl_rad1_cv obl_rad2_cv pro_ang1_cv pro_rad1_cv pro_rad2_cv",
        "scipy.special.",
        n_before_out=5,
    ),
)

OTHERS = (
    *op("hankel1 hankel2 lambertw wofz", "scipy.special.", dtype=Dtype.COMPLEX),
    *op("lambertw wofz", "scipy.special.", shape=Shape.OTHER),  # of double precision always
    *op(
        "ivp jvp kvp spherical_in spherical_jn spherical_yn yvp",
        "scipy.special.",
        dtype=Dtype.WIDE,
    ),
    *op("ivp jvp kvp yvp", "scipy.special.", parameters="v z | n=1"),
    *op("fresnel shichi sici", "scipy.special.", makes=Makes.TWO),
    *op("airy ellipj", "scipy.special.", makes=Makes.FOUR),
    *op(
        "airy ellipj fresnel shichi sici",
        "scipy.special.",
        result=FRESH,
        gives=Kind.TUPLE,
        gives_several=True,
    ),
)

PARAMETERS = (
    *op("logpdf pdf cdf logcdf sf logsf", "scipy.stats.norm.", parameters="x loc=0 scale=1"),
    *op("logpdf pdf cdf logcdf", "scipy.stats.t.", parameters="x df loc=0 scale=1"),
    *op("logpdf pdf cdf", "scipy.stats.chi2.", parameters="x df loc=0 scale=1"),
    *op("logpdf pdf cdf", "scipy.stats.gamma.", parameters="x a loc=0 scale=1"),
    *op("logpdf pdf cdf", "scipy.stats.beta.", parameters="x a b loc=0 scale=1"),
    *op("logpmf pmf cdf", "scipy.stats.poisson.", parameters="k mu loc=0"),
    *op(
        "cauchy.logpdf cauchy.pdf expon.cdf expon.logpdf expon.pdf halfnorm.logpdf laplace.logpdf "
        "laplace.pdf logistic.cdf logistic.logpdf logistic.pdf uniform.logpdf",
        "scipy.stats.",
        parameters="x loc=0 scale=1",
    ),
    *op("lognorm.logpdf", "scipy.stats.", parameters="x s loc=0 scale=1"),
    *op("invgamma.logpdf", "scipy.stats.", parameters="x a loc=0 scale=1"),
    *op("binom.logpmf binom.pmf nbinom.logpmf", "scipy.stats.", parameters="k n p loc=0"),
    *op("bernoulli.logpmf geom.logpmf", "scipy.stats.", parameters="k p loc=0"),
    *op("zeta", "scipy.special.", shape=Shape.PIECEWISE),
    *op("expm", "scipy.linalg.", parameters="A", shape=Shape.SAME, dtype=Dtype.QUOTIENT),
    *op(
        "solve_triangular",
        "scipy.linalg.",
        parameters="a b trans=0 lower=False unit_diagonal=False overwrite_b=False "
        "check_finite=True",
        shape=Shape.SOLVED,
        dtype=Dtype.QUOTIENT,
    ),
    *op("softmax log_softmax", "scipy.special.", parameters="x axis=None", shape=Shape.SAME),
    *op(
        "logsumexp",
        "scipy.special.",
        parameters="a axis=None b=None keepdims=False",
        shape=Shape.FOLDED,
    ),
)

RECORDS = (
    *OTHERS,
    *PARAMETERS,
    *op("linalg.sqrtm signal.hilbert", "scipy.", dtype=Dtype.COMPLEX),
    *op(
        "dct dctn dst fft fft2 fftn hfft idct idctn idst ifft ifft2 ifftn ihfft irfft irfft2 "
        "irfftn rfft rfft2 rfftn fftshift ifftshift",
        "scipy.fft.",
        result=FRESH,
    ),
    *op(
        "dct dst idct idst",
        "scipy.fft.",
        parameters="x type=2 n=None axis=-1 norm=None",
        shape=Shape.TRANSFORMED,
        dtype=Dtype.QUOTIENT,
    ),
    *op(
        "dctn idctn",
        "scipy.fft.",
        parameters="x type=2 s=None axes=None norm=None",
        shape=Shape.TRANSFORMED_AXES,
        dtype=Dtype.QUOTIENT,
    ),
    *op("hfft irfft", "scipy.fft.", parameters="x n=None axis=-1 norm=None", shape=Shape.WHOLE),
    *op("ihfft", "scipy.fft.", parameters="x n=None axis=-1 norm=None", shape=Shape.HALF),
    *op("fft ifft", "scipy.fft.", parameters="x n=None axis=-1 norm=None"),
    *op("fft ifft", "scipy.fft.", shape=Shape.TRANSFORMED),
    *op("rfft", "scipy.fft.", parameters="x n=None axis=-1 norm=None", shape=Shape.HALF),
    *op(
        "fft2 fftn ifft2 ifftn",
        "scipy.fft.",
        parameters="x s=None axes=None norm=None",
        shape=Shape.TRANSFORMED_AXES,
    ),
    *op("irfft2 irfftn rfft2 rfftn", "scipy.fft.", parameters="x s=None axes=None norm=None"),
    *op("rfft2 rfftn", "scipy.fft.", shape=Shape.OF_RANK),
    *op("fftshift ifftshift", "scipy.fft.", parameters="x axes=None", shape=Shape.PERMUTED),
    *op("cumulative_trapezoid simpson", "scipy.integrate.", result=FRESH),
    *op("fftfreq rfftfreq", "scipy.fft.", result=FRESH, dtype=Dtype.DOUBLE),
    *op(
        "cdist",
        "scipy.spatial.distance.",
        parameters="XA XB metric='euclidean'",
        shape=Shape.INNER,
        dtype=Dtype.DOUBLE,
        result=FRESH,
    ),
    *op(
        "pdist",
        "scipy.spatial.distance.",
        parameters="X metric='euclidean'",
        shape=Shape.PAIRS,
        dtype=Dtype.DOUBLE,
        result=FRESH,
    ),
    *op(
        "squareform",
        "scipy.spatial.distance.",
        parameters="X force='no' checks=True",
        shape=Shape.SQUAREFORM,
        dtype=Dtype.FIRST,
        result=FRESH,
    ),
    *op("euclidean", "scipy.spatial.distance.", parameters="u v", result=FRESH),
    *op(
        "sqeuclidean",
        "scipy.spatial.distance.",
        parameters="u v",
        shape=Shape.SCALAR,
        dtype=Dtype.QUOTIENT,
        result=FRESH,
    ),
    *op("gmean", "scipy.stats.", parameters="a axis=0", shape=Shape.FOLDED, result=FRESH),
    *op("gmean", "scipy.stats.", dtype=Dtype.QUOTIENT),
    *op(
        "trapezoid",
        "scipy.integrate.",
        parameters="y x=None dx=1.0 axis=-1",
        shape=Shape.FOLDED,
        dtype=Dtype.QUOTIENT,
    ),
    *op(
        "convolve correlate fftconvolve oaconvolve",
        "scipy.signal.",
        parameters="in1 in2 mode='full'",
        shape=Shape.OF_RANK,
    ),
    *op("convolve correlate", "scipy.signal.", dtype=Dtype.COMMON),
    *op("fftconvolve oaconvolve", "scipy.signal.", dtype=Dtype.QUOTIENT),
    *op("detrend", "scipy.signal.", parameters="data axis=-1 type='linear' bp=0"),
    *op("detrend", "scipy.signal.", shape=Shape.SAME, dtype=Dtype.QUOTIENT),
    *op("convolve correlate detrend fftconvolve lfilter oaconvolve", "scipy.signal.", result=FRESH),
    *op(
        "cho_factor cho_solve cholesky circulant cosm det eigh eigvalsh expm hankel inv logm lu "
        "norm pinv qr sinm solve solve_continuous_lyapunov solve_discrete_lyapunov solve_lyapunov "
        "solve_sylvester solve_triangular sqrtm svd svdvals toeplitz",
        "scipy.linalg.",
        result=FRESH,
    ),
    *op("cho_factor eigh lu qr svd", "scipy.linalg.", gives_several=True),
    *op("svdvals", "scipy.linalg.", parameters="a"),
    *op("cosm sinm", "scipy.linalg.", parameters="A", shape=Shape.SAME, dtype=Dtype.QUOTIENT),
    *op("logm", "scipy.linalg.", dtype=Dtype.COMPLEX),
    *op("inv", "scipy.linalg.", parameters="a", shape=Shape.SAME),
    *op("cholesky", "scipy.linalg.", parameters="a lower=False", shape=Shape.SAME),
    *op("pinv", "scipy.linalg.", parameters="a", shape=Shape.PINV),
    *op(
        "solve",
        "scipy.linalg.",
        parameters="a b lower=False overwrite_a=False overwrite_b=False check_finite=True "
        "assume_a=None transposed=False",
        shape=Shape.SOLVED,
    ),
    *op("det", "scipy.linalg.", parameters="a", shape=Shape.OF_MATRICES),
    *op("eigvalsh", "scipy.linalg.", parameters="a", shape=Shape.EIGENVALUES),
    *op("svd", "scipy.linalg.", parameters="a full_matrices=True compute_uv=True"),
    *op("svd", "scipy.linalg.", shape=Shape.SVD, dtype=Dtype.QUOTIENT),
    *op("cholesky inv pinv solve", "scipy.linalg.", dtype=Dtype.QUOTIENT),
    *op("det", "scipy.linalg.", dtype=Dtype.WIDE),
    *op("eigvalsh", "scipy.linalg.", dtype=Dtype.MAGNITUDE),
    *op("integrate.trapezoid", "scipy.", result=FRESH),
    *op("log_softmax logsumexp polygamma softmax zeta", "scipy.special.", result=FRESH),
    *op("softmax", "scipy.special.", computes=Operation.SHARES),
    *op("multivariate_normal.logpdf multivariate_normal.pdf", "scipy.stats.", result=FRESH),
    *op(
        "linalg.cosm linalg.expm linalg.logm linalg.sinm linalg.sqrtm spatial.distance.cdist "
        "spatial.distance.euclidean spatial.distance.pdist special.xlogy special.xlog1py "
        "stats.multivariate_normal.logpdf stats.multivariate_normal.pdf",
        "scipy.",
        of_arrays=True,
    ),
    *PLACES,
)

"""Samples for the rules of TensorFlow: signal.

Arguments and results are real, and complex inside, as in the samples of complex numbers. Where an
axis is cropped TensorFlow's own gradients raise, and of transforms of three axes it has none.
"""

from __future__ import annotations

from sample import Sample, array, sample


def parts(call: str, *shape: int) -> Sample:
    """A linear function of a complex number `z`, which is made of `x` and `y`, and taken apart."""
    whole = call.replace("z", "tf.complex(x, y)")
    text = f"tf.math.real({whole}) * x + tf.math.imag({whole}) * y"
    return sample(text, x=array(*shape), y=array(*shape, seed=1))


def spectrum(call: str, *shape: int, is_taped: bool = True) -> Sample:
    """The power of a spectrum."""
    return sample(f"tf.abs({call}) ** 2", is_taped=is_taped, x=array(*shape))


def back(call: str, *shape: int, is_taped: bool = True) -> Sample:
    """A real signal of a spectrum, `z`."""
    text = call.replace("z", "tf.complex(x, y)")
    return sample(text, is_taped=is_taped, x=array(*shape), y=array(*shape, seed=1))


SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.signal.fft": [parts("{f}(z)", 5), parts("{f}(z)", 2, 4), parts("{f}(z * z)", 3)],
    "tensorflow.signal.ifft": [parts("{f}(z)", 5), parts("{f}(z)", 2, 4)],
    "tensorflow.signal.fft2d": [parts("{f}(z)", 3, 4), parts("{f}(z)", 2, 2, 3)],
    "tensorflow.signal.ifft2d": [parts("{f}(z)", 3, 4), parts("{f}(z)", 2, 2, 3)],
    "tensorflow.signal.fft3d": [parts("{f}(z)", 2, 3, 2), parts("{f}(z)", 2, 2, 2, 3)],
    "tensorflow.signal.ifft3d": [parts("{f}(z)", 2, 3, 2)],
    "tensorflow.signal.rfft": [
        spectrum("{f}(x)", 6),
        spectrum("{f}(x)", 2, 5),
        spectrum("{f}(x, [4])", 6, is_taped=False),
        spectrum("{f}(x, fft_length=[9])", 2, 6),
        sample("tf.math.imag({f}(x))", x=array(5)),
    ],
    "tensorflow.signal.irfft": [
        back("{f}(z)", 4),
        back("{f}(z)", 2, 4),
        back("{f}(z, [5])", 2, 4, is_taped=False),
        back("{f}(z, fft_length=[9])", 4),
        back("{f}(z, [4])", 6, is_taped=False),
    ],
    "tensorflow.signal.rfft2d": [
        spectrum("{f}(x)", 3, 6),
        spectrum("{f}(x)", 2, 4, 5),
        spectrum("{f}(x, [2, 4])", 3, 6, is_taped=False),
        spectrum("{f}(x, fft_length=[5, 7])", 3, 6),
    ],
    "tensorflow.signal.irfft2d": [
        back("{f}(z)", 3, 4),
        back("{f}(z)", 2, 4, 3),
        back("{f}(z, [3, 5])", 3, 4, is_taped=False),
        back("{f}(z, fft_length=[4, 8])", 3, 4),
        back("{f}(z, [2, 3])", 3, 4, is_taped=False),
    ],
    "tensorflow.signal.rfft3d": [
        spectrum("{f}(x)", 2, 3, 4, is_taped=False),
        spectrum("{f}(x, [2, 4, 3])", 2, 2, 3, 4, is_taped=False),
    ],
    "tensorflow.signal.irfft3d": [
        back("{f}(z)", 2, 3, 3, is_taped=False),
        back("{f}(z, [3, 2, 5])", 2, 3, 3, is_taped=False),
    ],
    "tensorflow.signal.frame": [
        sample("{f}(x, 4, 2)", x=array(10)),
        sample("{f}(x, 3, 2, True)", x=array(2, 8)),
        sample("{f}(x, 3, 2, pad_end=True, pad_value=2.0)", x=array(8)),
        sample("{f}(x, frame_length=2, frame_step=3, axis=0)", x=array(7, 2)),
        sample("{f}(x, 2, 3, True, 0, 0)", x=array(7, 2)),
    ],
    "tensorflow.signal.overlap_and_add": [
        sample("{f}(x, 2)", x=array(3, 4)),
        sample("{f}(x, frame_step=3)", x=array(2, 3, 4)),
        sample("{f}(x, 4)", x=array(3, 4)),
    ],
    "tensorflow.signal.stft": [
        spectrum("{f}(x, 6, 3)", 20),
        spectrum("{f}(x, frame_length=4, frame_step=3, fft_length=8)", 2, 16),
        spectrum("{f}(x, 6, 2, 4)", 12, is_taped=False),
        spectrum("{f}(x, 4, 2, window_fn=None)", 9),
        spectrum("{f}(x, 4, 2, window_fn=tf.signal.hamming_window, pad_end=True)", 9),
    ],
    "tensorflow.signal.inverse_stft": [
        back("{f}(z, 6, 3)", 4, 5),
        back("{f}(z, 4, 2, 8)", 2, 3, 5),
        back("{f}(z, frame_length=10, frame_step=4, fft_length=8)", 3, 5),
        back("{f}(z, 8, 4, window_fn=None)", 3, 5),
        back("{f}(z, 8, 4, window_fn=tf.signal.inverse_stft_window_fn(4))", 3, 5),
    ],
    "tensorflow.signal.mfccs_from_log_mel_spectrograms": [
        sample("{f}(x)", x=array(6)),
        sample("{f}(x)", x=array(2, 3, 5)),
    ],
    "tensorflow.signal.dct": [
        sample("{f}(x)", x=array(4)),
        sample("{f}(x)", x=array(2, 5)),
        sample("{f}(x, norm='ortho')", x=array(4)),
        sample("{f}(x, type=2, norm='ortho')", x=array(2, 5)),
    ],
    "tensorflow.signal.idct": [
        sample("{f}(x)", x=array(4)),
        sample("{f}(x)", x=array(2, 5)),
        sample("{f}(x, norm='ortho')", x=array(4)),
        sample("{f}(x, norm='ortho')", x=array(2, 5)),
    ],
}

"""Programs on tensors as people write them, for `test_programs.py`; read by the engine as text."""

import numpy as np
import tensorflow
import tensorflow as tf
import tensorflow.math as tm
from tensorflow import nn
from tensorflow import reduce_sum as total
from tensorflow.linalg import norm
from tensorflow.nn import relu


def layer(x, w, b):
    return tf.tanh(x @ w + b)


def network(params, x):
    h = x
    for w, b in params:
        h = layer(h, w, b)
    return tf.reduce_sum(tf.square(h))


def of_dictionary(p, x):
    h = x @ p["w"] + p["b"]
    return tf.reduce_sum(h * h)


def neighbours(x):
    s = 0.0
    for i in range(3):
        s = s + x[i] * x[i + 1] ** 2
    return s


def parts_and_whole(x):
    y = x[1:]
    z = x * 2.0
    return tf.reduce_sum(y * y) + tf.reduce_sum(z * z * z)


def whole_and_parts(x):
    z = x * 2.0
    y = z[1:] * z[:-1]
    return tf.reduce_sum(y * y) + z[0] * tf.reduce_sum(z * x)


def branches(x):
    if tf.reduce_sum(x) > 0:
        return tf.reduce_sum(x * x)
    return tf.reduce_sum(tf.sin(x))


def until_small(x):
    n = 0
    while tf.reduce_sum(x * x) > 0.1 and n < 5:
        x = x * 0.5 + 0.01 * tf.sin(x)
        n += 1
    return tf.reduce_sum(x)


def with_arrays(x):
    c = np.array([1.0, 2.0, 3.0, 4.0])
    return tf.reduce_sum(x * c) + tf.reduce_sum(c * x * x)


@tf.function
def compiled(x):
    return tf.sin(x) * x


@tf.function(jit_compile=True)
def compiled_with_xla(x):
    return tf.sin(x) * x


def of_compiled(x):
    return tf.reduce_sum(compiled(x) * compiled_with_xla(x))


def listed(x):
    out = []
    for i in range(4):
        out.append(tf.sin(x[i]))
    return tf.add(out[0], out[1]) * out[3]


def powers(x, p):
    return tf.reduce_sum(abs(x) ** p / (1.0 + x * x) + x % 0.7 - -x)


def literal_powers(x):
    return tf.reduce_sum(x**3 + x**2.0 + 2.0**x + x**-1 + x**0)


def indices(x):
    y = x[:, 1] * x[0, 2] - x[..., -1] + x[None][0][:, 0] * x[::-1, ::2][:, 1]
    return tf.reduce_sum(y * y)


def with_numbers(x, a):
    return tf.reduce_sum(x * a + a * a * x)


def unpacked(x):
    a, b, c, d = x
    return a * b + tf.sin(c) * d


def comprehension(x):
    return sum([tf.sin(x[i]) * x[i] for i in range(4)])


def products(x, w):
    h = x @ w
    return tf.reduce_sum(h @ w[None] * tf.sin(x[:, None] @ w))


def power(x, n):
    return x if n == 1 else x * power(x, n - 1)


def recursive(x):
    return tf.reduce_sum(power(x, 3))


def of_array(x):
    return np.sum(x * x)


square_of = tf.square


def named_in_many_ways(x):
    y = relu(x) * nn.tanh(x) + tm.exp(x) * tensorflow.sin(x)
    return total(square_of(y)) + norm(x)


PADDING = "SAME"


def said_by_name(x, w):
    h = tf.concat(axis=0, values=[x, tf.tanh(x=w[0], name="bent")], name="both")
    h = tf.nn.conv1d(h[None, :, None], w[:, :, None], 1, PADDING, name="convolved")
    return tf.reduce_sum(axis=None, input_tensor=tf.square(h), name="total")


def beside_a_list(x):
    shift = [[0.0], [5.0]]
    return tf.reduce_sum(tf.tanh(x + shift))


def power_of(y):
    x = tf.constant([0.5, 2.0, 0.0, -3.0], tf.float64)
    return tf.reduce_sum(x ** (2.0 * y))


def of_lists(x):
    highest = tf.maximum([x[0], x[1]], [0.5, x[2]])
    return tf.reduce_sum(highest * tf.square([x[1], x[3]]))


def residual(x):
    h = x
    for _ in range(3):
        h += tf.tanh(h)
    return tf.reduce_sum(h * x)


def bound_together(x):
    height = speed = total = tf.zeros_like(x)
    last = x[-1]
    last -= 0.5
    speed += x * last
    height += speed
    total += height * speed
    return tf.reduce_sum(total * x)


FACTOR = np.arange(6.0).reshape(2, 3)


def beside_arrays(x, b):
    h = tf.sin(FACTOR @ x) + tf.cos(tf.matmul(FACTOR[:1], x) + b)
    return tf.reduce_sum(h[:, :2] @ FACTOR) + tf.reduce_sum(tf.matmul(FACTOR, x) * b)


def beside_lists_of_constants(x):
    first, row = [tf.constant(2.0, tf.float64)], [tf.constant([1.0, 2.0, 3.0], tf.float64)]
    shifted = tf.concat([first, x[:-1]], axis=0)
    rows = tf.concat([row, x[None, 1:]], axis=0)
    return tf.reduce_sum(shifted * shifted * x) + tf.reduce_sum(rows[0] * rows[1] ** 2)

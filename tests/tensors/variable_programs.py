"""Programs that set variables, place operations, drop units or have gradients of their own."""

import tensorflow as tf


def accumulated(x):
    s = tf.Variable(0.0, dtype=tf.float64)
    for i in range(3):
        s.assign_add(tf.reduce_sum(x) * i)
    return s * s * tf.reduce_sum(x)


def set_twice(x):
    s = tf.Variable(tf.zeros(3, tf.float64))
    s.assign(x * x)
    y = s * x
    s.assign(tf.sin(x))
    s.assign_sub(y)
    return tf.reduce_sum(s * y)


def iterated(x):
    s = tf.Variable(x)
    for k in range(4):
        y = s * s
        s.assign(tf.sin(y) + x)
        if k > 1:
            s.assign_add(s * 0.5)
    return tf.reduce_sum(s)


def of_two_names(x):
    s = tf.Variable(tf.zeros(3, tf.float64))
    h = s
    s.assign(x * x)
    return tf.reduce_sum(h * x)


def of_parts(x):
    s = tf.Variable(tf.zeros(3, tf.float64))
    s.assign(x)
    tail = s[1:]
    first = s[0]
    s.assign(x * x)
    return tf.reduce_sum(tail * x[1:]) + first * x[1] + s[2]


def store(v, x):
    v.assign(x)


def of_callee(x):
    s = tf.Variable(tf.zeros(3, tf.float64))
    store(s, x * x)
    y = s.value() * x
    store(s, y)
    return tf.reduce_sum(s * x) + tf.reduce_sum(y)


def of_caller(x, v):
    y = x * v
    v.assign(2.0 * v)
    y = y * v
    v.assign_add(tf.ones_like(v))
    return tf.reduce_sum(y * v)


def read_after(x, v):
    v.assign(2.0 * v)
    return tf.reduce_sum(x * v)


def moving_average(x, state):
    mean = tf.reduce_mean(x)
    state["mean"].assign(0.9 * state["mean"] + 0.1 * tf.stop_gradient(mean))
    return tf.reduce_sum(tf.square(x - mean) * state["mean"])


GLOBAL = tf.Variable(2.0, dtype=tf.float64)


def of_module(x):
    y = x * GLOBAL
    GLOBAL.assign(2.0)
    return tf.reduce_sum(y * y)


def dropped(x):
    h = tf.nn.dropout(x, 0.4) * 2.0
    return tf.reduce_sum(tf.nn.dropout(h, 0.3))


def some_dropped(x):
    return tf.reduce_sum(tf.nn.dropout(x, 0.5, noise_shape=(1,)) * x)


def halved(x):
    return tf.nn.dropout(x, 0.5)


@tf.custom_gradient
def log1pexp(x):
    """Without overflow in the gradient."""
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


@tf.custom_gradient
def clipped(x):
    y = tf.identity(x)

    def grad(dy):
        return tf.clip_by_value(dy * y, -0.1, 0.1)

    return y, grad


@tf.custom_gradient
def doubled(x, y):
    x = tf.convert_to_tensor(x)
    z = x * y

    def grad(dz):
        a = 2.0 * dz
        return a * y, a * x

    return z, grad


def of_own_gradients(x):
    return tf.reduce_sum(log1pexp(3.0 * x) * x + doubled(x, tf.sin(x)))


def of_clipped(x):
    return tf.reduce_sum(clipped(x * x) * x)


def placed(x):
    with tf.device("/GPU:0"):
        h = tf.sin(x)
        with tf.device("/CPU:0"):
            h = tf.exp(h)
    return tf.reduce_sum(tf.tanh(h))


def best(x):
    found = tf.math.top_k(x, 2)
    return tf.reduce_sum(found.values * found.values) + tf.math.top_k(-x, 1).values[0]

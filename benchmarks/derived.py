"""Programs of some length, which are derived to see how long that takes."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import numbers

ROWS, COLUMNS = 12, 14


def bend(w, x, b):
    """A function of three lines, without this one."""
    r = np.tanh(w * x + b)
    return np.sum(r * r)


def ascent(thrust, drag, mass, burned, n_steps):
    """A rocket rises against gravity and air, by Heun's rule: a function of 30 lines."""
    height = 0.0
    speed = 0.0
    left = mass
    step = 0.1
    worst = 0.0
    for i in range(n_steps):
        density = 1.2 * np.exp(-height / 8500.0)
        push = thrust[i] if left > 0.3 * mass else 0.0
        air = drag * density * speed * np.abs(speed)
        rise = (push - air) / left - 9.81
        ahead = height + step * speed
        faster = speed + step * rise
        lighter = left - step * burned * push
        density_ahead = 1.2 * np.exp(-ahead / 8500.0)
        air_ahead = drag * density_ahead * faster * np.abs(faster)
        rise_ahead = (push - air_ahead) / lighter - 9.81
        height = height + step * 0.5 * (speed + faster)
        speed = speed + step * 0.5 * (rise + rise_ahead)
        left = lighter
        pressure = 0.5 * density_ahead * speed**2
        if pressure > worst:
            worst = pressure
    roughness = 0.0
    for i in range(1, n_steps):
        change = thrust[i] - thrust[i - 1]
        roughness += change * change
    spent = np.sum(thrust) * step
    return height - 1e-3 * worst - 1e-2 * roughness - 1e-3 * spent


def basin(h, u, v, bed, friction, wind, n_steps):
    """Shallow water in a basin: a solver of 150 lines, by two steps of Runge and Kutta.

    Fluxes are those of Rusanov, between states that are rebuilt from limited slopes.
    """
    gravity = 9.81
    dx = 1.0 / COLUMNS
    dy = 1.0 / ROWS
    dt = 0.002
    mass = h.copy()
    along = h * u
    across = h * v
    energy = 0.0
    highest = np.zeros(n_steps)
    for step in range(n_steps):
        mass_before = mass
        along_before = along
        across_before = across
        for stage in range(2):
            # The basin has walls: what is around it mirrors what is in it.
            water = np.zeros((ROWS + 4, COLUMNS + 4))
            water[2:-2, 2:-2] = mass
            water[2:-2, 1] = mass[:, 0]
            water[2:-2, 0] = mass[:, 1]
            water[2:-2, -2] = mass[:, -1]
            water[2:-2, -1] = mass[:, -2]
            water[1, :] = water[2, :]
            water[0, :] = water[3, :]
            water[-2, :] = water[-3, :]
            water[-1, :] = water[-4, :]
            east = np.zeros((ROWS + 4, COLUMNS + 4))
            east[2:-2, 2:-2] = along / mass
            east[2:-2, 1] = -east[2:-2, 2]
            east[2:-2, 0] = -east[2:-2, 3]
            east[2:-2, -2] = -east[2:-2, -3]
            east[2:-2, -1] = -east[2:-2, -4]
            east[1, :] = east[2, :]
            east[0, :] = east[3, :]
            east[-2, :] = east[-3, :]
            east[-1, :] = east[-4, :]
            north = np.zeros((ROWS + 4, COLUMNS + 4))
            north[2:-2, 2:-2] = across / mass
            north[2:-2, 1] = north[2:-2, 2]
            north[2:-2, 0] = north[2:-2, 3]
            north[2:-2, -2] = north[2:-2, -3]
            north[2:-2, -1] = north[2:-2, -4]
            north[1, :] = -north[2, :]
            north[0, :] = -north[3, :]
            north[-2, :] = -north[-3, :]
            north[-1, :] = -north[-4, :]

            # Along the rows: slopes, then the states to the left and to the right of each face.
            left = water[2:-2, 1:-1] - water[2:-2, :-2]
            right = water[2:-2, 2:] - water[2:-2, 1:-1]
            slope = np.where(left * right > 0.0, np.minimum(np.abs(left), np.abs(right)), 0.0)
            slope = slope * np.sign(left)
            water_left = water[2:-2, 1:-2] + 0.5 * slope[:, :-1]
            water_right = water[2:-2, 2:-1] - 0.5 * slope[:, 1:]
            left = east[2:-2, 1:-1] - east[2:-2, :-2]
            right = east[2:-2, 2:] - east[2:-2, 1:-1]
            slope = np.where(left * right > 0.0, np.minimum(np.abs(left), np.abs(right)), 0.0)
            slope = slope * np.sign(left)
            east_left = east[2:-2, 1:-2] + 0.5 * slope[:, :-1]
            east_right = east[2:-2, 2:-1] - 0.5 * slope[:, 1:]
            left = north[2:-2, 1:-1] - north[2:-2, :-2]
            right = north[2:-2, 2:] - north[2:-2, 1:-1]
            slope = np.where(left * right > 0.0, np.minimum(np.abs(left), np.abs(right)), 0.0)
            slope = slope * np.sign(left)
            north_left = north[2:-2, 1:-2] + 0.5 * slope[:, :-1]
            north_right = north[2:-2, 2:-1] - 0.5 * slope[:, 1:]

            # What flows through each face, and what smooths it: the fastest wave.
            flow_left = water_left * east_left
            flow_right = water_right * east_right
            wave_left = np.abs(east_left) + np.sqrt(gravity * water_left)
            wave_right = np.abs(east_right) + np.sqrt(gravity * water_right)
            fastest = np.maximum(wave_left, wave_right)
            push_left = flow_left * east_left + 0.5 * gravity * water_left**2
            push_right = flow_right * east_right + 0.5 * gravity * water_right**2
            mass_x = 0.5 * (flow_left + flow_right)
            mass_x = mass_x - 0.5 * fastest * (water_right - water_left)
            along_x = 0.5 * (push_left + push_right)
            along_x = along_x - 0.5 * fastest * (flow_right - flow_left)
            across_x = 0.5 * (flow_left * north_left + flow_right * north_right)
            jump = water_right * north_right - water_left * north_left
            across_x = across_x - 0.5 * fastest * jump

            # The same along the columns.
            below = water[1:-1, 2:-2] - water[:-2, 2:-2]
            above = water[2:, 2:-2] - water[1:-1, 2:-2]
            slope = np.where(below * above > 0.0, np.minimum(np.abs(below), np.abs(above)), 0.0)
            slope = slope * np.sign(below)
            water_below = water[1:-2, 2:-2] + 0.5 * slope[:-1, :]
            water_above = water[2:-1, 2:-2] - 0.5 * slope[1:, :]
            below = east[1:-1, 2:-2] - east[:-2, 2:-2]
            above = east[2:, 2:-2] - east[1:-1, 2:-2]
            slope = np.where(below * above > 0.0, np.minimum(np.abs(below), np.abs(above)), 0.0)
            slope = slope * np.sign(below)
            east_below = east[1:-2, 2:-2] + 0.5 * slope[:-1, :]
            east_above = east[2:-1, 2:-2] - 0.5 * slope[1:, :]
            below = north[1:-1, 2:-2] - north[:-2, 2:-2]
            above = north[2:, 2:-2] - north[1:-1, 2:-2]
            slope = np.where(below * above > 0.0, np.minimum(np.abs(below), np.abs(above)), 0.0)
            slope = slope * np.sign(below)
            north_below = north[1:-2, 2:-2] + 0.5 * slope[:-1, :]
            north_above = north[2:-1, 2:-2] - 0.5 * slope[1:, :]
            flow_below = water_below * north_below
            flow_above = water_above * north_above
            wave_below = np.abs(north_below) + np.sqrt(gravity * water_below)
            wave_above = np.abs(north_above) + np.sqrt(gravity * water_above)
            fastest = np.maximum(wave_below, wave_above)
            push_below = flow_below * north_below + 0.5 * gravity * water_below**2
            push_above = flow_above * north_above + 0.5 * gravity * water_above**2
            mass_y = 0.5 * (flow_below + flow_above)
            mass_y = mass_y - 0.5 * fastest * (water_above - water_below)
            across_y = 0.5 * (push_below + push_above)
            across_y = across_y - 0.5 * fastest * (flow_above - flow_below)
            along_y = 0.5 * (flow_below * east_below + flow_above * east_above)
            jump = water_above * east_above - water_below * east_below
            along_y = along_y - 0.5 * fastest * jump

            # What the bed, the wind and the ground do to the water.
            bed_x = np.zeros((ROWS, COLUMNS))
            bed_x[:, 1:-1] = (bed[:, 2:] - bed[:, :-2]) / (2.0 * dx)
            bed_y = np.zeros((ROWS, COLUMNS))
            bed_y[1:-1, :] = (bed[2:, :] - bed[:-2, :]) / (2.0 * dy)
            speed = np.sqrt(along**2 + across**2 + 1e-8) / mass
            rub = friction * speed / mass
            source_x = wind[0] - gravity * mass * bed_x - rub * along
            source_y = wind[1] - gravity * mass * bed_y - rub * across
            gained = (mass_x[:, 1:] - mass_x[:, :-1]) / dx
            gained = gained + (mass_y[1:, :] - mass_y[:-1, :]) / dy
            pushed_x = (along_x[:, 1:] - along_x[:, :-1]) / dx
            pushed_x = pushed_x + (along_y[1:, :] - along_y[:-1, :]) / dy
            pushed_y = (across_x[:, 1:] - across_x[:, :-1]) / dx
            pushed_y = pushed_y + (across_y[1:, :] - across_y[:-1, :]) / dy
            mass_next = mass - dt * gained
            along_next = along - dt * (pushed_x - source_x)
            across_next = across - dt * (pushed_y - source_y)
            if stage == 0:
                mass, along, across = mass_next, along_next, across_next
            else:
                mass = 0.5 * (mass_before + mass_next)
                along = 0.5 * (along_before + along_next)
                across = 0.5 * (across_before + across_next)
        highest[step] = np.max(mass + bed)
        moving = 0.5 * (along**2 + across**2) / mass
        lying = 0.5 * gravity * mass**2 + gravity * mass * bed
        energy = energy + np.mean(moving + lying) * dt
    return energy + np.sum(highest) / n_steps


def of_bend():
    """Arguments for `bend`."""
    return numbers(3), numbers(3, seed=1), numbers(3, seed=2)


def of_ascent():
    """Arguments for `ascent`."""
    return (numbers(20, low=30.0, high=40.0), 0.02, 2.0, 0.002, 20)


def of_basin():
    """Arguments for `basin`."""
    shape = ROWS, COLUMNS
    return (
        numbers(*shape, low=0.9, high=1.1),
        numbers(*shape, seed=1) * 0.1,
        numbers(*shape, seed=2) * 0.1,
        numbers(*shape, seed=3) * 0.1,
        0.02,
        numbers(2, seed=4) * 0.01,
        3,
    )


WRT = {
    bend: ("w", "x", "b"),
    ascent: ("thrust", "drag", "mass", "burned"),
    basin: ("h", "u", "v", "bed", "friction", "wind"),
}

GIVEN = {bend: of_bend, ascent: of_ascent, basin: of_basin}

/** How plots look: colors, what axes tell, and what is near to the mouse. */

import type uPlot from "uplot";

/** So many pixels are near. */
export const NEAR = 24;
const MOST_LABELS = 6;

/** The color of a variable, the same wherever it is shown. */
export function colorOf(id: number): string {
  return `hsl(${(id * 137.5) % 360}, 65%, 55%)`;
}

/** Where a line has its next value to a place, if that is not far. */
export function near(plot: uPlot, series: number, at: number): number | null {
  const values = plot.data[series] ?? [];
  const reach = Math.ceil((NEAR * plot.data[0].length) / plot.over.clientWidth);
  for (let far = 0; far <= reach; far++) {
    const found = [at - far, at + far].find((each) => values[each] != null);
    if (found !== undefined) {
      return found;
    }
  }
  return null;
}

/** Of what an axis could tell, some powers of ten: labels must not lie on each other. */
export function powers(_: uPlot, all: number[]): (number | null)[] {
  const exponents = all.map((each) => Math.round(Math.log10(each) * 1e6) / 1e6);
  const whole = exponents.filter(Number.isInteger);
  const every = Math.max(1, Math.ceil((Math.max(...whole) - Math.min(...whole)) / MOST_LABELS));
  return all.map((each, at) => (exponents[at]! % every === 0 ? each : null));
}

/** What an axis says of a number. */
export function told(value: number | null): string {
  return value === null ? "" : value.toExponential(0);
}

/** A color of the editor's theme. */
export function style(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name) || "gray";
}

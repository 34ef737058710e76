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

/** What a logarithmic axis tells between two numbers: powers of ten, or others where these are few. */
export function norms(least: number, greatest: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(greatest))];
  const every = Math.max(1, Math.ceil((last - first) / MOST_LABELS));
  const decades = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const isInside = (each: number) => least <= each && each <= greatest;
  const power = (exponent: number) => Number(`1e${exponent}`);
  const powers = decades.filter((each) => each % every === 0).map(power).filter(isInside);
  if (powers.length > 1) {
    return powers;
  }
  const others = decades.flatMap((each) => [1, 2, 5].map((digit) => digit * power(each)));
  const found = others.filter(isInside);
  return found.length > 1 ? found : [least, greatest];
}

/** What an axis says of a number. */
export function told(value: number): string {
  return Number(value.toPrecision(2)).toExponential();
}

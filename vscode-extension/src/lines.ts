/**
 * Which lines belong together: the map between a derivative and its primal, read in both ways.
 *
 * Nothing here knows VS Code. Lines count from 0 here, as the editor counts them.
 */

/** One line of a derivative as the server sends it; `line` counts from 1, the range from 0. */
export interface MappedLine {
  line: number;
  role: string;
  primal: { uri: string; range: LineRange };
}

/** The part of a protocol range that matters here. */
export interface LineRange {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

/** The lines of the derivative that come from one line of the primal. */
export function derivativeLines(map: readonly MappedLine[], uri: string, line: number): number[] {
  const hits = map.filter((each) => each.primal.uri === uri && covers(each.primal.range, line));
  const smallest = Math.min(...hits.map((each) => height(each.primal.range)));
  return hits.filter((each) => height(each.primal.range) === smallest).map((each) => each.line - 1);
}

/** Those of them that belong to the backward sweep. */
export function backwardLines(map: readonly MappedLine[], uri: string, line: number): number[] {
  return derivativeLines(
    map.filter((each) => ["adjoint", "restore", "inserted"].includes(each.role)),
    uri,
    line,
  );
}

/** Where one line of the derivative comes from. */
export function primalPlace(
  map: readonly MappedLine[],
  line: number,
): MappedLine["primal"] | undefined {
  return map.find((each) => each.line - 1 === line)?.primal;
}

/** The name of the top-level function that a line of a Python text lies in. */
export function functionAt(text: string, line: number): string | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  while (lines[line]?.startsWith("@")) {
    line++; // a decorator belongs to what follows
  }
  for (let at = Math.min(line, lines.length - 1); at >= 0; at--) {
    const current = lines[at] ?? "";
    const definition = /^(?:async\s+)?def\s+(\w+)/.exec(current);
    if (definition) {
      return definition[1];
    }
    if (/^[^\s#)\]}@]/.test(current)) {
      return undefined; // a statement of the module
    }
  }
  return undefined;
}

function covers(range: LineRange, line: number): boolean {
  return range.start.line <= line && line <= range.end.line;
}

function height(range: LineRange): number {
  return range.end.line - range.start.line;
}

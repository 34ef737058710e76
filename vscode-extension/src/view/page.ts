/** The elements of the page, and its table. */

import { colorOf } from "./axes";
import type { Series, Shown } from "./series";

/** Makes an element at the end of another one. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  parent: HTMLElement,
  className = "",
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  parent.append(made);
  return made;
}

/** What a row of the table does. */
export interface Actions {
  focus(id: number | undefined): void;
  click(id: number): void;
}

const HEADS = ["variable", "line", "last norm", "least", "greatest", "max", "bad"];

/** So many columns are words, at the left; the others are numbers. */
const N_WORDS = 2;

/** Shows some variables of a run. */
export function table(parent: HTMLElement, run: Shown, shown: Series[], actions: Actions): void {
  const made = document.createElement("table");
  const head = element("tr", element("thead", made));
  HEADS.forEach((text, at) => element("th", head, at < N_WORDS ? "" : "number", text));
  const body = element("tbody", made);
  for (const { id, last, least, greatest, max, bad } of shown) {
    const { variable, path, line, derivative } = run.variables.get(id)!;
    const row = element("tr", body, bad ? "bad" : "");
    const name = element("td", row, "name", variable);
    name.style.borderLeftColor = colorOf(id);
    element("td", row, "", `${path.split(/[\\/]/).at(-1)}:${line}`);
    [last, least, greatest, max].forEach((each) => element("td", row, "number", brief(each)));
    element("td", row, "number", String(bad));
    row.title = `${derivative}\n${path}:${line}`;
    row.onmouseenter = () => actions.focus(id);
    row.onmouseleave = () => actions.focus(undefined);
    row.onclick = () => actions.click(id);
  }
  const { scrollTop } = parent;
  parent.replaceChildren(made);
  parent.scrollTop = scrollTop;
}

function brief(value: number): string {
  if (!Number.isFinite(value)) {
    return "—";
  }
  return value === 0 ? "0" : value.toPrecision(3);
}

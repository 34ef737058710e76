/**
 * The stages of a function on its way to its derivative, and the addresses of live documents.
 *
 * Nothing here knows VS Code. A test compares the stages with those of the server.
 */

/** The scheme of live documents, which is also their language. */
export const SCHEME = "adlsp-derivative";

/** The stages in order: their names, as the server knows them, and what each shows. */
export const STAGES = {
  ir: "the intermediate form of the function, as it is lowered",
  canonical: "the same after what people write in many ways is written in one",
  facts: "the same, ready to be reversed, with what the analyses say at the right",
  raw: "the derivative as it is first written",
  optimized: "the derivative as it runs",
} as const;

export type Stage = keyof typeof STAGES;

/** Path and query of the document that shows a function of a file at a stage. */
export function documentAddress(
  target: { uri: string; function: string },
  stage: Stage = "optimized",
): { path: string; query: string } {
  const query = new URLSearchParams({ uri: target.uri, function: target.function });
  if (stage === "optimized") {
    return { path: `/${target.function}_adjoint.py`, query: query.toString() };
  }
  query.set("stage", stage);
  return { path: `/${target.function}.${stage}`, query: query.toString() };
}

/** The evaluator of expressions: typed code becomes closures over values, rows and a data port. */

export type { Evaluate } from "./compile.ts";
export { compile, SEEN } from "./compile.ts";
export { normalNumber } from "./equality.ts";
export { EvaluationFault, GapFault } from "./fault.ts";
export { compareTexts, orderOf } from "./order.ts";
export type { Digest, Layout, Row, Source, Value } from "./values.ts";

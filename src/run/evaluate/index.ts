/** The evaluator of expressions: typed code becomes closures over values, rows and a data port. */

export type { Evaluate } from "./compile.ts";
export { compile } from "./compile.ts";
export { equalityOf, normalNumber } from "./equality.ts";
export type { FaultCode } from "./fault.ts";
export { EvaluationFault, GapFault } from "./fault.ts";
export { formatDecimal, roundedQuotient } from "./numbers.ts";
export { compareTexts, orderOf } from "./order.ts";
export type { Layout, Row, Source, Value } from "./values.ts";

/** The door of `run`: a plan becomes a program, which a host runs on sessions of a store. */

export { Chooser } from "./chance/chooser.ts";
export { EvaluationFault, GapFault } from "./evaluate/fault.ts";
export type { Digest } from "./evaluate/values.ts";
export { countedUntil } from "./limits/ahead.ts";
export { Pruner } from "./limits/prune.ts";
export type * from "./ports/index.ts";
export { compile } from "./program/program.ts";
export { StartRowFault } from "./program/start.ts";
export { compileRule, constant } from "./read/expression.ts";
export { FailureCollector } from "./read/failure-collector.ts";
export type { InputReader } from "./read/inputs.ts";
export { compileInputs } from "./read/inputs.ts";
export type { Names } from "./read/names.ts";
export { namesOf } from "./read/names.ts";
export { wholeMatcher } from "./read/rules.ts";
export { scalarReader } from "./read/scalar.ts";
export { compileValue } from "./read/value.ts";
export { partsOfFile, readFile } from "./wire/file.ts";
export type { Json } from "./wire/json.ts";
export { isJsonNumber, isJsonObject } from "./wire/json.ts";
export { bodyFormat, parseMediaType } from "./wire/media.ts";
export { nameAt } from "./wire/nested.ts";
export { decodeUtf8, parseJson } from "./wire/parse.ts";
export { readCookies, readPairs } from "./wire/query.ts";
export { writeTimestamp } from "./wire/time.ts";
export { writeJson } from "./wire/write.ts";
export { Wrong } from "./wire/wrong.ts";

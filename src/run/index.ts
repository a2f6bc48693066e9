/** The door of `run`: a plan becomes a program, which a host runs on sessions of a store. */

export { Chooser } from "./chance/chooser.ts";
export { Pruner } from "./limits/prune.ts";
export type * from "./ports/index.ts";
export { compile } from "./program/program.ts";
export { StartRowFault } from "./program/start.ts";
export { compileRule } from "./read/expression.ts";
export type { InputReader } from "./read/inputs.ts";
export { compileInputs } from "./read/inputs.ts";
export type { Names, RawRequest } from "./read/names.ts";
export { keyField, namesOf } from "./read/names.ts";
export type { ScalarReader } from "./read/scalar.ts";
export { scalarReader } from "./read/scalar.ts";
export type { Surroundings } from "./read/sink.ts";
export { FailureCollector } from "./read/sink.ts";
export { compileValue } from "./read/value.ts";
export type { Writer } from "./show/scalar.ts";
export { compileWriter, writeScalar, writingGap } from "./show/scalar.ts";
export { partsOfFile } from "./wire/file.ts";
export type { Json, JsonObject, Parsed, Repeated } from "./wire/json.ts";
export { DEPTH_MAX, isJsonNumber, isJsonObject } from "./wire/json.ts";
export { bodyFormat, parseMediaType } from "./wire/media.ts";
export { decodeUtf8, parseJson } from "./wire/parse.ts";
export { percentDecode, readCookies, readPairs } from "./wire/query.ts";
export { writeJson, writeString } from "./wire/write.ts";
export { Wrong } from "./wire/wrong.ts";
export { withStreams } from "./work/streams.ts";

/** The door of `wire`: reading inputs from messages and writing values into them. */
export { compileInputs } from "./inputs.ts";
export type { InputReader, RawRequest } from "./inputs.ts";
export { DEPTH_MAX, isJsonNumber, isJsonObject } from "./json.ts";
export type { Json, JsonObject, Parsed, Repeated } from "./json.ts";
export { decodeUtf8, parseJson } from "./parse.ts";
export { percentDecode, readCookies, readPairs } from "./query.ts";
export { scalarReader } from "./scalar.ts";
export type { ScalarReader } from "./scalar.ts";
export { compileWriter, writeScalar, writingGap } from "./scalar-write.ts";
export type { Writer } from "./scalar-write.ts";
export { compileRule } from "./expression.ts";
export { Sink } from "./sink.ts";
export type { Surroundings } from "./sink.ts";
export { keyField, namesOf } from "./types.ts";
export type { Names } from "./types.ts";
export { compileValue } from "./value.ts";
export { Wrong } from "./wrong.ts";
export { writeJson, writeString } from "./write.ts";

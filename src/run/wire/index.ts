/** The door of `wire`: reading inputs from messages and writing values into them. */

export { compileRule } from "./expression.ts";
export { partsOfFile } from "./file.ts";
export type { InputReader } from "./inputs.ts";
export { compileInputs } from "./inputs.ts";
export type { Json, JsonObject, Parsed, Repeated } from "./json.ts";
export { DEPTH_MAX, isJsonNumber, isJsonObject } from "./json.ts";
export { bodyFormat, parseMediaType } from "./media.ts";
export { decodeUtf8, parseJson } from "./parse.ts";
export { percentDecode, readCookies, readPairs } from "./query.ts";
export type { ScalarReader } from "./scalar.ts";
export { scalarReader } from "./scalar.ts";
export type { Writer } from "./scalar-write.ts";
export { compileWriter, writeScalar, writingGap } from "./scalar-write.ts";
export type { Surroundings } from "./sink.ts";
export { Sink } from "./sink.ts";
export type { Names, RawRequest } from "./types.ts";
export { keyField, namesOf } from "./types.ts";
export { compileValue } from "./value.ts";
export { writeJson, writeString } from "./write.ts";
export { Wrong } from "./wrong.ts";

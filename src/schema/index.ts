/** The door of `schema`: JSON Schema 2020-12, its texts judged and values judged by them. */
export { judgeSchemas, type SchemaProblem } from "./judge.ts";
export { isPattern } from "./pattern.ts";
export { type ReadJson, readJson } from "./read.ts";
export { Schemas } from "./schemas.ts";
export type { TextForm } from "./text-form.ts";
export type { Tree } from "./tree.ts";
export { textOf as jsonText } from "./write.ts";

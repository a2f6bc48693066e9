/** The door of `openapi`: files in OpenAPI, Swagger and AsyncAPI in, what they state out. */
export { type Area, type Comparison, compare, type FileChange } from "./compare/index.ts";
export { type Description, describe, type Load, type Source } from "./model/index.ts";
export { type Cause, type Survey, survey, surveyPages } from "./survey/index.ts";
export { type Place, type Problem, Unreadable } from "./tree/index.ts";
export { documentOf as writtenDocument, plainRoot } from "./write/index.ts";

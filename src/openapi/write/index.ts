/** The door of `write`: a description as a document of nine parts. */
export { documentOf } from "./document.ts";
export { plainRoot } from "./root.ts";

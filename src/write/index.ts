/** The door of `write`: the normal form of a document, blank documents, mends of what is silent. */
export { blankDocument } from "./blank.ts";
export { format } from "./format.ts";
export { withMends, withMissingParts } from "./mend.ts";
export { sameStatements } from "./same.ts";
export { displayWidth, pointWidth } from "./width.ts";

/** The door of `write`: the normal form of a document, blank documents, mends of what is silent. */
export { blankDocument, blankPart, gapSentence } from "./blank.ts";
export { format } from "./format.ts";
export { lineEndOf } from "./lines.ts";
export { withMends, withMissingParts } from "./mend.ts";
export { sameStatements } from "./same.ts";
export { displayWidth, pointWidth } from "./width.ts";

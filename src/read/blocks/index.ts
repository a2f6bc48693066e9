/** The door of the block reader: bytes to text, text to blocks, inlines to tokens. */

export type { BlockCode } from "./codes.ts";
export { blockCodes } from "./codes.ts";
export { decode } from "./decode.ts";
export { readBlocks } from "./reader.ts";
export { tokens } from "./tokens.ts";
export type {
  Block,
  Bullet,
  CodeToken,
  Fence,
  Heading,
  Inline,
  Paragraph,
  Row,
  Step,
  Table,
  Token,
} from "./types.ts";

/** The door of the block reader: bytes to text, text to blocks, inlines to tokens. */

export type { BlockCode, BlockCodeEntry } from "./codes.ts";
export { blockCodes } from "./codes.ts";
export { blankSpans } from "./cover.ts";
export { decode } from "./decode.ts";
export { inspectInline } from "./inspect.ts";
export { readBlocks } from "./reader.ts";
export { sourceOffset, tokens } from "./tokens.ts";
export type {
  Block,
  Bullet,
  CodeToken,
  Fence,
  Heading,
  Html,
  Inline,
  Item,
  Other,
  Paragraph,
  PlainToken,
  Quote,
  Row,
  Step,
  Table,
  Token,
} from "./types.ts";

/** The door of `read`: bytes in, a specification and findings out; total, never throws. */
import type { Finding } from "../base/index.ts";
import type { Spec } from "../spec/index.ts";
import { decode, readBlocks } from "./blocks/index.ts";
import { readDocument } from "./document/document.ts";

export type {
  Block,
  Bullet,
  CodeToken,
  Fence,
  Heading,
  Inline,
  Paragraph,
  Step,
  Table,
} from "./blocks/index.ts";
export { blockCodes, decode, readBlocks, tokens } from "./blocks/index.ts";

export interface Reading {
  readonly spec: Spec;
  readonly findings: readonly Finding[];
}

/** Reads a document (UTF-8 Markdown in the nine-part notation). Any bytes give a reading. */
export function read(bytes: Uint8Array): Reading {
  const decoded = decode(bytes);
  const read = readBlocks(decoded.text);
  const findings = [...decoded.findings, ...read.findings];
  const context = { text: decoded.text, findings, ids: new Map(), known: new Map() };
  const spec = readDocument(context, read.blocks);
  return { spec, findings };
}

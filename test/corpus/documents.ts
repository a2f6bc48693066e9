/** The documents of the corpus: right ones as they stand, and wrong ones made of them by one edit. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type CheckedSpec, check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import type { Wrong } from "./wrong/wrong.ts";

/** Stands in the corpus for a byte that is no UTF-8. */
const NOT_UTF8 = "\uF8FF";

function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, "utf8");
  const mark = Buffer.from(NOT_UTF8, "utf8");
  const at = bytes.indexOf(mark);
  if (at < 0) return bytes;
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([0xff]),
    bytes.subarray(at + mark.length),
  ]);
}

type Told = Pick<CheckedSpec, "findings" | "text">;

const told = new Map<string, Told>();

/** What `check` says of a text of the corpus; with `review` questions of judgement, too. */
export function checked(text: string, review = false): Told {
  const key = `${review} ${text}`;
  const known = told.get(key);
  if (known !== undefined) return known;
  const { findings, text: seen } = check(read(bytesOf(text)), undefined, { review });
  const fresh = { findings, text: seen };
  told.set(key, fresh);
  return fresh;
}

const bases = new Map<string, string>();

/** The text of a right document, line ends as on disk. */
export function baseText(name: string): string {
  const known = bases.get(name);
  if (known !== undefined) return known;
  const files = [`right/${name}.md`, `../long/${name}.md`, `../../examples/${name}/spec.md`];
  const found = files.map((file) => new URL(file, import.meta.url)).find(existsSync);
  assert.ok(found, name);
  const text = readFileSync(found, "utf8");
  bases.set(name, text);
  return text;
}

/** Where the passage stands, which stands there exactly once. */
export function once(text: string, passage: string): number {
  const at = text.indexOf(passage);
  assert.ok(at >= 0, `stands nowhere: ${passage}`);
  assert.equal(text.indexOf(passage, at + 1), -1, `stands twice: ${passage}`);
  return at;
}

/** A passage without the marks of where its finding is expected. */
export function unmarked(text: string): string {
  return text.replace("«", "").replace("»", "");
}

/** The wrong document. */
export function textOf(wrong: Wrong): string {
  const before = baseText(wrong.base);
  const at = once(before, wrong.find);
  return before.slice(0, at) + unmarked(wrong.put) + before.slice(at + wrong.find.length);
}

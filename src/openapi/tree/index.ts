/** The door of `tree`: bytes of a JSON or YAML file to nodes with places. */
import { readJson } from "./json.ts";
import type { Node } from "./node.ts";
import { Unreadable } from "./problem.ts";
import { readYaml } from "./yaml.ts";

export { type ProblemCode, problemPages } from "./codes.ts";
export {
  ListNode,
  listAt,
  MapNode,
  type Node,
  type Place,
  ScalarNode,
  textAt,
  valueAt,
} from "./node.ts";
export type { Problem } from "./problem.ts";
export { Unreadable } from "./problem.ts";
export { plainText } from "./prose.ts";

const REPLACED = "\ufffd";

/** Where the first bytes stand that are no UTF-8, as an offset in the text with those replaced. */
function firstWrong(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes);
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const encoder = new TextEncoder();
  let [at, offset, from] = [-1, isMarked ? 3 : 0, 0];
  for (;;) {
    at = text.indexOf(REPLACED, at + 1);
    if (at < 0) return 0;
    offset += encoder.encode(text.slice(from, at)).length;
    // The character itself may stand there.
    const isOwn =
      bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (!isOwn) return at;
    from = at;
  }
}

/** The text of a file: UTF-8, with or without a byte-order mark; throws `Unreadable`. */
export function textOf(file: number, bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const isNull = !isWide && bytes.subarray(0, 4).includes(0);
  try {
    if (!isWide && !isNull) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Told below.
  }
  const start = isWide || isNull ? 0 : firstWrong(bytes);
  throw new Unreadable({
    code: "unreadable",
    message: `The file is ${isWide ? "UTF-16" : isNull ? "UTF-16, or no text" : "not UTF-8"}.`,
    hint: "Save it as UTF-8.",
    place: { file, start, end: start + 1 },
  });
}

/**
 * Reads one file: as JSON where its first character is `{` or `[`, else as YAML. Throws
 * `Unreadable`.
 */
export function readTree(file: number, text: string): Node {
  return /^\s*[{[]/.test(text.slice(0, 4096)) ? readJson(file, text) : readYaml(file, text);
}

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

/** The text of a file: UTF-8, with or without a byte-order mark; throws `Unreadable`. */
export function textOf(file: number, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable({
      code: "unreadable",
      message: "The file is not UTF-8.",
      place: { file, start: 0, end: 1 },
    });
  }
}

/**
 * Reads one file: as JSON where its first character is `{` or `[`, else as YAML. Throws
 * `Unreadable`.
 */
export function readTree(file: number, text: string): Node {
  return /^\s*[{[]/.test(text.slice(0, 4096)) ? readJson(file, text) : readYaml(file, text);
}

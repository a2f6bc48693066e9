/** A configuration file: JSON, in which comments and trailing commas may stand. */
import type { Node } from "jsonc-parser";
import { lineTable, positionOf } from "../base/index.ts";
import { readInput } from "./files.ts";
import type { Io } from "./io.ts";

/** A member of the file: the names that lead to it, where it stands, and its value. */
export interface Member {
  readonly path: readonly string[];
  /** `file:line:column` of its name. */
  readonly place: string;
  readonly value: unknown;
}

/** What a configuration file says. */
export interface Configured {
  readonly members: readonly Member[];
}

/** Reads a configuration file; texts tell what is wrong, each with its line and column. */
export async function readConfig(io: Io, file: string): Promise<Configured | readonly string[]> {
  const input = await readInput(io, file);
  return typeof input === "string"
    ? [input]
    : configOf(file, new TextDecoder().decode(input.bytes));
}

/** What the text of a configuration file says, or what is wrong with it. */
export async function configOf(
  file: string,
  text: string,
): Promise<Configured | readonly string[]> {
  const { parseTree, getNodeValue, printParseErrorCode } = await import("jsonc-parser");
  const table = lineTable(text);
  const placeAt = (offset: number): string => {
    const { line, column } = positionOf(table, offset);
    return `${file}:${line}:${column}`;
  };
  const errors: { error: number; offset: number; length: number }[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const what = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
    return [`${placeAt(first.offset)}: this is no JSON: ${what.toLowerCase()}`];
  }
  if (tree?.type !== "object") return [`${placeAt(tree?.offset ?? 0)}: this is no JSON object`];
  const wrong: string[] = [];
  const members: Member[] = [];
  const walk = (node: Node, before: readonly string[]): void => {
    const seen = new Set<string>();
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) continue;
      const name = String(key.value);
      const path = [...before, name];
      const place = placeAt(key.offset);
      if (seen.has(name)) wrong.push(`${place}: \`${name}\` stands here a second time`);
      seen.add(name);
      const isWhole = value.type !== "object" || value.children?.length === 0;
      if (!isWhole && before.length === 0) walk(value, path);
      else members.push({ path, place, value: getNodeValue(value) });
    }
  };
  walk(tree, []);
  return wrong.length > 0 ? wrong : { members };
}

/** Compares an answer with the one that an example states; keeps what placeholders stand for. */

import { quotedPlaceholders } from "../../spec/index.ts";

/** A JSON value whose numbers are kept as written. */
type Tree = null | boolean | string | NumberText | Tree[] | { [name: string]: Tree };

interface NumberText {
  readonly number: string;
}

export type Kept = Map<string, string>;

const WHOLE = /^\{\{([A-Za-z][A-Za-z0-9_]*|\*)\}\}$/;
const ANY = /\{\{([A-Za-z][A-Za-z0-9_]*)\}\}/g;

/** The text with what earlier answers kept in place of `{{name}}`. */
export function filled(text: string, kept: Kept): string {
  return text.replaceAll(ANY, (hit, name: string) => kept.get(name) ?? hit);
}

function treeOf(text: string): Tree {
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" ? { number: context?.source ?? String(value) } : value;
  return JSON.parse(
    quotedPlaceholders(text),
    revive as (key: string, value: unknown) => unknown,
  ) as Tree;
}

function isNumber(tree: Tree): tree is { number: string } {
  return (
    typeof tree === "object" &&
    tree !== null &&
    !Array.isArray(tree) &&
    Object.keys(tree).join() === "number" &&
    typeof (tree as { number: unknown }).number === "string"
  );
}

/** JSON text with numbers as they were sent. */
function textOf(tree: Tree): string {
  if (isNumber(tree)) return tree.number;
  if (Array.isArray(tree)) return `[${tree.map(textOf).join(",")}]`;
  if (typeof tree !== "object" || tree === null) return JSON.stringify(tree);
  const members = Object.entries(tree).map(
    ([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`,
  );
  return `{${members.join(",")}}`;
}

const plain = (tree: Tree): string => (typeof tree === "string" ? tree : textOf(tree));

/** The text as a pattern: placeholders not yet kept stand for any text, and keep it. */
function matchText(wanted: string, got: string, kept: Kept): boolean {
  const names: string[] = [];
  const pattern = filled(wanted, kept)
    .split(ANY)
    .map((piece, i) => {
      if (i % 2 === 0)
        return piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("\\{\\{\\*\\}\\}", ".*");
      names.push(piece);
      return "(.+?)";
    })
    .join("");
  const hit = new RegExp(`^${pattern}$`, "s").exec(got);
  names.forEach((name, i) => {
    if (hit !== null) kept.set(name, hit[i + 1] as string);
  });
  return hit !== null;
}

/** Where the two differ, or undefined. Order of members is judged too. */
function differs(wanted: Tree, got: Tree, path: string, kept: Kept): string | undefined {
  if (typeof wanted === "string") {
    const whole = WHOLE.exec(wanted);
    if (whole?.[1] === "*") return undefined;
    if (whole !== null && !kept.has(whole[1] as string)) {
      kept.set(whole[1] as string, plain(got));
      return undefined;
    }
    // A number or a whole value that was kept is looked for as it was sent.
    const isSame = whole !== null && kept.get(whole[1] as string) === plain(got);
    return isSame || (typeof got === "string" && matchText(wanted, got, kept))
      ? undefined
      : `${path}: ${plain(got)} instead of ${filled(wanted, kept)}`;
  }
  if (wanted === null || typeof wanted !== "object" || isNumber(wanted)) {
    return plain(wanted) === plain(got)
      ? undefined
      : `${path}: ${plain(got)} instead of ${plain(wanted)}`;
  }
  if (got === null || typeof got !== "object" || Array.isArray(wanted) !== Array.isArray(got)) {
    return `${path}: ${plain(got)} instead of ${plain(wanted)}`;
  }
  const [names, others] = [Object.keys(wanted), Object.keys(got)];
  if (names.join() !== others.join()) return `${path}: has [${others}] instead of [${names}]`;
  for (const name of names) {
    const inner = differs(
      (wanted as Record<string, Tree>)[name] as Tree,
      (got as Record<string, Tree>)[name] as Tree,
      `${path}.${name}`,
      kept,
    );
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Where a body differs from the one that an example states. */
export function bodyDiffers(wanted: string, got: string, kept: Kept): string | undefined {
  try {
    return differs(treeOf(wanted), treeOf(got), "body", kept);
  } catch {
    // A block has no line ends of its own: those of the body are read as its.
    const text = got.replaceAll("\r\n", "\n");
    return matchText(wanted, text, kept) ? undefined : `body: ${got} instead of ${wanted}`;
  }
}

/** Whether a header's value is the one stated. */
export function headerFits(wanted: string, got: string | null, kept: Kept): boolean {
  return got !== null && matchText(wanted, got, kept);
}

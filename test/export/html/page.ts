/** A page of HTML as the tests read it: its tags in order, its texts, its places and links. */
import assert from "node:assert/strict";

export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The text inside, without tags. */
  readonly text: string;
}

const VOID = new Set(["meta", "link", "img", "input", "br", "hr", "base", "wbr"]);
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

const unescaped = (text: string): string =>
  text.replaceAll(/&([a-z]+|#39);/g, (whole, name: string) => NAMED[name] ?? whole);

/** All elements of a page; fails where a tag is not closed by its own end. */
export function tagsOf(html: string): Tag[] {
  const found: { name: string; attributes: Map<string, string>; pieces: string[] }[] = [];
  const open: typeof found = [];
  const body = html
    .replace(/^<!doctype html>\n/, "")
    .replace(/(<style>)[\s\S]*?(<\/style>)/, "$1$2")
    .replace(/(<script>)[\s\S]*?(<\/script>)/, "$1$2");
  for (const [whole, end, name = "", rest = "", text] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*\/?>|([^<]+)|</g,
  )) {
    if (whole === "<") assert.fail(`a sign of a tag that is none: ${body.slice(0, 80)}`);
    if (text !== undefined) for (const one of open) one.pieces.push(text);
    else if (end === "/") assert.equal(open.pop()?.name, name, `</${name}>`);
    else {
      const attributes = new Map(
        [...rest.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [
          key,
          unescaped(value),
        ]),
      );
      const tag = { name, attributes, pieces: [] };
      found.push(tag);
      if (!VOID.has(name) && !whole.endsWith("/>")) open.push(tag);
    }
  }
  assert.deepEqual(
    open.map(({ name }) => name),
    [],
    "tags that are left open",
  );
  return found.map(({ name, attributes, pieces }) => {
    return { name, attributes, text: unescaped(pieces.join("")).replaceAll(/\s+/g, " ").trim() };
  });
}

/** What a page says: all of its text but script and styles. */
export function textOf(html: string): string {
  return tagsOf(html).find(({ name }) => name === "body")?.text ?? "";
}

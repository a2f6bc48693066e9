/** A strict reader of the XML that reports are written in: elements, attributes, texts. */
import assert from "node:assert/strict";

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** What stands directly inside. */
  text: string;
}

const SIGNS: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

function decoded(text: string): string {
  assert.doesNotMatch(text, /[<>]/, "no sign that belongs to a tag");
  return text.replaceAll(/&(?:#(\d+)|(\w+));?/g, (whole, code?: string, name?: string) => {
    const sign = code === undefined ? SIGNS[name ?? ""] : String.fromCodePoint(Number(code));
    assert.ok(sign !== undefined && whole.endsWith(";"), `entity ${whole}`);
    return sign;
  });
}

/** All elements in their order; asserts that the document is well formed (XML 1.0). */
export function elementsOf(xml: string): readonly Element[] {
  assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u);
  const [head, ...pieces] = xml.split("<");
  assert.equal(head, "");
  assert.match(pieces.shift() ?? "", /^\?xml version="1\.0" encoding="UTF-8"\?>\s*$/);
  const found: Element[] = [];
  const open: Element[] = [];
  for (const piece of pieces) {
    const [, tag = "", text = ""] = /^([^>]*)>([^>]*)$/.exec(piece) ?? assert.fail(piece);
    if (tag.startsWith("/")) assert.equal(open.pop()?.name, tag.slice(1));
    else {
      const [, name = "", rest = "", end] =
        /^(\w+)((?: [\w-]+="[^"]*")*)(\/?)$/.exec(tag) ?? assert.fail(tag);
      const pairs = [...rest.matchAll(/ ([\w-]+)="([^"]*)"/g)];
      const attributes = new Map(pairs.map(([, key = "", value = ""]) => [key, decoded(value)]));
      assert.equal(attributes.size, pairs.length, "each attribute once");
      const element = { name, attributes, text: "" };
      found.push(element);
      if (end === "") open.push(element);
    }
    const around = open.at(-1);
    if (around === undefined) assert.equal(text.trim(), "");
    else around.text += decoded(text);
  }
  assert.deepEqual(open, [], "all are closed");
  return found;
}

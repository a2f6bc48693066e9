/** The page without a browser: whole, joined by its own links, escaped, with the counts of check. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { exporters } from "../../../src/export/index.ts";
import { exportableOf } from "../exported.ts";
import { documents, HOSTILE } from "./documents.ts";
import { type Tag, tagsOf, textOf } from "./page.ts";

const pages = documents.map((file) => ({ file, from: exportableOf(file) }));

function pageOf(from: ReturnType<typeof exportableOf>): string {
  const html = exporters["html"]?.(from, { openapi: "3.1" });
  assert.ok(html !== undefined);
  return html;
}

const plain = (markdown: string): string =>
  markdown.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();

function judgeLinks(tags: readonly Tag[]): void {
  const ids = tags.flatMap(({ attributes }) => attributes.get("id") ?? []);
  const known = new Set(ids);
  assert.equal(known.size, ids.length, "each id stands once");
  for (const { attributes } of tags) {
    for (const name of ["aria-labelledby", "aria-controls", "for"]) {
      for (const id of attributes.get(name)?.split(" ") ?? []) assert.ok(known.has(id), id);
    }
    const to = attributes.get("href");
    if (to === undefined) continue;
    if (to.startsWith("#")) assert.ok(known.has(to.slice(1)), `${to} leads to a place`);
    else assert.match(to, /^(https?:\/\/|mailto:)/);
  }
}

function judgeHeadings(tags: readonly Tag[]): void {
  const levels = tags.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
  assert.equal(levels[0], 1);
  assert.equal(levels.filter((level) => level === 1).length, 1, "one heading of the page");
  for (const [i, level] of levels.entries()) {
    assert.ok(
      i === 0 || level <= (levels[i - 1] ?? 0) + 1,
      `no level is left out before h${level}`,
    );
  }
}

for (const { file, from } of pages) {
  const name = basename(dirname(file));
  const html = pageOf(from);
  const tags = tagsOf(html);
  const { checked, plan, spec } = from;

  test(`${name}: ids are unique, links lead to places, headings are in order`, () => {
    judgeLinks(tags);
    judgeHeadings(tags);
  });

  test(`${name}: nothing is asked of a network`, () => {
    for (const { name: tag, attributes } of tags) {
      assert.ok(!["link", "img", "iframe", "object", "base", "form"].includes(tag), tag);
      for (const key of ["src", "srcset", "action", "style"]) assert.ok(!attributes.has(key), key);
      for (const key of attributes.keys()) assert.ok(!key.startsWith("on"), key);
    }
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
    assert.doesNotMatch(style, /url\(|@import/);
  });

  test(`${name}: every heading, line of text and code of the document stands in the page`, () => {
    const text = textOf(html);
    const tight = text.replaceAll(/\s+/g, "");
    const lines = spec.text.split(/\r\n|\r|\n/);
    for (const line of lines) {
      if (/^#+ /.test(line)) {
        const words = plain(line.replace(/^#+ /, ""));
        assert.ok(text.includes(words), words);
      }
      // What of a line is neither a mark of Markdown nor laid out anew.
      for (const [, code = ""] of line.matchAll(/(?<!`)`([^`|\\]+)`(?!`)/g)) {
        assert.ok(tight.includes(code.replaceAll(/\s+/g, "")), `${line}: ${code}`);
      }
    }
    for (const part of spec.parts) {
      for (const { sentences, prose } of part.sections) {
        for (const { sentence } of sentences) {
          for (const word of plain(sentence).split(/\W+/)) assert.ok(text.includes(word), word);
        }
        for (const one of prose) assert.ok(text.includes(plain(one.text)), one.text);
      }
    }
  });

  test(`${name}: open questions are counted as check counts them, and marked`, () => {
    const { notShown, silent } = checked.counts;
    const marks = tags.filter(({ attributes }) => /^gap-\d+$/.test(attributes.get("id") ?? ""));
    assert.equal(marks.length, notShown + silent);
    const counts = tags.find(({ attributes }) => attributes.get("id") === "counts")?.text;
    assert.match(counts ?? "", new RegExp(`\\b${notShown} not shown .* ${silent} not answered`));
    const open = notShown + silent;
    const list = html.includes('id="open-questions"');
    assert.equal(list, open > 0);
    if (open > 0) assert.match(textOf(html), new RegExp(`\\b${open} open question`));
  });

  test(`${name}: endpoints, resources, states and errors have places, items their lines`, () => {
    const ids = new Set(tags.flatMap(({ attributes }) => attributes.get("id") ?? []));
    const slug = (text: string): string =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z0-9_.]+/g, "-")
        .replaceAll(/^-+|-+$/g, "");
    for (const { id } of [...plan.endpoints, ...plan.resources]) {
      assert.ok(ids.has(slug(id).slice(0, 80)), id);
    }
    for (const { name: error } of plan.errors) assert.ok(ids.has(slug(`error-${error}`)), error);
    for (const { states, resource } of plan.machines) {
      for (const one of states) assert.ok(ids.has(slug(`state-${resource}-${one.name}`)), one.name);
    }
    const items = [...plan.endpoints, ...plan.resources, ...plan.errors, ...plan.limits];
    for (const { id } of items) assert.ok(ids.has(`L${from.lineOf(id)}`), id);
  });

  test(`${name}: each endpoint has its answers in the order of its checks`, () => {
    const panels = tags.filter(({ attributes }) => attributes.get("class") === "checks");
    assert.equal(panels.length, plan.endpoints.length);
  });
}

test("hostile text is shown, and does nothing", () => {
  const html = pageOf(exportableOf("hostile.md", Buffer.from(HOSTILE)));
  const tags = tagsOf(html);
  judgeLinks(tags);
  judgeHeadings(tags);
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.equal(html.match(/<style/g)?.length, 1);
  assert.equal(html.match(/<\/script/g)?.length, 1);
  assert.doesNotMatch(html, /<img|<iframe|<!--|\u202e/);
  const web = tags.flatMap(({ attributes }) => attributes.get("href") ?? []);
  const outside = web.filter((one) => !one.startsWith("#"));
  assert.deepEqual(outside, [], "a target with a quote in it is no link");
  const text = textOf(html);
  for (let i = 1; i <= 12; i++) assert.ok(text.includes(`alert(${i})`), `alert(${i})`);
});

test("the policy of the page names the hashes of its script and styles", () => {
  const html = pageOf(exportableOf("blank.md", readFileSync(documents[0] ?? "")));
  const hash = (text = ""): string => createHash("sha256").update(text).digest("base64");
  const script = hash(/<script>([\s\S]*?)<\/script>/.exec(html)?.[1]);
  const style = hash(/<style>([\s\S]*?)<\/style>/.exec(html)?.[1]);
  const says = "src/export/html/policy.ts names another hash; write this one there:";
  assert.ok(html.includes(`script-src 'sha256-${script}'`), `${says} SCRIPT_HASH = "${script}"`);
  assert.ok(html.includes(`style-src 'sha256-${style}'`), `${says} STYLE_HASH = "${style}"`);
});

test("a page that is long has few elements, and draws what is in view", () => {
  const line = `  "properties": { "a": { "$ref": "#/$defs/B" } }`;
  const member = `  "x-text": ${JSON.stringify("words ".repeat(170_000))},`;
  const blocks = ["A", "B"].map((name) =>
    [`### \`${name}\`, a schema`, "", "```json schema", "{", member, line, "}", "```"].join("\n"),
  );
  const spec = readFileSync(documents[0] ?? "", "utf8");
  const head = "## States and transitions";
  const text = spec.replace(head, () => `${blocks.join("\n\n")}\n\n${head}`);
  const short = pageOf(exportableOf("a.md", Buffer.from(text.replaceAll(member, ""))));
  const long = pageOf(exportableOf("a.md", Buffer.from(text)));
  const link = '<a class="ref" href="#resources-schema-b">';
  assert.ok(short.includes(`${link}<span class="s">`));
  assert.ok(short.includes('<main id="main" tabindex'));
  assert.ok(long.includes(`${link}&quot;#/$defs/B&quot;</a>`));
  assert.ok(long.includes('<main id="main" class="large"'));
});

test("a document of 2,000 lines makes a page below 1.5 MB", () => {
  const file = documents.find((one) => one.includes("/stripe/")) ?? "";
  const html = pageOf(exportableOf(file));
  const lines = readFileSync(file, "utf8").split("\n").length;
  const { length } = Buffer.from(html);
  const fixed = Buffer.byteLength(pageOf(exportableOf(documents[0] ?? "")));
  assert.ok(fixed < 400_000);
  assert.ok((length / lines) * 2000 < 1_500_000, `${length} bytes of ${lines} lines`);
});

/** Headings that may not stand where they do: what the finding advises takes the finding away. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { headings, parts, tables } from "../../src/language/index.ts";
import { base, checked } from "./sample.ts";

/** Words that people put over what the notation gives no heading: titles of tables, facets. */
const WORDS = [
  ...new Set([
    ...tables.flatMap(({ columns }) => columns.slice(0, 1).map(({ title }) => title)),
    ...parts.flatMap(({ title, facets }) => [title, ...facets.map(({ name }) => name)]),
  ]),
]
  .filter((word) => /^[A-Za-z ]+$/.test(word))
  .flatMap((word) => (word.includes(" ") ? [word] : [`${word}s`]));

const told = (text: string) =>
  checked(text).findings.filter(
    ({ code }) => code === "unknown-heading" || code === "bad-endpoint",
  );

const headed = (part: string, heading: string): string =>
  base.replace(`## ${part}\n`, `## ${part}\n\n### ${heading}\n`);

/** What the advice makes of the heading: others that may stand there instead of it, or none. */
function followed(part: string, heading: string, hint: string): readonly string[] {
  if (hint.includes("ake this one away") || hint.includes("Take it away")) {
    assert.ok(hint.includes(`\`## ${part}\``), hint);
    return [base];
  }
  const elsewhere = /^It stands in: (.*), as in: (.*)\. Move it there\.$/.exec(hint);
  if (elsewhere !== null) {
    const [, where = "", example = ""] = elsewhere;
    const titles = [...where.matchAll(/`## ([^`]*)`/g)].map(([, title = ""]) => title);
    assert.ok(titles.length > 0 && !titles.includes(part), hint);
    return titles.map((title) => headed(title, example));
  }
  const spans = /^Put .* into (?:a|one) code span: (`.*`)$/.exec(hint)?.[1]?.split(", ");
  if (spans !== undefined) {
    return [
      headed(
        part,
        spans.reduce((all, one) => all.replace(one.slice(1, -1), one), heading),
      ),
    ];
  }
  const shown = /(?:Write it as in|Known): (.*)$/.exec(hint)?.[1] ?? "";
  return shown.split(" · ").map((one) => headed(part, one));
}

for (const { title: part } of parts) {
  test(`a heading that may not stand in ${part}: what is advised takes it away`, () => {
    const ofAll = headings.map(({ example }) => example);
    const spelt = [...WORDS, ...ofAll, ...ofAll.map((one) => one.replaceAll("`", "")), "`Word`"];
    let tried = 0;
    for (const heading of spelt) {
      const [first, ...more] = told(headed(part, heading));
      if (first?.code !== "unknown-heading") continue;
      tried++;
      assert.deepEqual(more, [], heading);
      assert.ok(first.hint !== undefined, `${heading}: no advice`);
      for (const mended of followed(part, heading, first.hint)) {
        assert.deepEqual(
          told(mended).map(({ message, hint }) => `${message} ${hint}`),
          [],
          `${heading}: ${first.hint}`,
        );
      }
    }
    assert.ok(tried > 5, `${tried}`);
  });
}

/** What holds below a path is the same as what stands at each endpoint there, for every bullet. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { differences } from "../../scripts/same-plan/differences.ts";
import { withGroups } from "../../src/check/resolve/endpoints/groups.ts";
import { compile, read } from "../../src/index.ts";
import { bullets, tables } from "../../src/language/index.ts";

const root = join(import.meta.dirname, "../..");
const HEADING = /^### `[A-Z]+ (\/[^`]*)`/;
const GROUPED: ReadonlySet<string> = new Set(
  bullets
    .filter((one) => one.in.includes("group"))
    .map(({ form }) => form.slice(0, form.indexOf(":")).split(" {", 1)[0] as string),
);

const compiled = (text: string): ReturnType<typeof compile> =>
  compile(new TextEncoder().encode(text));

/** A section of an endpoint: its heading, and the pieces of its text between blank lines. */
interface Section {
  readonly path: string;
  readonly heading: string;
  readonly pieces: readonly string[];
  /** Its examples. */
  readonly rest: string;
}

function sectionOf(text: string): Section | undefined {
  const fence = text.search(/^```/m);
  const [said, rest] = fence < 0 ? [text, ""] : [text.slice(0, fence), text.slice(fence)];
  const [heading = "", ...lines] = said.split("\n");
  const path = HEADING.exec(heading)?.[1];
  if (path === undefined) return undefined;
  return { path, heading, pieces: lines.join("\n").trim().split(/\n\n+/), rest };
}

const keyOf = (line: string): string =>
  /^- (Path|Header)? ?/.exec(line)?.[1] ?? line.slice(2).split(":", 1)[0] ?? "";

/** What of a piece may stand in a group, and what must stay. */
function divided(piece: string): readonly [group: string, own: string] {
  if (/^\| (Input|Failure) /.test(piece)) return [piece, ""];
  const lines = piece.split(/\n(?=- )/);
  const moves = (line: string): boolean => line.startsWith("- ") && GROUPED.has(keyOf(line));
  return [lines.filter(moves).join("\n"), lines.filter((one) => !moves(one)).join("\n")];
}

/** The endpoint with all that may hold below its path under a heading of that path. */
function grouped({ path, heading, pieces, rest }: Section): { group: string; own: string } {
  const both = pieces.map(divided);
  const joined = (at: 0 | 1): string =>
    both
      .map((one) => one[at])
      .filter(Boolean)
      .join("\n\n");
  return {
    group: `### Every endpoint below \`${path}\`\n\n${joined(0)}`,
    own: `${heading}\n\n${joined(1)}\n\n${rest}`,
  };
}

/** The document in which each endpoint that has no other below it has a group of its own. */
function rewritten(text: string): { text: string; moved: string } {
  const pieces = text.split(/^(?=##? |### )/m);
  const sections = pieces.map(sectionOf);
  const paths = pieces.flatMap((one) => HEADING.exec(one)?.[1]?.replaceAll(/\{\w+\}/g, "{}") ?? []);
  const moved: string[] = [];
  const made = pieces.map((piece, at) => {
    const section = sections[at];
    const form = section?.path.replaceAll(/\{\w+\}/g, "{}");
    const below = paths.filter((one) => `${one}/`.startsWith(`${form}/`));
    if (section === undefined || below.length > 1) return piece;
    const { group, own } = grouped(section);
    moved.push(group);
    // The group may stand behind what it holds for.
    return at % 2 === 0 ? `${group}\n\n${own}\n\n` : `${own}\n\n${group}\n\n`;
  });
  return { text: made.join(""), moved: moved.join("\n") };
}

const items = readdirSync(join(root, "test/served/items"))
  .map((name) => join(root, "test/served/items", name))
  .concat(join(root, "examples/orders/spec.md"), join(root, "test/unseen/booking.md"));

test("whatever may hold below a path means there what it means at the endpoint", () => {
  let moved = "";
  for (const file of items) {
    const text = readFileSync(file, "utf8");
    const other = rewritten(text);
    const [before, now] = [compiled(text), compiled(other.text)];
    const broken = now.checked.findings.filter(({ severity }) => severity === "error");
    assert.ok(
      before.planned && now.planned,
      `${file} ${JSON.stringify(broken.slice(0, 2))}\n${other.text}`,
    );
    const found = differences(before.planned.plan, now.planned.plan).filter(
      ({ path }) => !/gap/i.test(path),
    );
    assert.deepEqual(found.slice(0, 2), [], `${file}\n${other.text}`);
    const codes = (one: typeof before): readonly string[] =>
      one.checked.findings
        .map(({ code }) => code)
        .filter((code) => code !== "gap")
        .sort();
    assert.deepEqual(codes(now), codes(before), `${file}\n${other.text}`);
    moved += other.moved;
  }
  for (const key of GROUPED) assert.ok(moved.includes(`- ${key}`), `no document moves ${key}`);
  for (const title of ["Input", "Failure"]) assert.ok(moved.includes(`| ${title} `), title);
  const grouping = tables.filter((one) => one.in.includes("group")).map(({ id }) => id);
  assert.deepEqual(grouping.sort(), ["failures", "inputs"]);
});

const item = readFileSync(join(root, "test/served/items/groups.md"), "utf8");
const HEAD = "### Every endpoint below `/boxes/{box}`\n";

/** What is wrong, and the findings that it earns beside notes. */
const WRONG: readonly (readonly [what: string, text: string, codes: readonly string[]])[] = [
  ["nothing", item, []],
  [
    "no path",
    item.replace(HEAD, `### Every endpoint below \`boxes/\`\n\n${HEAD}`),
    ["bad-endpoint"],
  ],
  [
    "no endpoint",
    item.replace(HEAD, `### Every endpoint below \`/box\`\n\n${HEAD}`),
    ["never-used"],
  ],
  ["a path twice", item.replace(HEAD, `${HEAD}\n${HEAD}`), ["second-name"]],
  [
    "an answer",
    item.replace("1. Require `!box.shut`, else `shut`.", "1. Respond `204` with no body."),
    ["unreachable-step", "no-respond-here", "example-status", "never-sent"],
  ],
  [
    "a name that no endpoint has, told once",
    item.replace("`!box.shut`", "`!bag.shut`"),
    ["unknown-name"],
  ],
  [
    "an input that no endpoint reads",
    item.replace("!has(query.short) || size", "size"),
    ["input-unused"],
  ],
  [
    "a body",
    item.replace("- Path `box`: `box`, the", "- Body: new `Box`\n- Path `box`: `box`, the"),
    ["unknown-bullet"],
  ],
];

for (const [what, text, codes] of WRONG) {
  test(`a group with ${what}`, () => {
    const { findings } = compiled(text).checked;
    const found = findings.filter(({ severity }) => severity === "error" || severity === "warning");
    assert.deepEqual([...new Set(found.map(({ code }) => code))], codes);
    if (what.endsWith("once")) assert.equal(found.length, 1);
  });
}

test("what groups write out has a bound, however many endpoints there are", () => {
  const step = "1. Require `true`, else `gone`.\n";
  const group = `### Every endpoint below \`/\`\n\n${step.repeat(1_000)}\n`;
  const endpoints = Array.from({ length: 102 }, (_, at) => `### \`GET /${at}\`\n\n${step}\n`);
  const text = `# T\n\n## Endpoints\n\n${group}${endpoints.join("")}`;
  const { spec, beyond } = withGroups(read(new TextEncoder().encode(text)).spec);
  const sections = spec.parts.flatMap((part) => part.sections);
  const counts = sections.map(({ steps }) => steps.length).filter((count) => count > 1);
  assert.deepEqual(
    counts,
    Array.from({ length: 100 }, () => 1_001),
  );
  assert.match(beyond?.id ?? "", /GET \/100$/);
});

/** A form that says shorter what another says: both documents state the same plan. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { differences } from "../../scripts/same-plan/differences.ts";
import { compile } from "../../src/index.ts";

const root = join(import.meta.dirname, "../..");

/** The services of `examples` and `test/unseen`, said at length. */
const long = readdirSync(join(root, "test/long"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -".md".length));

function textAt(name: string): string {
  return readFileSync(join(root, "test/long", `${name}.md`), "utf8");
}

function planOf(text: string): unknown {
  const { planned } = compile(new TextEncoder().encode(text));
  assert.ok(planned, "no plan");
  return planned.plan;
}

interface Shorter {
  readonly what: string;
  readonly document: string;
  /** Passages, and what says the same in their place. */
  readonly edits: readonly (readonly [find: string | RegExp, put: string])[];
}

const VALUES = /^\| [a-z ]+ \| `invalid` on its name \|\n/gm;

const pairs: readonly Shorter[] = [
  {
    what: "a row for a class of failures, and one for all others",
    document: "todo",
    edits: [
      [VALUES, ""],
      [
        "| body absent | `invalid` |\n",
        "| every other failure of a value | `invalid` on its name |\n",
      ],
      ["| body not expected | `invalid` |\n", "| every other failure | `invalid` |\n"],
      ["| malformed body | `invalid` |\n", ""],
      ["| no member given | `invalid` |\n", ""],
      ["| malformed query | `invalid` |\n", ""],
    ],
  },
  {
    what: "several checks in one step",
    document: "todo",
    edits: [
      [
        "1. Check the limits.\n2. Check the inputs.\n3. Check the paths.\n",
        "1. Check the limits, the inputs and the paths.\n",
      ],
    ],
  },
  {
    what: "a named value, with one that it uses",
    document: "conduit",
    edits: [
      [
        "### `OneUser`, a shape",
        "### `follow`, a value\n\n- Given `who`: `User`\n- Given `whom`: `User`\n" +
          "- Is: `follows.exists(f, from(f, who) && f.followed == whom)`\n\n" +
          "### `from`, a value\n\n- Given `f`: `Follow`\n- Given `who`: `User`\n" +
          "- Is: `f.follower == who`\n\n### `OneUser`, a shape",
      ],
      [
        "caller != null && follows.exists(f, f.follower == caller && f.followed == it)",
        "caller != null && follow(caller, it)",
      ],
      [
        "follows.exists(f, f.follower == caller && f.followed == it.author)",
        "follow(caller, it.author)",
      ],
    ],
  },
];

for (const { what, document, edits } of pairs) {
  test(`${document}: ${what}`, () => {
    const before = textAt(document);
    let text = before;
    for (const [find, put] of edits) {
      const next = text.replace(find, put);
      assert.notEqual(next, text, String(find));
      text = next;
    }
    assert.notEqual(text, before);
    assert.deepEqual(differences(planOf(before), planOf(text)).slice(0, 3), []);
  });
}

const ALONE = /`(\w+)` = `\1`(?=[.,]| and `\w+` = )/g;
const MEMBERS = /`(\w+)` = `(\w+)\.\1`(?:(?:, | and )`(\w+)` = `\2\.\3`)+/g;
const OPTIONAL = /^( *(?:- |.* where ))`!has\(((?:query|header)[^)]*)\) \|\| ([^`]*)`(\.?)$/gm;

/** Rewritings that may stand wherever their pattern does. */
const REWRITINGS: readonly (readonly [what: string, rewrite: (text: string) => string])[] = [
  ["a name alone is given what has that name", (text) => text.replace(ALONE, "`$1`")],
  [
    "members of one row",
    (text) =>
      text.replace(MEMBERS, (all, _first: string, row: string) => {
        const names = [...all.matchAll(/`(\w+)` =/g)].map(([, name]) => `\`${name}\``);
        return `${names.join(", ")} of \`${row}\``;
      }),
  ],
  [
    "texts of errors in plain words",
    (text) => inErrorTables(text, (cell) => cell.replace(/^`([^`]*)`( *\|?)$/, "$1$2")),
  ],
  [
    "steps that are all numbered 1",
    (text) => text.replace(/^( *)\d+\. /gm, (_, indent: string) => `${indent}1. `),
  ],
  [
    "a row by the field with the parameter's name",
    (text) =>
      text.replace(/Path `(\w+)`: (`\w+`), the (`\w+`) by `\1`/g, "Path `$1`: the $3 as $2"),
  ],
  [
    "a row as its resource shows it",
    (text) =>
      text.replace(/(Respond `\d+` with )`([A-Z]\w*)` of (`\w+`)/g, (all, head, shape, of) =>
        text.includes(`### \`${shape}\`, many`) ? `${head}${of}` : all,
      ),
  ],
  [
    "a condition that holds if an input is given",
    (text) =>
      text.replace(OPTIONAL, (_all, head: string, path: string, rest: string, end: string) => {
        const [, field, value] = /^it\.(\w+) == (.*)$/.exec(rest) ?? [];
        const is = value === path ? `\`${field}\` is \`${path}\`` : `\`${rest}\``;
        return `${head}${is}, if given${end}`;
      }),
  ],
];

/** The text with the cells of each row in tables of errors and failures, changed. */
function inErrorTables(text: string, change: (cell: string) => string): string {
  let header: readonly string[] = [];
  return text
    .split("\n")
    .map((line) => {
      const cells = line.split(" | ");
      if (!line.startsWith("| ")) header = [];
      else if (header.length === 0) header = cells;
      else if (/^\| (Error|Failure) *$/.test(header[0] ?? "")) {
        return cells
          .map((cell, i) => (header[i]?.startsWith("`") ? change(cell) : cell))
          .join(" | ");
      }
      return line;
    })
    .join("\n");
}

for (const [what, rewrite] of REWRITINGS) {
  test(`in all documents: ${what}`, () => {
    let count = 0;
    for (const file of long) {
      const before = textAt(file);
      const text = rewrite(before);
      if (text === before) continue;
      count++;
      assert.deepEqual(differences(planOf(before), planOf(text)).slice(0, 3), [], file);
    }
    assert.ok(count > 2, `${count} documents`);
  });
}

for (const name of long) {
  const file = name.startsWith("unseen/") ? `test/${name}.md` : `examples/${name}/spec.md`;
  test(`${file} states the same plan as test/long/${name}.md`, () => {
    const now = planOf(readFileSync(join(root, file), "utf8"));
    assert.deepEqual(differences(planOf(textAt(name)), now).slice(0, 3), []);
  });
}

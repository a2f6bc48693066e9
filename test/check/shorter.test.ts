/** A form that says shorter what another says: both documents state the same plan. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { differences } from "../../scripts/same-plan/differences.ts";
import { compile } from "../../src/index.ts";

const root = join(import.meta.dirname, "../..");

function textAt(name: string): string {
  return readFileSync(join(root, "examples", name, "spec.md"), "utf8");
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

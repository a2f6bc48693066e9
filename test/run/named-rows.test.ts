/**
 * `holds` of a value that names rows: the condition reads the rows through every form of value, of
 * a field, an input and what results of a merge; a name of no row fails for that alone.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Asked, answersOf } from "./both.ts";
import { document } from "./document.ts";

interface Kind {
  readonly type: string;
  readonly condition: string;
  readonly json: (login: string) => unknown;
  /** Path of the reference within the field. */
  readonly inside?: string;
  readonly merges?: true;
}

const KINDS: Readonly<Record<string, Kind>> = {
  "a reference": {
    type: "`Person`",
    condition: 'value.login != "x"',
    json: (login) => login,
  },
  "a list of them": {
    type: "list of `Person`",
    condition: 'value.all(p, p.login != "x")',
    json: (login) => [login],
  },
  "a list with nulls": {
    type: "list of `Person` or null",
    condition: 'value.all(p, p == null || p.login != "x")',
    json: (login) => [null, login],
  },
  "a map of them": {
    type: "map of `Person`",
    condition: 'value.all(k, value[k].login != "x")',
    json: (login) => ({ a: login }),
    merges: true,
  },
  "a part": {
    type: "`Seat`",
    condition: 'value.who.login != "x" && !has(value.next)',
    json: (login) => ({ who: login }),
    inside: ".who",
    merges: true,
  },
  "a list of parts": {
    type: "list of `Seat`",
    condition: 'value.all(s, s.who.login != "x" && (!has(s.next) || s.next.who.login != "x"))',
    json: (login) => [{ who: "a", next: { who: login } }],
    inside: ".who",
  },
};

type Place = "a field" | "an input" | "a merged field";

const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";
const INPUTS = "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|";

function documentOf({ type, condition, inside = "" }: Kind, place: Place): string {
  const order = type.startsWith("list") ? "in the order given" : "";
  const holds = `holds \`${condition.replaceAll("|", "\\|")}\`, else \`taken\``;
  const rules = (more: string) => [more, order].filter((one) => one !== "").join("; ") || "none";
  const isInput = place === "an input";
  const missing = inside === "" ? ["v"] : ["v.who"];
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Person\`

${FIELDS}
| \`login\` | string | required | no | yes | key; unique, else \`taken\` |

### \`Seat\`, a part

${FIELDS}
| \`who\` | \`Person\` | required | optional | yes | none |
| \`next\` | \`Seat\` or absent | optional | optional | yes | none |

### \`Thing\`

${missing.map((path) => `- Missing \`${path}\`: \`gone\``).join("\n")}

${FIELDS}
| \`id\` | integer | no | no | yes | counts up from 1; key; unique, else \`taken\` |
| \`v\` | ${type} | required | ${place === "a merged field" ? "merged" : "optional"} | yes | ${rules(isInput ? "" : holds)} |
`,
    states: "- No states: `Person`, `Thing`",
    endpoints: `### \`POST /people\`: somebody

- Body: new \`Person\`

1. Create a \`Person\` from \`body\`.
2. Respond \`204\` with no body.

### \`POST /things\`: one

${isInput ? `${INPUTS}\n| \`v\` | body | ${type} | yes | ${holds} |` : "- Body: new `Thing`"}

1. Create a \`Thing\` as \`thing\` ${isInput ? "with `v` = `body.v`" : "from `body`"}.
2. Respond \`200\` with \`Thing\` of \`thing\`.

### \`PATCH /things/{id}\`: another

- Body: changed \`Thing\`
- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

${INPUTS}
| \`id\` | path | integer | yes | none |

1. Set \`thing\` from \`body\`, given members only.
2. Respond \`200\` with \`Thing\` of \`thing\`.
`,
    failures: [
      "null",
      "malformed body",
      "body absent",
      "unknown member",
      "not settable",
      "other media type",
      "repeated member",
    ]
      .map((name) => `| ${name} | \`bad\` |`)
      .join("\n"),
  });
}

const PLACES: readonly Place[] = ["a field", "an input", "a merged field"];

for (const place of PLACES) {
  for (const [name, kind] of Object.entries(KINDS)) {
    if (place === "a merged field" && kind.merges === undefined) continue;
    test(`\`holds\` reads the rows that a value names: ${name}, ${place}`, async () => {
      const sends = (of: string): Asked[] =>
        ["a", "x", "nobody"].map((login) => ({ of, body: { v: kind.json(login) } }));
      const isInput = place === "an input";
      const answers = await answersOf(documentOf(kind, place), [
        ...["a", "x"].map((login) => ({ of: "POST /people", body: { login } })),
        ...sends("POST /things"),
        ...(isInput ? [] : sends("PATCH /things/1")),
      ]);
      const statuses = answers.slice(2).map(({ status }) => status);
      const wanted = isInput ? [200, 409, 400] : [200, 409, 404, 200, 409, 404];
      assert.deepEqual(statuses, wanted);
    });
  }
}

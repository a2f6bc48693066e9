/**
 * References in lists, maps and parts: each way in which a field gets a value stores the keys of
 * rows. The named row is changed afterwards and read again, on both stores.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Value } from "../../src/run/index.ts";
import { document } from "./document.ts";
import { Service } from "./service.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-references-"));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Kind {
  readonly type: string;
  /** Rules of the field. */
  readonly rules: string;
  /** A value that names one row, `p`, as an expression and as JSON with the row's key. */
  readonly expression: string;
  readonly json: (login: string) => unknown;
}

/** Every form in which a field can hold references. */
const KINDS: Readonly<Record<string, Kind>> = {
  one: { type: "`Person`", rules: "none", expression: "p", json: (login) => login },
  list: {
    type: "list of `Person`",
    rules: "in the order given",
    expression: "[p]",
    json: (login) => [login],
  },
  map: {
    type: "map of `Person`",
    rules: "none",
    expression: '{"a": p}',
    json: (login) => ({ a: login }),
  },
  lists: {
    type: "map of list of `Person`",
    rules: "none",
    expression: '{"a": [p, p]}',
    json: (login) => ({ a: [login, login] }),
  },
  part: {
    type: "`Seat`",
    rules: "none",
    expression: '{"who": p, "others": [p]}',
    json: (login) => ({ who: login, others: [login] }),
  },
  parts: {
    type: "list of `Seat`",
    rules: "in the order given",
    expression: '[{"who": p, "others": []}]',
    json: (login) => [{ who: login, others: [] }],
  },
  mapped: {
    type: "map of `Seat`",
    rules: "none",
    expression: '{"a": {"who": p, "others": [p, p]}}',
    json: (login) => ({ a: { who: login, others: [login, login] } }),
  },
};

interface Way {
  /** Create cell and rules of the field, and how a request makes a note. */
  readonly create: "required" | "optional" | "no";
  readonly rule?: (kind: Kind) => string;
  readonly more?: (kind: Kind) => string;
  readonly inputs?: (kind: Kind) => string;
  readonly body?: "new `Note`";
  readonly steps: (kind: Kind) => readonly string[];
  /** Code that answers the call `who`. */
  readonly calls?: true;
}

const P = "Let `p` be the `Person` where `it.login == query.login`, else `gone`.";

/** Every way in which a field gets a value. */
const WAYS: Readonly<Record<string, Way>> = {
  "the body": {
    create: "required",
    body: "new `Note`",
    steps: () => ["Create a `Note` as `note` from `body`."],
  },
  "a body row": {
    create: "no",
    inputs: (kind) => `| \`value\` | body | ${kind.type} | yes | none |`,
    steps: () => ["Create a `Note` as `note` with `field` = `body.value`."],
  },
  with: {
    create: "no",
    steps: (kind) => [P, `Create a \`Note\` as \`note\` with \`field\` = \`${kind.expression}\`.`],
  },
  "a copy": {
    create: "no",
    steps: (kind) => [
      P,
      `Create a \`Note\` as \`first\` with \`field\` = \`${kind.expression}\`.`,
      "Create a `Note` as `note` with `field` = `first.field`.",
    ],
  },
  "a Set step": {
    create: "no",
    steps: (kind) => [
      P,
      'Let `q` be the `Person` where `it.login == "first"`, else `gone`.',
      `Create a \`Note\` as \`note\` with \`field\` = \`${kind.expression.replaceAll("p", "q")}\`.`,
      `Set \`note.field\` = \`${kind.expression}\`.`,
    ],
  },
  "a Set from step": {
    create: "required",
    body: "new `Note`",
    steps: () => [
      "Create a `Note` as `note` from `body`.",
      "Set `note` from `body`, every member.",
    ],
  },
  "named steps": {
    create: "no",
    more: (kind) =>
      [
        "### `make`, steps\n",
        `- Given \`value\`: ${kind.type}\n`,
        "1. Create a `Note` with `field` = `value`.",
      ].join("\n"),
    steps: (kind) => [P, `Do \`make\` with \`value\` = \`${kind.expression}\`.`],
  },
  starts: {
    create: "no",
    rule: (kind) => `starts \`${kind.expression.replaceAll("p", "it.by")}\``,
    steps: () => [P, "Create a `Note` with `by` = `p`."],
  },
  "set to": {
    create: "no",
    rule: (kind) =>
      `set to \`${kind.expression.replaceAll("p", "it.by")}\` on create and on update`,
    steps: () => [P, "Create a `Note` as `note` with `by` = `p`.", "Set `note.by` = `p`."],
  },
  "what a call says": {
    create: "no",
    calls: true,
    more: (kind) =>
      [
        "### `who`, a call\n",
        "- Given `login`: string",
        "- Kind: pure",
        "- Time-out: none",
        "- Stand-in: none\n",
        "| Says | Data | Meaning |",
        "|---|---|---|",
        `| \`known\` | \`value\`: ${kind.type} | it is somebody |`,
      ].join("\n"),
    steps: () => [
      "Call `who` with `login` = `query.login` as `said`.",
      "Create a `Note` with `field` = `said.value`.",
    ],
  },
};

function documentOf(kind: Kind, way: Way): string {
  const rules = [way.rule?.(kind) ?? "none", kind.rules].filter((one) => one !== "none");
  const needsQuery = way.body === undefined && way.inputs === undefined;
  const inputs = [
    ...(needsQuery ? ["| `login` | query | string | yes | none |"] : []),
    ...(way.inputs === undefined ? [] : [way.inputs(kind)]),
  ];
  const update = way.body === undefined ? "no" : "optional";
  const missing = way.create === "no" ? "" : missings(kind);
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Person\`, many \`people\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`login\` | string | required | optional | yes | key; unique, else \`taken\` |
| \`number\` | integer | no | no | yes | counts up from 1 |
| \`since\` | timestamp | no | no | no | set to \`now\` on create |
| \`token\` | secret | no | no | no | 16 random bytes as hex; kept as SHA-256 |

### \`Seat\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`who\` | \`Person\` | required | optional | yes | none |
| \`others\` | list of \`Person\` | required | optional | yes | in the order given |

### \`Note\`, many \`notes\`
${missing}
| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
${way.rule === undefined ? "" : "| `by` | `Person` | no | no | no | none |\n"}| \`field\` | ${kind.type} | ${way.create} | ${update} | yes | ${rules.join("; ") || "none"} |
`,
    states: "- No states: `Person`, `Note`",
    endpoints: `### \`POST /people\`

- Body: new \`Person\`

1. Create a \`Person\` from \`body\`.
2. Respond \`204\` with no body.

### \`PUT /people/{login}\`

- Body: changed \`Person\`
- Path \`login\`: \`person\`, the \`Person\` by \`login\`, else \`gone\`

1. Set \`person\` from \`body\`, given members only.
2. Respond \`204\` with no body.

### \`POST /notes\`

${way.body === undefined ? (way.inputs === undefined ? "- Body: none" : "") : `- Body: ${way.body}`}

${inputs.length === 0 ? "" : `| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n${inputs.join("\n")}`}

${[...way.steps(kind), "Respond `204` with no body."].map((one, i) => `${i + 1}. ${one}`).join("\n")}

### \`GET /notes\`

1. Let \`found\` be every \`Note\`.
2. Respond \`200\` with list of \`Note\` of \`found\`.

${way.more?.(kind) ?? ""}`,
  });
}

function missings(kind: Kind): string {
  const paths = kind.type.includes("Seat") ? ["field.who", "field.others"] : ["field"];
  return `\n${paths.map((path) => `- Missing \`${path}\`: \`bad\` on \`field\``).join("\n")}\n`;
}

/** No stored value is, or holds, a row. */
function holdsNoRow(value: Value): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => holdsNoRow(one as Value));
  if (value instanceof Map) return [...value.values()].every((one) => holdsNoRow(one as Value));
  return false;
}

let files = 0;
for (const kept of ["memory", "sqlite"] as const) {
  for (const [wayName, way] of Object.entries(WAYS)) {
    for (const [kindName, kind] of Object.entries(KINDS)) {
      test(`${kept}: \`${kindName}\` by ${wayName} names its rows after they are changed`, () => {
        const store = kept === "memory" ? kept : { file: join(folder, `${files++}.sqlite`) };
        const answer = JSON.stringify({ word: "known", value: kind.json("ann") });
        const service = new Service(documentOf(kind, way), {
          store,
          hooks: {
            hash: (_, secret) => `hash of ${secret}`,
            ...(way.calls && {
              call: () => ({ is: "said", answer: { text: answer } }) as never,
            }),
          },
        });
        for (const login of ["first", "ann"]) {
          service.request("POST", "/people", { body: JSON.stringify({ login }) });
        }
        const value = kind.json("ann");
        const body = way.body !== undefined ? { field: value } : way.inputs && { value };
        const made = service.request("POST", body ? "/notes" : "/notes?login=ann", {
          ...(body && { body: JSON.stringify(body) }),
        });
        assert.equal(made.status, 204, `${made.text} ${made.outcome.effects.fault}`);
        const last = () =>
          (service.request("GET", "/notes").json as { field: unknown }[]).at(-1)?.field;
        assert.deepEqual(last(), value);
        service.store.begin("write");
        for (const row of service.store.session.all("Note")) {
          assert.ok(
            row.values.every((one) => holdsNoRow(one)),
            "a row is kept in a field",
          );
        }
        service.store.commit();
        const renamed = service.request("PUT", "/people/ann", { body: '{"login":"zed"}' });
        assert.equal(renamed.status, 204);
        assert.deepEqual(last(), kind.json("zed"));
        service.close();
      });
    }
  }
}

/** What `merged` makes of a value, and that rules are judged on what results (RFC 7396). */
import { document } from "./document.ts";
import { conversation, type Turn } from "./replay.ts";

const FAILURES = `| other media type | \`bad\` |
| malformed body | \`bad\` |
| body absent | \`bad\` |
| unknown member | \`bad\` on its name |
| repeated member | \`bad\` on its name |
| not settable | \`bad\` on its name |
| null | \`bad\` on its name |
| empty | \`bad\` on its name |
| too few items | \`bad\` on its name |
| too many items | \`taken\` on its name |
| too long | \`bad\` on its name |
| no member given | \`bad\` on its name |`;

/** A document whose notes have one field that is merged, and how it is changed. */
function merging(field: string, parts = ""): string {
  return document({
    resources: `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`n\` | integer | no | no | yes | counts up from 1 |
${field}

${parts}`,
    states: "- No states: `Note`",
    endpoints: `### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`200\` with \`Note\` of \`note\`.

### \`PATCH /notes/{n}\`

- Path \`n\`: \`note\`, the \`Note\` by \`n\`, else \`gone\`
- Body: changed \`Note\`

1. Set \`note\` from \`body\`, given members only.
2. Respond \`200\` with \`Note\` of \`note\`.`,
    failures: FAILURES,
  });
}

const patch = (m: unknown, becomes: unknown): Turn => ({
  send: "PATCH /notes/1",
  body: { m },
  status: 200,
  json: { n: 1, ...(becomes === undefined ? {} : { m: becomes }) },
});
const refused = (m: unknown, status: number, field: string): Turn => ({
  send: "PATCH /notes/1",
  body: { m },
  status,
  json: { error: { 400: "bad", 409: "taken", 422: "refused" }[status], field },
});
const made = (m: unknown, becomes = m): Turn => ({
  send: "POST /notes",
  body: m === undefined ? {} : { m },
  status: 200,
  json: { n: 1, ...(becomes === undefined ? {} : { m: becomes }) },
});

conversation(
  "the bounds of a map are those of what results",
  merging("| `m` | map of string | optional | merged | yes | 1 to 2 items; starts `{}` |"),
  [
    made({ a: "1" }),
    patch({ b: "2" }, { a: "1", b: "2" }),
    refused({ c: "3" }, 409, "m"),
    patch({ a: null, b: "2", c: "3" }, { b: "2", c: "3" }),
    refused({ b: null, c: null }, 400, "m"),
    patch({ b: null, x: null }, { c: "3" }),
    refused({ d: 4 }, 400, "m.d"),
    refused(null, 400, "m"),
    refused([], 400, "m"),
  ],
);

conversation(
  "a condition is about the value that results",
  merging(
    "| `m` | map of string | optional | merged | yes | " +
      "holds `value.all(k, size(value[k]) <= 3) && size(value) < 3`, else `refused` on `m`; starts `{}` |",
  ),
  [
    made({ a: "1" }),
    patch({ a: null, b: "22" }, { b: "22" }),
    refused({ c: "4444" }, 422, "m"),
    patch({ c: "333" }, { b: "22", c: "333" }),
    refused({ d: "1" }, 422, "m"),
    patch({ b: null, d: "1" }, { c: "333", d: "1" }),
  ],
);

const SPOT = `### \`Spot\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`x\` | string | required | optional | yes | at most 3 characters |
| \`y\` | string or null | required | optional | yes | none |
| \`z\` | string or absent | optional | optional | yes | none |
| \`tags\` | map of integer or absent | optional | optional | yes | at most 2 items |`;

conversation(
  "a part that is merged has what it must have, and keeps the rules of its members",
  merging("| `m` | `Spot` or absent | optional | merged | yes | none |", SPOT),
  [
    made(undefined),
    refused({ x: "a" }, 400, "m.y"),
    patch({ x: "a", y: null }, { x: "a", y: null }),
    patch({ z: "c", tags: { a: 1 } }, { x: "a", y: null, z: "c", tags: { a: 1 } }),
    patch({ z: null, y: "b", tags: { b: 2 } }, { x: "a", y: "b", tags: { a: 1, b: 2 } }),
    refused({ tags: { c: 3 } }, 409, "m.tags"),
    patch({ tags: { a: null, c: 3 } }, { x: "a", y: "b", tags: { b: 2, c: 3 } }),
    refused({ x: "long" }, 400, "m.x"),
    refused({ x: null }, 400, "m.x"),
    patch({ y: null, tags: null }, { x: "a", y: null }),
  ],
);

// The cases of RFC 7396, appendix A.
const APPENDIX: readonly (readonly [before: unknown, patch: unknown, result: unknown])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [i, [before, sent, result]] of APPENDIX.entries()) {
  conversation(
    `RFC 7396, appendix A, case ${i + 1}`,
    merging("| `m` | json | required | merged | yes | none |"),
    [made(before), patch(sent, result)],
  );
}

/** Authentication, errors, failures and limits of a document made at random. */
import { type Choice, choose } from "./choice.ts";

const ERRORS: readonly (readonly [string, number])[] = [
  ["invalid", 400],
  ["bad_cursor", 400],
  ["unauthorized", 401],
  ["forbidden", 403],
  ["not_found", 404],
  ["no_method", 405],
  ["taken", 409],
  ["in_use", 409],
  ["wrong_state", 409],
  ["broken_invariant", 409],
  ["changed", 412],
  ["too_large", 413],
  ["other_type", 415],
  ["missing", 422],
  ["key_reused", 422],
  ["tag_needed", 428],
  ["slow_down", 429],
  ["broken", 500],
];

const ON_NAME = [
  "repeated member",
  "unknown member",
  "not settable",
  "absent",
  "null",
  "wrong type",
  "too short",
  "too long",
  "too small",
  "too large",
  "too few items",
  "too many items",
  "not matching",
  "not one of",
  "repeated item",
  "empty",
  "unknown query parameter",
  "repeated query parameter",
];

/** Which failures say what: most name the member, some are ignored, a few are not shown. */
function failureRows({ random, caller }: Choice): readonly string[] {
  return [
    "| unknown path | `not_found` |",
    "| unknown method | `no_method` |",
    "| other media type | `other_type` |",
    "| body absent | `invalid` |",
    `| body not expected | ${random.pick(["`invalid`", "ignored"])} |`,
    "| malformed body | `invalid` |",
    ...ON_NAME.map((one) => {
      const ignorable = ["unknown member", "not settable", "unknown query parameter"].includes(one);
      const shown = random.chance(0.02) ? "not shown" : "`invalid` on its name";
      return `| ${one} | ${ignorable && random.chance(0.3) ? "ignored" : shown} |`;
    }),
    "| no member given | `invalid` |",
    "| malformed query | `invalid` |",
    "| fault inside | `broken` |",
    ...(caller
      ? [
          "| no credentials | `unauthorized` |",
          "| bad credentials | `unauthorized` |",
          `| bad credentials where optional | ${random.pick(["`unauthorized`", "ignored"])} |`,
          "| not permitted | `forbidden` |",
        ]
      : []),
  ];
}

function limitsText({ random, features, caller }: Choice, isApple: boolean): string {
  const apples = [
    "| `apples` | requests to `POST /apples` | everyone | 3 | 10 min, fixed | `slow_down` with `Retry-After` |",
    '| `made` | requests to `POST /apples` answered `201` | address | 3 | day in `"Europe/Berlin"` | `slow_down` |',
    "| `kept` | `Apple` kept | everyone | 3 | none | `in_use` |",
  ];
  const limits = [
    ...choose(
      random,
      [
        `| \`pace\` | requests | address | ${random.pick([12, 40])} | 1 min, sliding | \`slow_down\` with \`Retry-After\` |`,
        "| `body` | request body bytes | request | 250 | none | `too_large` |",
      ],
      0.5,
    ),
    ...choose(
      random,
      [
        ...(isApple ? apples : []),
        ...(caller
          ? [
              `| \`each\` | requests | caller | ${random.pick(["9", "`size(it.name) > 4 ? 4 : 9`", "`size(owners) > 2 ? 5 : 9`"])} | 2 min, sliding | \`slow_down\` |`,
            ]
          : []),
        "| `path` | request path bytes | request | 60 | none | `too_large` |",
        "| `head` | request header bytes | request | 110 | none | `too_large` |",
      ],
      0.3,
    ),
    ...features.flatMap((one) => one.limits ?? []),
  ];
  if (limits.length === 0) return "Rate limits, size limits, time-outs and quotas: none.";
  const facets: readonly (readonly [string, (row: string) => boolean])[] = [
    ["Rate limits", (row) => row.includes("| requests") && !row.includes("day in")],
    ["Size limits", (row) => row.includes("bytes |")],
    ["Time-outs", () => false],
    ["Quotas", (row) => row.includes("kept |") || row.includes("sum of") || row.includes("day in")],
  ];
  return `${facets
    .filter(([, is]) => !limits.some(is))
    .map(([name]) => `${name}: none.\n`)
    .join("\n")}
${limits.some((row) => row.includes("| requests")) ? `- Sent with every answer: ${random.pick(["none", "`RateLimit`, `RateLimit-Policy`", "`RateLimit`"])}` : ""}

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
${limits.join("\n")}`;
}

/** What is deprecated, in some of the documents. DEPRECATED stands for one endpoint or all. */
function deprecationText({ random }: Choice): string {
  if (random.chance(0.6)) return "";
  const fields = random.pick(["Deprecation", "Sunset", "Deprecation and Sunset"]);
  const removed = random.pick(["none", "2031-02-28"]);
  return `- Sent with deprecated endpoints: ${fields}

| Item | Deprecated on | Removed on | Instead |
|---|---|---|---|
| \`${random.pick(["every endpoint", "DEPRECATED"])}\` | 2030-12-31 | ${removed} | none |
`;
}

/** The last parts of the document. What is refused `with` values has a body to show them. */
export function edgeText(choice: Choice, isApple: boolean): string {
  const { random, access } = choice;
  const all = random.chance(0.5);
  const status = (stated: number): string => (random.chance(0.02) ? "not shown" : String(stated));
  return `## Authentication

${access?.scheme ?? "Authentication scheme, credentials, headers and token handling: none.\n"}
## Events

EVENTS

## Errors

- Failures reported: ${all ? "all" : "first"}

| Error | Status | \`title\` | header \`X-Hint\` | Body |
|---|---|---|---|---|
${ERRORS.map(([name, code]) => `| \`${name}\` | ${status(code)} | \`It is ${name}\` | ${random.chance(0.1) ? "`a hint`" : "none"} | ${random.chance(0.05) && name !== "in_use" ? "none" : "`Problem`"} |`).join("\n")}

| Failure | Error |
|---|---|
${failureRows(choice).join("\n")}

### \`Problem\`, a shape

- Content type: \`application/problem+json\`

| Field | Type | Value |
|---|---|---|
| \`name\` | string | \`error.name\` |
| \`status\` | integer | \`error.status\` |
| \`title\` | string | \`error.title\` |
| \`field\` | string or null | \`field\` |
| \`all\` | map of list of string | \`failures.group(f, f.field, f.condition)\` |

## Limits

${limitsText(choice, isApple)}

## Versioning

- This version: \`1.0.0\`
- Chosen by: none
${deprecationText(choice)}
Compatibility rules: none.
`;
}

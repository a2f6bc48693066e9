/** A small complete document to which tests make one edit each, and what is found in it. */
import assert from "node:assert/strict";
import type { Finding } from "../../src/base/index.ts";
import { type CheckedSpec, check, type Wanted } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";

export const base = `# Notes

## What the service does

It keeps notes.

- Base path: none
- Body format: \`application/json\`
- One request: all or nothing, as if alone
- Timestamps: in milliseconds
- Cross-origin: none

## Resources and their fields

### Every resource

- Rows at the start: none

### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`title\` | string | required | optional | yes | none |
| \`hidden\` | string | no | no | no | starts \`"x"\` |
| \`createdAt\` | timestamp | no | no | yes | set to \`now\` on create |
| \`status\` | state | no | no | yes | none |

## States and transitions

### \`Note\`

- Held in: \`status\`
- States: \`open\` (initial), \`done\` (final)
- Any other transition: refused with \`wrong_state\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`finish\` | \`open\` | \`done\` | step | none | none |

## Endpoints

### Every endpoint

- Who: none

1. Check the inputs.
2. Check the paths.

### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`201\` with \`Note\` of \`note\`.

### \`PATCH /notes/{id}\`

- Body: changed \`Note\`
- Path \`id\`: \`note\`, the \`Note\` by \`id\`, else \`not_found\`

1. Set \`note\` from \`body\`, given members only.
2. Respond \`200\` with \`Note\` of \`note\`.

### \`POST /notes/{id}/finish\`

- Body: none
- Path \`id\`: \`note\`, the \`Note\` by \`id\`, else \`not_found\`

1. Fire \`finish\` on \`note\`.
2. Respond \`204\` with no body.

## Authentication

Authentication scheme, credentials, headers and token handling: none.

## Events

Events, notifications and callbacks: none.

## Errors

- Failures reported: first

| Error | Status | Body |
|---|---|---|
| \`broken\` | 500 | none |
| \`invalid\` | 400 | none |
| \`not_found\` | 404 | none |
| \`wrong_state\` | 409 | none |

| Failure | Error |
|---|---|
| unknown path | \`not_found\` |
| unknown method | \`invalid\` |
| other media type | \`invalid\` |
| body absent | \`invalid\` |
| body not expected | \`invalid\` |
| malformed body | \`invalid\` |
| repeated member | \`invalid\` |
| unknown member | \`invalid\` |
| not settable | \`invalid\` |
| absent | \`invalid\` |
| null | \`invalid\` |
| wrong type | \`invalid\` |
| unknown query parameter | \`invalid\` |
| malformed query | \`invalid\` |
| fault inside | \`broken\` |

## Limits

Rate limits, size limits, time-outs and quotas: none.

## Versioning

- This version: none
- Chosen by: none

Compatibility rules: none.
`;

/** `text` with `from`, which stands in it, replaced by `to`. */
export function edited(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), `the sample has no '${from}'`);
  return text.replace(from, () => to);
}

export function checked(text: string, wanted: Wanted = {}): CheckedSpec {
  return check(read(new TextEncoder().encode(text)), undefined, wanted);
}

/** The findings with a code. */
export function found(text: string, code: string): readonly Finding[] {
  return checked(text).findings.filter((finding) => finding.code === code);
}

/** What a finding points at. */
export function pointed(text: string, finding: Finding | undefined): string {
  return finding === undefined ? "" : text.slice(finding.span.start, finding.span.end);
}

/** The documents of which the tests make pages. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");
const seed = join(root, "../shared/seed/service-interface-specification.md");

/** Every example, and the document that all began with where it is there. */
export const documents: readonly string[] = [
  ...readdirSync(join(root, "examples"), { withFileTypes: true })
    .map((one) => join(root, "examples", one.name, "spec.md"))
    .filter((file) => existsSync(file)),
  ...(existsSync(seed) ? [seed] : []),
];

/** Names and texts that would do harm where they were not escaped. */
export const HOSTILE = `# Odd \`</title><script>alert(1)</script>\` & "names"

Prose with \`</script><script>alert(2)</script>, <img src=x onerror=alert(3)>\`, [a](javascript:alert(4)),
[b](https://example.com/?a=1&b="c"), [c](data:text/html,x) and **strong** text, \`</code><b>\`.

## What the service does

It is hostile. \`<style>*{display:none}</style>\`

- Base path: \`/v1\`
- Body format: \`application/json\`
- One request: all or nothing, as if alone
- Timestamps: in milliseconds
- Cross-origin: none

## Resources and their fields

### \`Note\`, many \`notes\`

- Rows at the start: none

> A note: <a href="javascript:alert(5)">here</a> [d](JaVaScRiPt:alert(6)) [e](//example.com)

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`n_\` | no | no | yes | none |
| \`text\` | string | required | no | yes | matches \`</td><script>alert(7)</script>\` |
| \`kind\` | one of \`"><svg onload=alert(8)>\`, \`'\` | required | no | yes | none |

## States and transitions

States and transitions: none.

- No states: \`Note\`

## Endpoints

### \`POST /notes\`: write "a" \`<b>note</b>\` & go

- Who: none
- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`201\` with \`Note\` of \`note\`.

\`\`\`http </figcaption><script>alert(9)</script>
POST /v1/notes
Content-Type: application/json
X-Odd: </pre><script>alert(10)</script>

{"text": "</script><script>alert(11)</script>", "kind": "'"}

HTTP/1.1 400

{"<!--": "]]>"}
\`\`\`

## Authentication

Authentication scheme, credentials, headers and token handling: none.

## Events

Events, notifications and callbacks: none.

## Errors

| Error | Status | \`</th><script>\` | Body |
|---|---|---|---|
| \`constructor\` | 400 | \`<script>alert(12)</script>\` | none |
| \`__proto__\` | 404 | \`&lt;b&gt;\` | none |

| Failure | Error |
|---|---|
| every other failure | \`constructor\` |

- Failures reported: first

## Limits

Rate limits, size limits, time-outs and quotas: not shown.

## Versioning

Versioning scheme and compatibility rules: not shown.
`;

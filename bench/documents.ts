/** Makes large right documents: one small service again and again, under other names. */

/** The resource, states, endpoints, events and errors number `i`. */
function resourceText(i: number): string {
  return `### \`Item${i}\`, many \`items${i}\`

- Always: \`it.price >= 0.00\`, else \`refused_${i}\`
- Missing \`owner\`: \`refused_${i}\` on \`owner\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`i${i}_\` | no | no | yes | none |
| \`owner\` | \`Owner\` | required | no | yes | none |
| \`name\` | string | required | optional | yes | trimmed; 1 to 80 characters |
| \`price\` | decimal 2 | required | optional | yes | 0.00 to 99999.99 |
| \`kind\` | one of \`small\`, \`large\` | optional | optional | yes | starts \`"small"\` |
| \`tags\` | list of string | required | optional | yes | at most 9 items; in the order given |
| \`status\` | state | no | no | yes | none |
| \`endsAt\` | timestamp | no | no | yes | set to \`now + duration("30m")\` on create |
| \`madeAt\` | timestamp | no | no | yes | set to \`now\` on create |

### \`ItemPage${i}\`, a shape

- Given \`page\`: list of \`Item${i}\`

| Field | Type | Value |
|---|---|---|
| \`items\` | list of \`Item${i}\` as \`Item${i}\` | \`page\` |
| \`count\` | integer | \`size(page)\` |
`;
}

function machineText(i: number): string {
  return `### \`Item${i}\`

- Held in: \`status\`
- States: \`open\` (initial), \`paid\`, \`sent\` (final), \`ended\` (final)
- Any other transition: refused with \`refused_${i}\`
- Clock: no later than 5 s after
- At the same time: in order of \`it.madeAt\` ascending, then \`it.id\` ascending

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`pay\` | \`open\` | \`paid\` | step | none | none |
| \`send\` | \`paid\` | \`sent\` | step | \`it.kind == "small"\` | emit \`item${i}.sent\` of \`it\` |
| \`send\` | \`paid\` | \`ended\` | step | \`it.kind == "large"\` | none |
| \`end\` | \`open\` | \`ended\` | time \`endsAt\` | none | none |
`;
}

function endpointText(i: number): string {
  return `### \`POST /items${i}\`: make one

- Body: new \`Item${i}\`

1. Create an \`Item${i}\` as \`item\` from \`body\`.
2. Require \`item.price > 0.00\`, else \`refused_${i}\` on \`price\`.
3. Respond \`201\` with \`Item${i}\` of \`item\`, header \`Location\` = \`"/items${i}/" + item.id\`.

### \`GET /items${i}\`: list them

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`limit\` | query | integer | no | 1 to 100; absent means \`20\` |

1. Let \`found\` be every \`Item${i}\` where \`it.kind == "small" && it.price > 1.00\`.
2. Order \`found\` by \`it.madeAt\` descending, then \`it.id\` descending.
3. Let \`page\` be \`found\` from \`0\`, at most \`query.limit\`.
4. Respond \`200\` with \`ItemPage${i}\` of \`page\`.

### \`PATCH /items${i}/{id}\`: change one

- Body: changed \`Item${i}\`; at least one member
- Path \`id\`: \`item\`, the \`Item${i}\` by \`id\`, else \`refused_${i}\`

1. Set \`item\` from \`body\`, given members only.
2. When \`item.status == "open"\`, fire \`pay\` on \`item\`.
3. Otherwise, fire \`send\` on \`item\`.
4. Respond \`200\` with \`Item${i}\` of \`item\`.
`;
}

const START = `# Items

## What the service does

It keeps items of many kinds.

- Base path: none
- Body format: \`application/json\`
- One request: all or nothing, as if alone
- Timestamps: in milliseconds
- Cross-origin: none

## Resources and their fields

### Every resource

- Rows at the start: none

### \`Owner\`, many \`owners\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`name\` | string | required | no | yes | 1 to 80 characters |

`;

const ENDPOINTS = `## Endpoints

### Every endpoint

- Who: none

1. Check the inputs.
2. Check the paths.

### \`POST /owners\`

- Body: new \`Owner\`

1. Create an \`Owner\` as \`owner\` from \`body\`.
2. Respond \`201\` with \`Owner\` of \`owner\`.

`;

const CONDITIONS = [
  "unknown path",
  "unknown method",
  "other media type",
  "body absent",
  "body not expected",
  "malformed body",
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
  "too many items",
  "not one of",
  "no member given",
  "unknown query parameter",
  "repeated query parameter",
  "malformed query",
  "fault inside",
];

const END = `## Limits

Rate limits, size limits, time-outs and quotas: none.

## Versioning

- This version: \`1\`
- Chosen by: none

Compatibility rules: none.
`;

const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join("\n");

/** A document of `count` resources, each with states, three endpoints, an event and an error. */
export function documentOf(count: number): string {
  const events = each(count, (i) => `| \`item${i}.sent\` | \`Item${i}\` | none | none |`);
  const errors = each(count, (i) => `| \`refused_${i}\` | 409 | \`Problem\` |`);
  const failures = CONDITIONS.map((one) => `| ${one} | \`invalid\` |`).join("\n");
  return `${START}${each(count, resourceText)}
## States and transitions

- No states: \`Owner\`

${each(count, machineText)}
${ENDPOINTS}${each(count, endpointText)}
## Authentication

Authentication scheme, credentials, headers and token handling: none.

## Events

Notifications and callbacks: none.

| Event | About | Data | Sent to |
|---|---|---|---|
${events}

## Errors

- Failures reported: first

| Error | Status | Body |
|---|---|---|
| \`invalid\` | 400 | \`Problem\` |
${errors}

| Failure | Error |
|---|---|
${failures}

### \`Problem\`, a shape

| Field | Type | Value |
|---|---|---|
| \`error\` | string | \`error.name\` |

${END}`;
}

/** A document of at least so many bytes. */
export function documentOfBytes(bytes: number): string {
  const one = (documentOf(20).length - documentOf(10).length) / 10;
  let count = Math.ceil(bytes / one);
  let text = documentOf(count);
  while (text.length < bytes) {
    count += Math.ceil((bytes - text.length) / one);
    text = documentOf(count);
  }
  return text;
}

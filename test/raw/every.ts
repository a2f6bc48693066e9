/** A document that states a row for every condition of the closed list, each with its own status. */
import { type ConditionEntry, failureConditions } from "../../src/language/index.ts";

/** Statuses of conditions begin here; no other answer of the document has one of them. */
const FIRST = 430;

/** The status by which a condition is told from all others. */
export const statusOf: ReadonlyMap<string, number> = new Map(
  failureConditions.map(({ name }, i) => [name, FIRST + i]),
);

const errorOf = (name: string): string => `e${statusOf.get(name)}`;

/** What may be left out has its row ignored where that would hide others. */
const IGNORED = new Set(["bad credentials where optional"]);

const row = ({ name }: ConditionEntry): string =>
  `| ${name} | ${IGNORED.has(name) ? "ignored" : `\`${errorOf(name)}\``} |`;

const ERRORS = failureConditions
  .filter(({ name }) => !IGNORED.has(name))
  .map(({ name }) => `| \`${errorOf(name)}\` | ${statusOf.get(name)} | \`Problem\` |`)
  .join("\n");

export const EVERY = `# Every condition

## What the service does

It refuses whatever can be refused.

- Base path: none
- Body format: \`application/json\`
- One request: all or nothing, as if alone
- Timestamps: in seconds
- Cross-origin: none

## Resources and their fields

### Every resource

- Rows at the start: none

### \`Thing\`, many \`things\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`t_\` | no | no | yes | none |
| \`name\` | string | required | optional | yes | 2 to 5 characters |
| \`note\` | string | optional | optional | yes | not empty; starts \`"x"\` |
| \`code\` | string | optional | optional | yes | matches \`[a-z]+\`; starts \`"a"\` |
| \`kind\` | one of \`red\`, \`blue\` | optional | optional | yes | starts \`"red"\` |
| \`count\` | integer | optional | optional | yes | 1 to 9; starts \`1\` |
| \`tags\` | list of string | optional | optional | yes | 1 to 3 items; different items; in the order given; starts \`["a"]\` |
| \`key\` | secret | no | no | on create | 32 random bytes as base64url; kept as SHA-256 |

## States and transitions

States and transitions: none.

- No states: \`Thing\`

## Endpoints

### Every endpoint

1. Check the caller.
2. Check the inputs.
3. Check the paths.

### \`POST /things\`: make

- Who: \`anyone\`
- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.

### \`GET /things\`: some

- Who: \`anyone\` or \`member\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`limit\` | query | integer | no | 1 to 50; absent means \`10\` |
| \`named\` | query | string | yes | none |

1. Let \`found\` be every \`Thing\` where \`it.name == query.named\`.
2. Order \`found\` by \`it.id\` ascending.
3. Let \`page\` be \`found\` from \`0\`, at most \`query.limit\`.
4. Respond \`200\` with list of \`Thing\` of \`page\`.

### \`PATCH /things/{id}\`: change

- Who: \`member\`
- Body: changed \`Thing\`; at least one member
- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

1. Set \`thing\` from \`body\`, given members only.
2. Respond \`204\` with no body.

### \`DELETE /things/{id}\`: throw away

- Who: \`boss\`
- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

1. Delete \`thing\`.
2. Respond \`204\` with no body.

## Authentication

| Actor | Holds when |
|---|---|
| \`anyone\` | always |
| \`member\` | \`caller.name != ""\` |
| \`boss\` | \`caller.name == "boss"\` |

### \`key\`, a scheme

- Sent in: header \`Authorization\`, form \`Bearer {credential}\`
- Credential: opaque
- Caller: the \`Thing\` where \`password_matches(it.key, credential)\`, else \`${errorOf("bad credentials")}\`
- Revocation: by the Caller condition

## Events

Events, notifications and callbacks: none.

## Errors

| Error | Status | Body |
|---|---|---|
| \`gone\` | 404 | \`Problem\` |
${ERRORS}

| Failure | Error |
|---|---|
${failureConditions.map(row).join("\n")}

- Failures reported: first

### \`Problem\`, a shape

| Field | Type | Value |
|---|---|---|
| \`error\` | string | \`error.name\` |
| \`field\` | string or null | \`field\` |

## Limits

Rate limits, size limits and quotas: none.

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`answer\` | time to answer a request | request | 60 s | none | not shown |

## Versioning

- This version: \`1.0.0\`
- Chosen by: header \`Api-Version\`
- Old versions: none

Compatibility rules: none.
`;

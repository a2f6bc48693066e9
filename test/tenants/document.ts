/** A service of two tenants: every way to reach a row or a secret is an endpoint of its own. */
import { check, plan as planOf } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { document as passages } from "../run/document.ts";

/** A way to reach what `Rows` hides. Its steps see `task`, which refers to such a row. */
export interface Way {
  readonly name: string;
  readonly steps: string;
  readonly writes?: true;
}

const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";
const ROWS = "- Rows: only those where `it.tenant == caller.tenant`; any other is as if not there";

const RESOURCES = `### \`User\`, many \`users\`

${FIELDS}
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`tenant\` | string | required | no | yes | none |
| \`key\` | secret | required | no | no | kept as SHA-256; unique, else \`taken\` |
| \`active\` | boolean | required | no | yes | none |
| \`until\` | timestamp | required | no | yes | none |

### \`Spot\`, a part

${FIELDS}
| \`project\` | \`Project\` | required | required | yes | its deletion is refused, else \`refused\` |

### \`Project\`, many \`projects\`

${ROWS}

${FIELDS}
| \`slug\` | string | required | no | yes | key; unique, else \`taken\` |
| \`tenant\` | string | no | no | yes | set to \`caller.tenant\` on create |
| \`name\` | string | required | optional | yes | none |
| \`note\` | string or absent | optional | optional | yes | none |
| \`n\` | integer | required | optional | yes | none |
| \`token\` | secret | required | no | no | kept as SHA-256 |

### \`Task\`, many \`tasks\`

- Missing \`project\`: \`gone\` on \`project\`
- Missing \`other\`: \`gone\` on \`other\`
- Missing \`links\`: \`gone\` on \`links\`
- Missing \`pins\`: \`gone\` on \`pins\`
- Missing \`spot.project\`: \`gone\` on \`spot\`

${FIELDS}
| \`slug\` | string | required | no | yes | key; unique, else \`taken\` |
| \`project\` | \`Project\` | required | no | yes | its deletion is refused, else \`refused\` |
| \`other\` | \`Project\` or null | optional | no | yes | starts \`null\`; set to null when it is deleted |
| \`links\` | list of \`Project\` | required | no | yes | taken out when it is deleted; in the order given |
| \`pins\` | map of \`Project\` | required | no | yes | taken out when it is deleted |
| \`spot\` | \`Spot\` | required | no | yes | none |
| \`label\` | string | no | no | yes | starts \`""\` |
| \`state\` | state | no | no | yes | none |

### \`Card\`, a view of \`Task\`

| Field | Type | Value |
|---|---|---|
| \`slug\` | string | \`it.slug\` |
| \`named\` | string | \`it.project.name\` |
| \`counted\` | integer | \`size(projects.filter(p, p.n > 50))\` |

### \`Named\`, a shape

- Given \`one\`: \`Project\`

| Field | Type | Value |
|---|---|---|
| \`named\` | string | \`one.name\` |

### \`Whole\`, a shape

- Given \`given\`: \`Task\`

| Field | Type | Value |
|---|---|---|
| \`of\` | \`Project\` as \`Project\` | \`given.project\` |`;

const STATES = `- No states: \`User\`, \`Project\`

### \`Task\`

- Held in: \`state\`
- States: \`open\` (initial), \`done\` (final)
- Any other transition: refused with \`refused\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`finish\` | \`open\` | \`done\` | step | \`it.project.n < 50\` | none |`;

const AUTHENTICATION = `| Actor | Holds when |
|---|---|
| \`user\` | \`caller.active\` |
| \`anyone\` | always |

### \`key\`, a scheme

- Sent in: header \`X-Key\`, form \`{credential}\`
- Credential: opaque
- Caller: the \`User\` where \`password_matches(it.key, credential) && it.until > now\`, else \`refused\`
- Revocation: by the Caller condition`;

const EVENTS = `| Event | About | Data | Sent to |
|---|---|---|---|
| \`project.made\` | \`Project\` | \`Project\` of \`it\` | stream \`feed\` |
| \`task.told\` | \`Task\` | \`Card\` of \`it\` | stream \`feed\` |

### \`feed\`, a stream

- Path: \`GET /feed\`
- Who: \`user\`
- Sees: \`event == "project.made"\`
- Resume: none
- Ends: none`;

const KEPT_KEY = `- Idempotency key: header \`Idempotency-Key\`
- Key kept: 5 h
- Key per: everyone
- Same key and same body: first answer again
- Same key and other body: \`refused\`
- Same key while the first runs: \`refused\`
- Answers kept under a key: 2xx answers
- Bodies are the same when: their bytes are the same`;

const FIXED = `### \`POST /users\`

- Who: none
- Body: new \`User\`

1. Create a \`User\` as \`user\` from \`body\`.
2. Respond \`204\` with no body.

### \`POST /projects\`

- Body: new \`Project\`

1. Create a \`Project\` as \`project\` from \`body\`.
2. Emit \`project.made\` of \`project\`.
3. Respond \`204\` with no body.

### \`POST /tasks\`

- Body: new \`Task\`

1. Create a \`Task\` as \`task\` from \`body\`.
2. Respond \`204\` with no body.

### \`GET /projects\`

1. Let \`found\` be every \`Project\`.
2. Order \`found\` by \`it.slug\` ascending.
3. Respond \`200\` with list of \`Project\` of \`found\`.

### \`GET /projects/{slug}\`

- Path \`slug\`: \`project\`, the \`Project\` by \`slug\`, else \`gone\`

1. Respond \`200\` with \`Project\` of \`project\`.

### \`POST /kept\`

- Body: none
${KEPT_KEY}

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`Idempotency-Key\` | header | string | yes | none |

1. Let \`found\` be every \`Project\`.
2. Order \`found\` by \`it.slug\` ascending.
3. Respond \`200\` with list of \`Project\` of \`found\`.
`;

const FAILURES =
  "| unknown path | `gone` |\n| unknown method | `gone` |\n| no credentials | `refused` |\n" +
  "| bad credentials | `refused` |\n| not permitted | `refused` |\n| too long | `bad` on its name |";

function headingOf({ name, writes }: Way): string {
  return `### \`${writes === true ? "POST" : "GET"} /ways/${name}/{slug}\``;
}

function endpointOf(way: Way): string {
  const body = way.writes === true ? "- Body: none\n" : "";
  const path = "- Path `slug`: `task`, the `Task` by `slug`, else `gone`";
  return `${headingOf(way)}\n\n${body}${path}\n\n${way.steps}\n`;
}

function textOf(ways: readonly Way[]): string {
  return passages({
    about: "- Cross-origin: none\n- One request: all or nothing, as if alone",
    resources: RESOURCES,
    states: STATES,
    every:
      "- Who: `user`\n\n1. Check the caller.\n2. Check the inputs.\n3. Check the paths.\n4. Check the idempotency key.",
    endpoints: FIXED + ways.map((way) => `\n${endpointOf(way)}`).join(""),
    authentication: AUTHENTICATION,
    events: EVENTS,
    failures: FAILURES,
  });
}

/** The plan with those of the ways that are well typed. */
export function tenantsPlan(ways: readonly Way[]): { plan: Plan; ways: readonly Way[] } {
  const text = textOf(ways);
  const starts = ways.map((way) => text.indexOf(headingOf(way)));
  const wrong = new Set<number>();
  const checked = check(read(Buffer.from(text)));
  for (const { severity, code, span, message } of checked.findings) {
    if (severity !== "error" || code === "silent") continue;
    const at = starts.findLastIndex((start) => start <= span.start);
    if (at < 0) throw new Error(`${code}: ${message}`);
    wrong.add(at);
  }
  if (wrong.size > 0) return tenantsPlan(ways.filter((_, i) => !wrong.has(i)));
  const planned = planOf(checked);
  if (planned === undefined) throw new Error("the document of the tenants has no plan");
  return { plan: planned.plan, ways };
}

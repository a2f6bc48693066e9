/** Two versions of a document, by the way in which requests choose one of them. */
import { document as frame } from "../run/document.ts";

/** What one version says otherwise than the other. */
export interface Version {
  /** Bullets of the last part. */
  readonly versioning: string;
  readonly basePath?: string;
  /** Further rows of the table of `Item`. */
  readonly fields?: string;
  readonly resources?: string;
  /** Further rows of the table of `Hook`. */
  readonly hooks?: string;
  /** Further rows of the table of events. */
  readonly errors?: string;
  readonly events?: string;
  readonly webhooks?: string;
  readonly endpoints?: string;
  readonly failures?: string;
  readonly limits?: string;
  /** The name of a title in answers. */
  readonly title?: string;
  readonly edit?: (text: string) => string;
}

const CHECKED = "- Who: none\n\n1. Check the inputs.\n2. Check the limits.";

/** The text of one version. Its items fade by themselves, and are told to a webhook and a stream. */
export function version(of: Version): string {
  const { versioning, basePath, fields = "", resources = "", title = "title" } = of;
  const { hooks = "", errors = "", events = "", webhooks = "" } = of;
  const { endpoints = "", failures = "", limits = "", edit = (text) => text } = of;
  const text = frame({
    resources: `### \`Item\`, many \`items\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`it_\` | no | no | yes | none |
| \`title\` | string | required | required | no | 1 to 20 characters; unique, else \`taken\` |
| \`number\` | integer | no | no | yes | counts up from 1 |
| \`step\` | state | no | no | yes | none |
${fields}

### \`Hook\`, many \`hooks\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`url\` | uri | required | no | yes | none |
${hooks}

${resources}

### \`Shown\`, a view of \`Item\`

| Field | Type | Value |
|---|---|---|
| \`id\` | string | \`it.id\` |
| \`${title}\` | string | \`it.title\` |
| \`number\` | integer | \`it.number\` |
| \`step\` | string | \`it.step\` |

### \`Told\`, a view of \`Item\`

| Field | Type | Value |
|---|---|---|
| \`number\` | integer | \`it.number\` |`,
    states: `- No states: \`Hook\`${resources === "" ? "" : ", `Tag`"}

### \`Item\`

- Held in: \`step\`
- States: \`open\` (initial), \`faded\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 5 s after
- At the same time: free

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`fade\` | \`open\` | \`faded\` | by itself within 10 h | none | emit \`item.faded\` of \`it\` |`,
    every: `${CHECKED}\n3. Check the idempotency key.\n4. Check the paths.`,
    endpoints: `### \`POST /items\`

- Body: new \`Item\`
- Idempotency key: header \`Idempotency-Key\`
- Key kept: 24 h
- Key per: everyone
- Same key and same body: first answer again
- Same key and other body: \`refused\`
- Same key while the first runs: waits for it
- Answers kept under a key: 2xx answers
- Bodies are the same when: their values are the same

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`Idempotency-Key\` | header | string | no | none |

1. Create an \`Item\` as \`item\` from \`body\`.
2. Emit \`item.made\` of \`item\`.
3. Respond \`201\` with \`Shown\` of \`item\`.

### \`GET /items\`

1. Respond \`200\` with list of \`Shown\` of \`items\`.

### \`PUT /items/{id}\`

- Body: changed \`Item\`
- Path \`id\`: \`item\`, the \`Item\` by \`id\`, else \`gone\`

1. Set \`item\` from \`body\`, every member.
2. Respond \`200\` with \`Shown\` of \`item\`.

### \`DELETE /items/{id}\`

- Body: none
- Path \`id\`: \`item\`, the \`Item\` by \`id\`, else \`gone\`

1. Delete \`item\`.
2. Respond \`204\` with no body.

### \`POST /hooks\`

- Body: new \`Hook\`

1. Create a \`Hook\` as \`hook\` from \`body\`.
2. Respond \`201\` with \`Hook\` of \`hook\`.

${endpoints}`,
    events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`item.made\` | \`Item\` | \`Told\` of \`it\` | webhook \`calls\`; stream \`feed\` |
| \`item.faded\` | \`Item\` | \`Told\` of \`it\` | webhook \`calls\`; stream \`feed\` |
${events}

${webhooks}

### \`calls\`, a webhook

- Receivers: each \`Hook\` where \`true\`
- Address: \`receiver.url\`
- Sent as: \`POST\` with \`Envelope\`
- Signature: none
- Delivered when: any 2xx within 15 s
- Attempts: at once, then after 30 min
- After the last attempt: do nothing
- Guarantee: at least once
- Order of arrival: none

### \`feed\`, a stream

- Path: \`GET /feed\`
- Who: none
- Sees: \`true\`
- Resume: from \`Last-Event-ID\`, kept 24 h
- Ends: none

### \`Envelope\`, a shape

| Field | Type | Value |
|---|---|---|
| \`delivery\` | string | \`delivery\` |
| \`event\` | string | \`event\` |
| \`data\` | json | \`data\` |`,
    errors,
    failures: `| too long | \`bad\` on its name |
| unknown member | \`bad\` on its name |
| not settable | \`refused\` |
| unknown path | \`gone\` |
${failures}`,
    limits,
  });
  return edit(
    text
      .replace("- This version: `1`\n- Chosen by: none", versioning)
      .replace(
        "- Base path: none",
        `- Base path: ${basePath === undefined ? "none" : `\`${basePath}\``}`,
      ),
  );
}

/** What the second version adds. */
export const ADDED: Pick<
  Version,
  "fields" | "resources" | "hooks" | "errors" | "events" | "webhooks" | "endpoints" | "title"
> = {
  title: "name",
  fields: `| \`note\` | string or null | optional | optional | no | starts \`null\` |
| \`rank\` | integer | optional | optional | no | starts \`5\` |
| \`changed\` | timestamp or null | no | no | no | starts \`null\`; set to \`now\` on update |`,
  resources: `### \`Tag\`, many \`tags\`

- Missing \`item\`: \`gone\`
- Always: \`it.word != "never"\`, else \`odd\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`word\` | string | required | no | yes | holds \`value != "x"\`, else \`odd\` |
| \`item\` | \`Item\` | required | no | yes | deleted with it |

### \`Whole\`, a view of \`Item\`

| Field | Type | Value |
|---|---|---|
| \`name\` | string | \`it.title\` |
| \`note\` | string or null | \`it.note\` |
| \`rank\` | integer | \`it.rank\` |
| \`isTouched\` | boolean | \`it.changed != null\` |
| \`tags\` | integer | \`tags.filter(t, t.item == it).size()\` |`,
  errors: "| `odd` | 418 | `Problem` |",
  hooks: "| `live` | boolean | no | no | no | starts `true` |",
  events: "| `item.tagged` | `Tag` | none | webhook `tagged` |",
  // What follows from its attempts is kept with rows that the first version makes, too.
  webhooks: `### \`tagged\`, a webhook

- Receivers: each \`Hook\` where \`receiver.live\`
- Address: \`receiver.url\`
- Sent as: \`POST\` with \`Envelope\`
- Signature: none
- Delivered when: any 2xx within 20 s
- Attempts: at once
- After the last attempt: set \`receiver.live\` = \`false\`
- Guarantee: at least once
- Order of arrival: none`,
  endpoints: `### \`POST /tags\`

- Body: new \`Tag\`

1. Create a \`Tag\` as \`tag\` from \`body\`.
2. Emit \`item.tagged\` of \`tag\`.
3. Respond \`201\` with no body.

### \`GET /tags\`

1. Respond \`200\` with list of \`Tag\` of \`tags\`.

### \`GET /whole\`

1. Respond \`200\` with list of \`Whole\` of \`items\`.`,
};

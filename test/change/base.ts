/** The document that is changed: rows of each kind, keys, messages, timers and a stream. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { movableClock, serve } from "../../src/serve/index.ts";
import { document as frame } from "../run/document.ts";
import { document } from "../serve/document.ts";

export const TEAMS = `### \`Team\`, many \`teams\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |`;

export const base = frame({
  resources: `### \`Item\`, many \`items\`

- Missing \`team\`: \`gone\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`it_\` | no | no | yes | none |
| \`title\` | string | required | no | yes | 1 to 40 characters |
| \`price\` | decimal 2 | required | no | yes | none |
| \`size\` | integer | required | no | yes | \`0\` to \`9\` |
| \`kind\` | one of \`a\`, \`b\` | required | no | yes | none |
| \`team\` | \`Team\` | required | no | yes | deleted with it |
| \`note\` | string or null | required | no | yes | none |
| \`tags\` | list of string | required | no | yes | none |
| \`box\` | \`Box\` | required | no | yes | none |
| \`at\` | timestamp | required | no | yes | none |
| \`key\` | secret | required | no | no | kept as SHA-256 |
| \`Note\` | string | required | no | yes | none |
| \`mail\` | string | required | no | yes | none |
| \`step\` | state | no | no | yes | none |

${TEAMS}

### \`Job\`, many \`jobs\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`number\` | integer | no | no | yes | counts up from 1 |
| \`begins\` | timestamp | required | no | yes | none |
| \`beats\` | integer | no | no | yes | starts \`0\` |
| \`run\` | state | no | no | yes | none |

### \`Hook\`, many \`hooks\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`url\` | uri | required | no | yes | none |

### \`Box\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`wide\` | integer | required | no | yes | none |
| \`deep\` | decimal 1 or null | required | no | yes | none |`,
  states: `- No states: \`Team\`, \`Hook\`

### \`Job\`

- Held in: \`run\`
- States: \`new\` (initial), \`ran\`, \`faded\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 5 s after
- At the same time: free

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`start\` | \`new\` | \`ran\` | time \`begins\` | none | none |
| \`beat\` | \`new\`, \`ran\` | \`ran\` | every 1 h | none | set \`it.beats\` = \`it.beats + 1\` |
| \`fade\` | \`ran\` | \`faded\` | by itself within 10 h | none | none |

### \`Item\`

- Held in: \`step\`
- States: \`open\` (initial), \`done\` (final)
- Any other transition: refused with \`refused\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`finish\` | \`open\` | \`done\` | step | none | none |`,
  every: "- Who: none\n\n1. Check the inputs.\n2. Check the idempotency key.\n3. Check the paths.",
  endpoints: `### \`POST /teams\`

- Body: new \`Team\`

1. Create a \`Team\` as \`team\` from \`body\`.
2. Respond \`201\` with \`Team\` of \`team\`.

### \`POST /items\`

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
3. Respond \`201\` with \`Item\` of \`item\`.

### \`POST /jobs\`

- Body: new \`Job\`

1. Create a \`Job\` as \`job\` from \`body\`.
2. Respond \`201\` with \`Job\` of \`job\`.

### \`GET /jobs\`

1. Respond \`200\` with list of \`Job\` of \`jobs\`.

### \`POST /hooks\`

- Body: new \`Hook\`

1. Create a \`Hook\` as \`hook\` from \`body\`.
2. Respond \`201\` with \`Hook\` of \`hook\`.

### \`POST /items/{id}/finish\`

- Body: none
- Path \`id\`: \`item\`, the \`Item\` by \`id\`, else \`gone\`

1. Fire \`finish\` on \`item\`.
2. Respond \`204\` with no body.

### \`GET /items\`

1. Respond \`200\` with list of \`Item\` of \`items\`.

### \`GET /items/with/{tag}\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`tag\` | path | string | yes | none |

1. Respond \`200\` with list of \`Item\` of \`items.filter(i, path.tag in i.tags)\`.`,
  events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`item.made\` | \`Item\` | \`Item\` of \`it\` | webhook \`calls\`; stream \`feed\` |

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
- Sees: \`"x" in it.tags\`
- Resume: from \`Last-Event-ID\`, kept 24 h
- Ends: none

### \`Envelope\`, a shape

| Field | Type | Value |
|---|---|---|
| \`delivery\` | string | \`delivery\` |
| \`data\` | json | \`data\` |`,
});

export const ITEM = {
  ...{ title: "tea", price: 4.57, size: 7, kind: "b", team: "red", note: null, tags: ["x", "y"] },
  ...{
    box: { wide: 3, deep: null },
    at: "2026-01-02T03:04:05Z",
    key: "k",
    Note: "big",
    mail: "a@b.example",
  },
};

/** The second row. */
export const OTHER = {
  ...ITEM,
  title: "soap",
  mail: "A@b.example",
  box: { wide: -1, deep: 2.5 },
  note: "n",
};

/** Plain replacements of a text that stands once. */
export type Edit = readonly (readonly [from: string, to: string])[];

export function edited(edit: Edit): string {
  return edit.reduce((text, [from, to]) => {
    assert.equal(text.split(from).length, 2, `${from} stands once`);
    return text.replace(from, () => to);
  }, base);
}

export type Row = Record<string, unknown>;

/** A request of JSON, whose answer must be a success; `body` "": a POST without one. */
export async function ask(
  address: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<unknown> {
  const headers = {
    "Content-Type": "application/json",
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
  };
  const given = body === "" ? {} : { headers, body: JSON.stringify(body) };
  const sent = body === undefined ? {} : { method: "POST", ...given };
  const answer = await fetch(address + path, sent);
  const text = await answer.text();
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** A store in which the document has kept what it keeps, and what was answered then. */
export interface Kept {
  readonly file: string;
  readonly rows: readonly Row[];
  /** The answer to the request with the key `k1`, of `ITEM`. */
  readonly first: Row;
  readonly jobs: readonly Row[];
  /** What the stream has sent: id and data of each event. */
  readonly told: readonly Told[];
  readonly now: bigint;
}

/** An event as a stream sends it. */
export interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** The next events of a stream. `after`: the id of the last one before them. */
export async function listen(
  address: string,
  count: number,
  after?: string,
  path = "/feed",
): Promise<Told[]> {
  const stop = new AbortController();
  const headers = after === undefined ? {} : { "Last-Event-ID": after };
  const { body, status } = await fetch(`${address}${path}`, { signal: stop.signal, headers });
  assert.equal(status, 200);
  assert.ok(body);
  let text = "";
  const found = (): string[] => text.split("\n\n").slice(0, -1);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  while (found().filter((one) => one.includes("id: ")).length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  stop.abort();
  return found()
    .filter((one) => one.includes("id: "))
    .map((one) => {
      const of = (name: string): string =>
        one
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? "";
      return { id: of("id"), event: of("event"), data: JSON.parse(of("data")) };
    });
}

export const HOUR = 3_600_000_000n;
const START = 1_800_000_000_000_000n;

/** Makes the store in a folder. `receiver`: where messages go, at which nobody answers yet. */
export async function keep(folder: string, receiver: string): Promise<Kept> {
  const file = join(folder, "base.sqlite");
  const clock = movableClock(START);
  const { plan, origins } = document(base);
  const { address, stop } = await serve(plan, { origins, file, inline: true, clock });
  await ask(address, "/teams", { name: "red" });
  await ask(address, "/hooks", { url: receiver });
  await ask(address, "/jobs", { begins: "2027-01-15T08:30:00Z" });
  await ask(address, "/jobs", { begins: "2027-01-16T08:30:00Z" });
  const listening = listen(address, 2);
  const first = (await ask(address, "/items", ITEM, "k1")) as Row;
  const { id } = (await ask(address, "/items", OTHER)) as { id: string };
  await ask(address, `/items/${id}/finish`, "");
  const [told, rows, jobs] = [
    await listening,
    (await ask(address, "/items")) as Row[],
    (await ask(address, "/jobs")) as Row[],
  ];
  await stop();
  assert.equal(rows.length, 2);
  return { file, rows, first, jobs, told, now: START };
}

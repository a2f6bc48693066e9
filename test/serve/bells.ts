/** Bells that ring and hooks that are told of it: a service with a webhook, and its callers. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Running, ServeOptions } from "../../src/serve/index.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";

export const SECOND = 1_000_000n;
export const SECRET = `whsec_${Buffer.from("a secret of some thirty-two bytes").toString("base64")}`;

/** Bells that ring, and hooks that are told. */
export function bells(bullets: Partial<Record<string, string>> = {}) {
  return document(bellsText(bullets));
}

/** The document itself. */
export function bellsText(bullets: Partial<Record<string, string>> = {}): string {
  const said = {
    Signature: "Standard Webhooks v1 with `receiver.secret`",
    Attempts: "at once, then after 5 s, 10 s",
    Guarantee: "at least once",
    "Order of arrival": "none",
    "Delivered when": "any 2xx within 1 s",
    ...bullets,
  };
  return passages({
    resources: `### \`Hook\`, many \`hooks\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`url\` | uri | required | no | yes | none |
| \`secret\` | secret | required | no | no | kept as it is |
| \`enabled\` | boolean | no | no | yes | starts \`true\` |

### \`Bell\`, many \`bells\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`at\` | timestamp or null | optional | no | yes | starts \`null\` |
| \`status\` | state | no | no | yes | none |`,
    states: `- No states: \`Hook\`

### \`Bell\`

- Held in: \`status\`
- States: \`quiet\` (initial), \`rung\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 1 s after
- At the same time: free

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`strike\` | \`quiet\` | \`rung\` | time \`at\` | none | emit \`bell.rung\` of \`it\` |`,
    endpoints: `### \`POST /hooks\`

- Body: new \`Hook\`

1. Create a \`Hook\` as \`hook\` from \`body\`.
2. Respond \`201\` with \`Hook\` of \`hook\`.

### \`GET /hooks/{name}\`

- Path \`name\`: \`hook\`, the \`Hook\` by \`name\`, else \`gone\`

1. Respond \`200\` with \`Hook\` of \`hook\`.

### \`DELETE /hooks/{name}\`

- Path \`name\`: \`hook\`, the \`Hook\` by \`name\`, else \`gone\`

1. Delete \`hook\`.
2. Respond \`204\` with no body.

### \`POST /bells\`

- Body: new \`Bell\`

1. Create a \`Bell\` as \`bell\` from \`body\`.
2. Emit \`bell.made\` of \`bell\`.
3. Require \`body.name != "cracked"\`, else \`refused\`.
4. Respond \`201\` with \`Bell\` of \`bell\`.`,
    events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`bell.made\` | \`Bell\` | \`Bell\` of \`it\` | webhook \`hooks\` |
| \`bell.rung\` | \`Bell\` | \`Bell\` of \`it\` | webhook \`hooks\` |

### \`hooks\`, a webhook

- Receivers: each \`Hook\` where \`receiver.enabled && it.name != "secret"\`
- Address: \`receiver.url\`
- Sent as: \`POST\` with \`Envelope\`
- After the last attempt: set \`receiver.enabled\` = \`false\`
- Answer \`410\`: set \`receiver.enabled\` = \`false\`
${Object.entries(said)
  .map(([key, value]) => `- ${key}: ${value}`)
  .join("\n")}

### \`Envelope\`, a shape

| Field | Type | Value |
|---|---|---|
| \`type\` | string | \`event\` |
| \`sentAt\` | timestamp in seconds | \`sent\` |
| \`id\` | string | \`delivery\` |
| \`data\` | json | \`data\` |`,
  });
}

export const START = 1_800_000_000n * SECOND;

export interface Service extends Running {
  readonly clock: ReturnType<typeof movableClock>;
  readonly lines: string[];
}

export async function started(
  t: TestContext,
  spec = bells(),
  options: ServeOptions = {},
): Promise<Service> {
  const clock = movableClock(START);
  const lines: string[] = [];
  const where = options.file === undefined ? { memory: true } : {};
  const all = { clock, allowPrivateReceivers: true, ...where, ...options };
  const running = await serve(spec.plan, { ...all, log: (line) => lines.push(line) });
  t.after(() => running.stop());
  return { ...running, clock, lines };
}

export async function post(address: string, path: string, body: object): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${address}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return answer.status;
}

export const hook = (name: string, url: string): object => ({ name, url, secret: SECRET });

export async function isEnabled(address: string, name: string): Promise<boolean> {
  const answer = await fetch(`${address}/hooks/${name}`);
  return ((await answer.json()) as { enabled: boolean }).enabled;
}

/** Waits until a condition holds; fails after a while. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_000; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail("it never came to hold");
}

export const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "../../../src/serve/index.ts";
import { eventName } from "../../event-name.ts";
import { document } from "../../serve/document.ts";
import type { Kind } from "./documents.ts";
import { documentOf, USERS } from "./documents.ts";
import type { State } from "./states.ts";
import { lockOf } from "./states.ts";

type As = State["as"];

/** What each operation gets, written by hand. A note of ada's is what `{note}` names. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly expected: Readonly<Record<As, number>>;
}

const NOT_IN = { bad: 401, none: 401 } as const;

const OPERATIONS: readonly Operation[] = [
  {
    method: "GET",
    path: "/open",
    expected: { ada: 200, bob: 200, root: 200, bad: 200, none: 200 },
  },
  {
    method: "GET",
    path: "/maybe",
    expected: { ada: 200, bob: 200, root: 200, bad: 401, none: 200 },
  },
  { method: "GET", path: "/me", expected: { ada: 200, bob: 200, root: 200, ...NOT_IN } },
  {
    method: "POST",
    path: "/notes",
    body: `{"text":"x"}`,
    expected: { ada: 201, bob: 201, root: 403, ...NOT_IN },
  },
  { method: "GET", path: "/notes/{note}", expected: { ada: 200, bob: 404, root: 200, ...NOT_IN } },
  { method: "HEAD", path: "/notes/{note}", expected: { ada: 200, bob: 404, root: 200, ...NOT_IN } },
  {
    method: "DELETE",
    path: "/notes/{note}",
    expected: { ada: 204, bob: 404, root: 404, ...NOT_IN },
  },
  { method: "GET", path: "/feed", expected: { ada: 200, bob: 200, root: 403, ...NOT_IN } },
  { method: "GET", path: "/admin", expected: { ada: 403, bob: 403, root: 200, ...NOT_IN } },
];

type Credentials = Pick<State, "authorization" | "cookie" | "query">;

function ask(
  address: string,
  { method, path, body }: Operation,
  credentials: Credentials = {},
  lastEvent?: string,
): Promise<Response> {
  const { authorization, cookie, query } = credentials;
  const headers: Record<string, string> =
    body === undefined ? {} : { "Content-Type": "application/json" };
  if (authorization !== undefined) headers.Authorization = authorization;
  if (cookie !== undefined) headers.Cookie = cookie;
  if (path === "/feed" && lastEvent !== undefined) headers["Last-Event-ID"] = lastEvent;
  const url = address + path + (query === undefined ? "" : `?${query}`);
  return fetch(url, { method, headers, body });
}

const POST_NOTE: Operation = {
  method: "POST",
  path: "/notes",
  body: `{"text":"of ada"}`,
  expected: { ada: 201, bob: 201, root: 403, ...NOT_IN },
};

const STREAM_MS = 150;

/** What a stream sends in a while, or until the text is there. */
async function streamed(answer: Response, until: string): Promise<string> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const late = setTimeout(() => void reader.cancel(), STREAM_MS);
  let text = "";
  while (!text.includes(until)) {
    const part = await reader.read();
    if (part.done) break;
    text += decoder.decode(part.value, { stream: true });
  }
  clearTimeout(late);
  await reader.cancel();
  return text;
}

/** What is wrong with one answer. `note`: the id of a note of ada's. */
async function wrong(
  answer: Response,
  { path, expected }: Operation,
  { as, query, note }: State & { readonly note: string },
): Promise<string | undefined> {
  // Where credentials are not read, their parameter is one that the document does not know.
  const due = path === "/open" && query !== undefined ? 400 : expected[as];
  const isStream = path === "/feed" && answer.status === 200;
  const text = isStream ? await streamed(answer, note) : await answer.text();
  if (isStream && text.includes(note) !== (as === "ada")) return `${as} sees ${text}`;
  if (answer.status !== due) return `${answer.status} instead of ${due}: ${text}`;
  if (answer.status === 401 && !answer.headers.has("www-authenticate")) return "401, no challenge";
  if (answer.status === 401 && text !== "") {
    const error = as === "none" ? "login" : "unauthorized";
    if (text !== JSON.stringify({ error })) return text;
  }
  if ((path === "/me" || path === "/maybe") && answer.status === 200) {
    const name = as === "none" ? null : as;
    if (text !== JSON.stringify({ name })) return text;
  }
  return undefined;
}

/** The name of an event that happens before all others. */
function firstEvent(address: string, owner: State | undefined): Promise<string> {
  const { authorization, cookie, query } = owner ?? {};
  const headers = {
    ...(authorization !== undefined && { Authorization: authorization }),
    ...(cookie !== undefined && { Cookie: cookie }),
  };
  const url = `${address}/feed${query === undefined ? "" : `?${query}`}`;
  return eventName(url, headers, () => ask(address, POST_NOTE, owner));
}

const KINDS: readonly Kind[] = ["opaque", "query", "cookie", "basic", "HS256", "RS256"];

for (const kind of KINDS) {
  test(`${kind}: every operation in every state of credentials, no false acceptance`, async (t) => {
    const { setting, states } = await lockOf(kind);
    const running = await serve(document(documentOf(kind)).plan, {
      memory: true,
      settings: { token_key: setting },
      startRows: JSON.stringify({ User: USERS }),
    });
    t.after(() => running.stop());
    const owner = states.find(({ as }) => as === "ada");
    const faults: string[] = [];
    const last = await firstEvent(running.address, owner);
    let count = 0;
    const noted = async (): Promise<string> => {
      const made = await ask(running.address, POST_NOTE, owner);
      return ((await made.json()) as { id: string }).id;
    };
    for (const state of states) {
      let id = await noted();
      for (const operation of OPERATIONS) {
        const path = operation.path.replace("{note}", id);
        const answer = await ask(running.address, { ...operation, path }, state, last);
        const fault = await wrong(answer, operation, { ...state, note: id });
        count++;
        if (fault !== undefined) {
          faults.push(`${operation.method} ${operation.path}, ${state.name}: ${fault}`);
        }
        if (operation.method !== "DELETE") continue;
        const left = await ask(running.address, { ...operation, method: "GET", path }, owner);
        const kept = state.as === "ada" ? 404 : 200;
        if (left.status !== kept) faults.push(`${state.name}: the note is ${left.status}`);
        id = await noted();
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(count >= 100, `${count} cases`);
    console.log(`${kind}: ${states.length} states, ${count} cases`);
  });
}

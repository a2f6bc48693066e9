/** What stands for requests of which a service takes few, and what requests hang on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "../../../src/serve/index.ts";
import { Session } from "../../../src/verify/session.ts";
import { Links, type NamedRequest, namedRequests } from "../../../src/verify/shrink/named.ts";
import { Scarce, type StandIns } from "../../../src/verify/shrink/scarce.ts";
import { Sought } from "../../../src/verify/shrink/sought.ts";
import { Client, nowMicros } from "../../../src/verify/talk/client.ts";
import type { Answer } from "../../../src/verify/world/message.ts";
import { compiled, documentOf, toldOf } from "../clauses/trial.ts";

const TAG = "v12345678";

interface Asking {
  readonly session: Session;
  ask(method: string, target: string, of: { body?: object; token?: string }): Promise<Answer>;
}

/** Does something with a service of a document, whose answers are judged. */
async function against(name: string, act: (asking: Asking) => Promise<void>): Promise<void> {
  const document = documentOf(name);
  const found = compiled(document.text);
  assert.ok(found !== undefined);
  const { plan, occurring } = found;
  const { settings, rows: startRows } = document;
  const running = await serve(plan, {
    ...{ memory: true, inline: true, standIns: true, allowPrivateReceivers: true, settings },
    ...(startRows === undefined ? {} : { startRows }),
  });
  try {
    const told = toldOf(document, plan);
    const given = { settings: told.settings, given: told.rows, occurring, now: nowMicros() };
    const session = new Session(plan, { tag: TAG, ...given });
    const client = new Client(new URL(running.address));
    await act({
      session,
      ask: async (method, target, { body, token }) => {
        const headers: [string, string][] = [["Content-Type", "application/json"]];
        if (token !== undefined) headers.push(["Authorization", `Bearer ${token}`]);
        const text = body === undefined ? {} : { body: JSON.stringify(body) };
        const request = { method, target, headers, ...text };
        const answer = await client.ask(request);
        session.judged(request, answer);
        return answer;
      },
    });
  } finally {
    await running.stop();
  }
}

const member = ({ body = "" }: Answer, name: string): string => JSON.parse(body)[name];

test("the search for stand-ins ends where none of very many choices hangs together", async () => {
  await against("lobby", async ({ session, ask }) => {
    const password = "correct horse";
    const [ann, bob] = [`${TAG}ann`, `${TAG}bob`];
    const login = async (handle: string): Promise<string> =>
      member(await ask("POST", "/v1/sessions", { body: { handle, password } }), "token");
    const times = async (count: number, handle: string): Promise<string> => {
      for (let i = 1; i < count; i++) await login(handle);
      return await login(handle);
    };
    await ask("POST", "/v1/players", { body: { handle: ann, password } });
    const token = await times(10, ann);
    await ask("POST", "/v1/players", { body: { handle: bob, password } });
    await times(9, bob);
    const lobby = { name: "Friday", game: "reversi", size: 2 };
    assert.equal((await ask("POST", "/v1/lobbies", { body: lobby, token })).status, 201);
    const named = namedRequests(session, TAG);
    const all = [...named.requests.slice(0, 11), named.requests[21] as NamedRequest];
    const scarce = new Scarce(session, named, TAG);
    assert.equal(scarce.among(all).size, 11);
    // In 9! orders the logins of bob stand for nine of those of ann, and none for the tenth.
    const fitting = (one: StandIns): StandIns => one;
    assert.equal(scarce.standIns(all, { isApart: true, fitting }), undefined);
  });
});

test("a player who has done nothing else stands for another one, with what he has now", async () => {
  await against("lobby", async ({ session, ask }) => {
    const password = "correct horse";
    const [ann, bob] = [`${TAG}ann`, `${TAG}bob`];
    const login = async (handle: string): Promise<string> =>
      member(await ask("POST", "/v1/sessions", { body: { handle, password } }), "token");
    await ask("POST", "/v1/players", { body: { handle: ann, password } });
    const token = await login(ann);
    await ask("POST", "/v1/players", { body: { handle: bob, password } });
    await login(bob);
    const lobby = { name: "Friday", game: "reversi", size: 2 };
    assert.equal((await ask("POST", "/v1/lobbies", { body: lobby, token })).status, 201);
    const now = await login(bob);
    const named = namedRequests(session, TAG);
    const links = new Links(named);
    assert.deepEqual([...links.makers([5])].toSorted(), [1, 2]);
    const all = [1, 2, 5].map((number) => named.requests[number - 1] as NamedRequest);
    const scarce = new Scarce(session, named, TAG);
    assert.deepEqual([...scarce.among(all)], all.slice(0, 2));
    const tokenOf = (one: StandIns | undefined): string =>
      JSON.parse(one?.taken.get(all[1] as NamedRequest)?.answer.body ?? "{}").token;
    const fitting = (one: StandIns): StandIns => one;
    const apart = scarce.standIns(all, { isApart: true, fitting });
    assert.equal(tokenOf(apart), now);
    assert.ok([...(apart?.known.values() ?? [])].some((text) => now.includes(text)));
    // Of ann a seat and a lobby are kept, and bob was used.
    assert.equal(scarce.standIns(all, { isApart: true, fitting }), undefined);
    const none = (): undefined => undefined;
    assert.equal(scarce.standIns(all, { isApart: false, fitting: none }), undefined);
    for (const which of [now, token]) {
      const has = (one: StandIns) => (tokenOf(one) === which ? one : undefined);
      assert.equal(tokenOf(scarce.standIns(all, { isApart: false, fitting: has })), which);
    }
  });
});

test("what a list in an item shows otherwise is sought in lists of one item", async () => {
  await against("orders", async ({ session, ask }) => {
    const opened = await ask("POST", "/v1/accounts", { body: { name: `${TAG}Ada` } });
    const token = member(opened, "key");
    const hook = { url: `https://127.0.0.1/${TAG}`, events: ["order.paid", "order.expired"] };
    await ask("POST", "/v1/hooks", { body: hook, token });
    await ask("GET", "/v1/hooks", { token });
    const [, , exchange] = session.exchanges;
    assert.ok(exchange !== undefined);
    const { ran } = exchange.judgement;
    const isSought = (...where: (string | number)[]): boolean => {
      const difference = { in: "body", where, expected: '"a"', observed: '"b"' } as const;
      const { answer, number, request } = exchange;
      const broken = { ...{ items: [], number, request, answer }, differences: [difference] };
      return new Sought(session.plan, broken as never, exchange).isForeseen(ran);
    };
    assert.ok(isSought(0, "url"));
    assert.ok(isSought(0, "events", 4));
    assert.ok(!isSought(1, "url"));
  });
});

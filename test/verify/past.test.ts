/** A service that had data before it was watched: these are no alarm, and the rest is judged. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { check, plan as compile, occurrencesOf } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { namesOf } from "../../src/run/index.ts";
import { Session } from "../../src/verify/session.ts";
import { nowMicros } from "../../src/verify/talk/client.ts";
import { Adopting } from "../../src/verify/world/adopt.ts";
import type { Answer } from "../../src/verify/world/message.ts";
import { examples } from "../export/examples.ts";
import { ROOT, type Served, served } from "../peers/served.ts";

const TODO = "examples/todo/spec.md";

/** A session that watches a service, which may have had data before. */
function watching(hasPast: boolean, file = TODO): Session {
  const checked = check(read(readFileSync(join(ROOT, file))));
  const planned = compile(checked);
  assert.ok(planned !== undefined);
  const occurring = occurrencesOf(checked.service);
  return new Session(planned.plan, { tag: "", occurring, now: nowMicros(), hasPast });
}

type Send = (method: string, target: string, body?: unknown) => Promise<[string, string]>;

/** Sends requests to a service, and has the answers judged; gives what came of it and the body. */
function through(address: string, session: Session, wrong?: (text: string) => string): Send {
  return async (method, target, body) => {
    const sent = nowMicros();
    const headers = [["Content-Type", "application/json"]] as const;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request = { method, target, headers, body: text };
    const response = await fetch(address + target, {
      method,
      headers: { "Content-Type": "application/json" },
      ...(text === undefined ? {} : { body: text }),
    });
    const said = await response.text();
    const answer: Answer = {
      status: response.status,
      headers: [...response.headers],
      body: wrong?.(said) ?? (said || undefined),
      sent,
      received: nowMicros(),
    };
    const { is } = session.judged(request, answer);
    return [is, said];
  };
}

let service: Served | undefined;
before(async () => void (service = await served({ args: [TODO] })));
after(() => service?.stop());

/** Makes a row that no session has seen. */
async function onTodo(act: (address: string, old: string) => Promise<void>): Promise<void> {
  const { address = "" } = service ?? {};
  const made = await fetch(`${address}/todos`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"title":"from before"}',
  });
  await act(address, ((await made.json()) as { id: string }).id);
}

test("rows from before are taken in from answers, and judged from then on", () =>
  onTodo(async (address, old) => {
    const session = watching(true);
    const send = through(address, session);
    assert.equal((await send("GET", `/todos/${old}`))[0], "as stated");
    assert.equal((await send("PATCH", `/todos/${old}`, { title: "other" }))[0], "as stated");
    assert.equal((await send("POST", `/todos/${old}/finish`))[0], "as stated");
    assert.equal((await send("GET", "/todos"))[0], "as stated");
    const again = await send("POST", `/todos/${old}/finish`);
    assert.equal(again[0], "as stated");
    assert.match(again[1], /already_done/);
    const changed = through(address, session, (text) => text.replace("other", "another"));
    assert.equal((await changed("GET", `/todos/${old}`))[0], "broken");
  }));

test("what a request does to a row that was never seen is not judged, nor held against it", () =>
  onTodo(async (address, old) => {
    const session = watching(true);
    const send = through(address, session);
    assert.equal((await send("POST", `/todos/${old}/finish`))[0], "unstated");
    assert.equal((await send("POST", `/todos/${old}/finish`))[0], "as stated");
    assert.equal((await send("DELETE", `/todos/${old}`))[0], "as stated");
    assert.equal((await send("GET", `/todos/${old}`))[0], "as stated");
  }));

test("a list with rows from before is judged with them; one of ours is not to be changed", () =>
  onTodo(async (address) => {
    const session = watching(true);
    const send = through(address, session);
    const mine = JSON.parse((await send("POST", "/todos", { title: "mine" }))[1]).id;
    assert.equal((await send("GET", "/todos"))[0], "as stated");
    const changed = through(address, session, (text) => text.replace("mine", "theirs"));
    assert.equal((await changed("GET", `/todos/${mine}`))[0], "broken");
    assert.deepEqual(session.breaks.length, 1);
  }));

test("where a service had no data before, a row that nobody has made is broken", () =>
  onTodo(async (address, old) => {
    const send = through(address, watching(false));
    assert.equal((await send("GET", `/todos/${old}`))[0], "broken");
  }));

test("after a request that nobody could judge, its rows are known again when they are shown", () =>
  onTodo(async (address) => {
    const session = watching(false);
    const send = through(address, session);
    const mine = JSON.parse((await send("POST", "/todos", { title: "mine" }))[1]).id;
    const other = watching(false);
    await through(address, other)("PATCH", `/todos/${mine}`, { title: "else" });
    session.judge.disturb({ method: "PATCH", target: `/todos/${mine}` }, 0, nowMicros());
    assert.equal((await send("GET", `/todos/${mine}`))[0], "as stated");
    const wrong = through(address, session, (text) => text.replace("else", "mine"));
    assert.equal((await wrong("GET", `/todos/${mine}`))[0], "broken");
  }));

for (const { name, file = `examples/${name}/spec.md` } of examples) {
  test(`rows that are taken in have times of their own: ${name}`, () => {
    const { judge, plan } = watching(true, file);
    const adopting = new Adopting(judge.world, namesOf(plan));
    for (const resource of plan.resources) {
      const field = resource.fields.find((one) => one.name === resource.key);
      if (field === undefined) continue;
      const key = field.type.type.kind === "integer" ? "7" : JSON.stringify("x_7");
      const fields = new Map([[field.name, JSON.parse(key)]]);
      const row = adopting.take({ resource, fields, named: new Map() });
      if (row === undefined) continue;
      assert.doesNotThrow(() => judge.world.nextDue(0n), resource.name);
      assert.deepEqual(judge.world.fire(1n), []);
    }
  });
}

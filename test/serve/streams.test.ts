/** Streams: the form of what is sent, who sees what, resuming, ends, slow readers, stopping. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { sinkOf } from "../../src/serve/http/sink.ts";
import type { Running, ServeOptions } from "../../src/serve/index.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { Hub, type Sink } from "../../src/serve/streams/hub.ts";
import { EventNames } from "../../src/serve/streams/names.ts";
import { eventName } from "../event-name.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";
import { type Heard, listen, pause } from "./listen.ts";
import { talk } from "./talk.ts";

const SECOND = 1_000_000n;
const START = 1_800_000_000n * SECOND;

interface Said {
  readonly resume?: string;
  readonly ends?: string;
  readonly sees?: string;
  readonly path?: string;
  readonly who?: string;
  /** A row of a further field of notes, before all others. */
  readonly further?: string;
}

/** Notes of users; each hears of its own, and of those that are for everybody. */
function notes({
  resume = "from `Last-Event-ID`, kept 1 h",
  ends = "none",
  sees,
  path,
  who,
  further = "",
}: Said = {}) {
  return document(
    passages({
      about:
        "- Cross-origin: from `https://app.example`\n- One request: all or nothing, as if alone",
      resources: `### \`User\`, many \`users\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`secret\` | secret | required | no | no | kept as SHA-256; unique, else \`taken\` |

### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
${further}| \`id\` | id | no | no | yes | none |
| \`owner\` | \`User\` | no | no | yes | its deletion is refused, else \`refused\` |
| \`text\` | string | required | no | yes | none |
| \`open\` | boolean | optional | optional | yes | starts \`false\` |`,
      states: "- No states: `User`, `Note`",
      every: "- Who: `user`\n\n1. Check the caller.\n2. Check the inputs.\n3. Check the paths.",
      endpoints: `### \`POST /users\`

- Who: none
- Body: new \`User\`

1. Create a \`User\` as \`user\` from \`body\`.
2. Respond \`201\` with \`User\` of \`user\`.

### \`DELETE /me\`

1. Delete every \`Note\` where \`it.owner == caller\`.
2. Delete \`caller\`.
3. Respond \`204\` with no body.

### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\` with \`owner\` = \`caller\`.
2. Emit \`note.made\` of \`note\`.
3. Require \`body.text != "cracked"\`, else \`refused\`.
4. Respond \`201\` with \`Note\` of \`note\`.

### \`PATCH /notes/{id}\`

- Path \`id\`: \`note\`, the \`Note\` by \`id\`, else \`gone\`
- Body: changed \`Note\`

1. Set \`note\` from \`body\`, given members only.
2. Emit \`note.opened\` of \`note\`.
3. Respond \`204\` with no body.`,
      authentication: `| Actor | Holds when |
|---|---|
| \`user\` | \`caller.name != ""\` |
| \`anyone\` | always |

### \`key\`, a scheme

- Sent in: header \`X-Key\`, form \`{credential}\`
- Credential: opaque
- Caller: the \`User\` where \`password_matches(it.secret, credential)\`, else \`refused\`
- Revocation: none`,
      events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`note.made\` | \`Note\` | \`Note\` of \`it\` | stream \`feed\` |
| \`note.opened\` | \`Note\` | none | stream \`feed\` |

### \`feed\`, a stream

- Path: \`GET ${path ?? "/feed"}\`
- Who: ${who ?? "`user`"}
- Sees: ${sees ?? "`it.open || it.owner == caller`"}
- Resume: ${resume}
- Ends: ${ends}`,
      failures:
        "| unknown method | `gone` |\n| no credentials | `refused` |\n| bad credentials | `refused` |\n" +
        "| not permitted | `refused` |\n| bad credentials where optional | ignored |",
    }),
  );
}

interface Service {
  readonly address: string;
  readonly port: number;
  readonly clock: ReturnType<typeof movableClock>;
  stop(): Promise<void>;
  take: Running["take"];
}

async function started(
  t: TestContext,
  spec = notes(),
  options: ServeOptions = {},
): Promise<Service> {
  const clock = movableClock(START);
  const where = options.file === undefined ? { memory: true } : {};
  const running = await serve(spec.plan, { clock, ...where, ...options });
  t.after(() => running.stop());
  return { ...running, clock };
}

async function post(address: string, path: string, body: object, key = ""): Promise<number> {
  const headers = { "Content-Type": "application/json", ...(key === "" ? {} : { "X-Key": key }) };
  const answer = await fetch(`${address}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return answer.status;
}

const note = (address: string, key: string, text: string, open = false): Promise<number> =>
  post(address, "/notes", { text, open }, key);

async function users(address: string, ...names: string[]): Promise<void> {
  for (const name of names)
    assert.equal(await post(address, "/users", { name, secret: name }), 201);
}

/** So many turns of the event loop that all that is to be read at once is read. */
async function turns(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}

const textOf = ({ data }: Heard): string => (JSON.parse(data) as { text: string }).text;

for (const inline of [true, false]) {
  test(`served: headings/stream, bullets/stream/stream path, bullets/stream/stream who, bullets/stream/sees, bullets/stream/ends/none: what was committed is sent to whoever sees it (${inline})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-stream-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { address } = await started(t, notes(), { file: join(folder, "a.sqlite"), inline });
    await users(address, "ann", "bob");
    const ann = listen(t, address, { "X-Key": "ann", Origin: "https://app.example" });
    const bob = listen(t, address, { "X-Key": "bob" });
    const head = await ann.opened;
    await bob.opened;
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-type"), "text/event-stream");
    assert.equal(head.headers.get("content-length"), null);
    assert.equal(head.headers.get("access-control-allow-origin"), "https://app.example");
    assert.equal(await note(address, "ann", "one\ntwo\r\n\u2028three"), 201);
    assert.equal(await note(address, "ann", "cracked"), 422);
    assert.equal(await note(address, "bob", "open", true), 201);
    const [first, second] = await ann.until(2);
    assert.equal(first?.event, "note.made");
    assert.ok(first);
    assert.equal(textOf(first), "one\ntwo\r\n\u2028three");
    assert.ok(second !== undefined && second.id !== first.id);
    assert.deepEqual((await bob.until(1)).map(textOf), ["open"]);
    await pause();
    assert.deepEqual([ann.heard.length, bob.heard.length], [2, 1]);
  });
}

test("a stream is refused like any request, and HEAD has no content", async (t) => {
  const { address, port } = await started(t);
  await users(address, "ann");
  assert.equal((await fetch(`${address}/feed`)).status, 422);
  assert.equal((await fetch(`${address}/feed`, { headers: { "X-Key": "eve" } })).status, 422);
  const post = await fetch(`${address}/feed`, { method: "DELETE" });
  assert.equal(post.headers.get("allow"), "GET, HEAD, OPTIONS");
  const one = talk(port);
  one.send("HEAD /feed HTTP/1.1\r\nHost: x\r\nX-Key: ann\r\n\r\n");
  const head = await one.receive(/\r\n\r\n/);
  assert.match(head, /^HTTP\/1.1 200 OK\r\n/);
  assert.match(head, /Content-Type: text\/event-stream\r\n/);
  one.socket.destroy();
});

test("nobody known may listen where that is stated, and sees what is for everybody", async (t) => {
  const spec = notes({ who: "`user` or `anyone`", sees: "`it.open`" });
  const { address } = await started(t, spec);
  await users(address, "ann");
  const some = listen(t, address);
  await some.opened;
  await note(address, "ann", "mine");
  await note(address, "ann", "ours", true);
  assert.deepEqual((await some.until(1)).map(textOf), ["ours"]);
});

test("served: bullets/stream/resume: who resumes gets what is missing, once, as it was, as far back as it is kept", async (t) => {
  const { address, clock } = await started(t);
  await users(address, "ann", "bob");
  const first = listen(t, address, { "X-Key": "ann" });
  await first.opened;
  await note(address, "ann", "zero");
  await note(address, "ann", "one");
  const [{ id: before } = { id: "" }, { id } = { id: "" }] = await first.until(2);
  first.close();
  clock.move(3_500n * SECOND);
  await note(address, "bob", "other");
  await note(address, "ann", "two");
  clock.move(50n * SECOND);
  await note(address, "ann", "three");
  const resume = async (last: string): Promise<readonly string[]> => {
    const one = listen(t, address, { "X-Key": "ann", "Last-Event-ID": last });
    await one.opened;
    await pause();
    one.close();
    return one.heard.map(textOf);
  };
  assert.deepEqual(await resume(id), ["two", "three"]);
  assert.deepEqual(await resume(before), ["one", "two", "three"]);
  clock.move(51n * SECOND);
  assert.deepEqual(await resume(before), ["two", "three"], "the first is past an hour old");
  const nearly = `${id.startsWith("A") ? "B" : "A"}${id.slice(1)}`;
  for (const never of ["0", "1", nearly, `${id}A`, "A".repeat(22), "9".repeat(400), "-1", " "]) {
    assert.deepEqual(await resume(never), [], `no event was named ${never}`);
  }
});

test("served: bullets/stream/resume/none: a stream that cannot be resumed begins now", async (t) => {
  const { address } = await started(t, notes({ resume: "none" }));
  await users(address, "ann");
  const headers = { "X-Key": "ann" };
  const name = await eventName(`${address}/feed`, headers, () => note(address, "ann", "early"));
  await note(address, "ann", "before");
  const one = listen(t, address, { ...headers, "Last-Event-ID": name });
  await one.opened;
  await note(address, "ann", "after");
  assert.deepEqual((await one.until(1)).map(textOf), ["after"]);
});

test("what is not shown of resuming is met by who resumes alone", async (t) => {
  const { address } = await started(t, notes({ resume: "not shown" }));
  await users(address, "ann");
  const headers = { "X-Key": "ann", "Last-Event-ID": "1" };
  assert.equal((await fetch(`${address}/feed`, { headers })).status, 501);
  const one = listen(t, address, { "X-Key": "ann" });
  assert.equal((await one.opened).status, 200);
});

test("names of events tell nothing of what others do, and are those of one stream", () => {
  const secret = new Uint8Array(32).fill(7);
  const [names, others] = [new EventNames(secret), new EventNames(new Uint8Array(32))];
  const all = Array.from({ length: 500 }, (_, i) => names.nameOf("feed", i));
  assert.equal(new Set(all).size, all.length);
  for (const [i, name] of all.entries()) {
    assert.match(name, /^[A-Za-z0-9_-]{22}$/);
    assert.equal(new EventNames(secret).numberOf("feed", name), i);
    assert.equal(names.numberOf("other", name), undefined, "of another stream");
    assert.equal(others.numberOf("feed", name), undefined, "of another store");
  }
  // Neighbours share no more bits than chance gives them: half.
  const bits = all.map((name) =>
    [...Buffer.from(name, "base64url")].map((one) => one.toString(2).padStart(8, "0")).join(""),
  );
  const same = bits.slice(1).map((one, i) => [...one].filter((bit, j) => bit === bits[i]?.[j]));
  const mean = same.reduce((sum, one) => sum + one.length, 0) / same.length;
  assert.ok(mean > 60 && mean < 68, `${mean} of 128 bits`);
});

/** What a running service is to serve next. */
function next(said: Said): Parameters<Running["take"]>[0] {
  const { plan, origins } = notes(said);
  return { plan, origins: JSON.stringify(origins), startRows: undefined };
}

test("a stream is resumed behind a restart, and goes on under an edited document", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-stream-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const first = await started(t, notes(), { file });
  await users(first.address, "ann");
  const one = listen(t, first.address, { "X-Key": "ann" });
  await one.opened;
  await note(first.address, "ann", "one");
  const [{ id } = { id: "" }] = await one.until(1);
  await note(first.address, "ann", "two");
  await first.stop();
  await one.reading;
  assert.ok(one.ended, "a service that stops ends its streams in order");
  const again = await started(t, notes(), { file });
  const two = listen(t, again.address, { "X-Key": "ann", "Last-Event-ID": id });
  await note(again.address, "ann", "three");
  assert.deepEqual((await two.until(2)).map(textOf), ["two", "three"]);
  const further = "| `place` | integer | no | no | no | starts `0` |\n";
  await again.take(next({ further, path: "/news" }));
  await note(again.address, "ann", "four");
  assert.deepEqual((await two.until(3)).map(textOf), ["two", "three", "four"]);
  const three = listen(t, again.address, { "X-Key": "ann", "Last-Event-ID": id }, "/news");
  assert.deepEqual((await three.until(3)).map(textOf), ["two", "three", "four"]);
  await again.take(next({ further, path: "/news/{of}" }));
  await Promise.all([two.reading, three.reading]);
  assert.ok(two.ended && three.ended, "a stream that is not stated any more ends");
});

test("served: bullets/stream/ends: a stream ends after the stated time, and not before", async (t) => {
  const { address, clock } = await started(t, notes({ ends: "after 10 min" }));
  await users(address, "ann");
  const early = listen(t, address, { "X-Key": "ann" });
  await early.opened;
  clock.move(60n * SECOND);
  const late = listen(t, address, { "X-Key": "ann" });
  await late.opened;
  clock.move(539n * SECOND);
  await note(address, "ann", "one");
  await early.until(1);
  assert.equal(early.ended, false);
  clock.move(SECOND);
  await early.reading;
  assert.equal(early.ended, true);
  await pause();
  assert.equal(late.ended, false);
  clock.move(60n * SECOND);
  await late.reading;
  assert.equal(late.ended, true);
});

test("a caller who is gone hears no more", async (t) => {
  const { address } = await started(t);
  await users(address, "ann", "bob");
  const one = listen(t, address, { "X-Key": "ann" });
  await one.opened;
  await fetch(`${address}/me`, { method: "DELETE", headers: { "X-Key": "ann" } });
  await note(address, "bob", "open", true);
  await one.reading;
  assert.deepEqual([one.heard.length, one.ended], [0, true]);
});

test("a reader that takes nothing delays nobody, and gets all when it takes again", async (t) => {
  const { address, port } = await started(t);
  await users(address, "ann");
  const slow = connect(port, "127.0.0.1");
  t.after(() => slow.destroy());
  slow.write("GET /feed HTTP/1.1\r\nHost: x\r\nX-Key: ann\r\n\r\n");
  await new Promise((resolve) => slow.once("data", resolve));
  slow.pause();
  const well = listen(t, address, { "X-Key": "ann" });
  await well.opened;
  const text = "x".repeat(100_000);
  for (let i = 0; i < 100; i++) assert.equal(await note(address, "ann", `${i} ${text}`), 201);
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  const all = await well.until(100);
  assert.deepEqual(
    all.map((one) => Number.parseInt(textOf(one), 10)),
    numbers,
  );
  let got = "";
  slow.setEncoding("utf8");
  slow.on("data", (more: string) => {
    got += more;
  });
  slow.resume();
  const ids = (): number[] => [...got.matchAll(/"text":"(\d+) x/g)].map((one) => Number(one[1]));
  for (let i = 0; i < 1_500 && ids().length < 100; i++) await pause(20);
  assert.deepEqual(ids(), numbers, "nothing is left out or twice");
});

test("nothing is read for a client that takes nothing", async () => {
  let [reads, written] = [0, 0];
  let drain = (): void => {};
  const hub = new Hub(
    {
      begin: () => 0,
      terms: () => ({ endsAt: undefined, beat: undefined }),
      states: () => true,
      read: (_, after) => {
        reads++;
        return { text: "some", after: after + 1, more: after < 9, gone: false };
      },
    },
    movableClock(START),
  );
  hub.open(
    {
      ...{ stream: "feed", path: [], caller: undefined, lastEventId: undefined },
      shown: { headers: [], query: "", address: "", hashed: [] },
    },
    {
      write: () => ++written % 5 !== 0,
      end: () => {},
      onDrained: (run) => {
        drain = run;
      },
      onClosed: () => {},
    },
  );
  await turns();
  assert.deepEqual([reads, written], [5, 5]);
  hub.wake();
  await turns();
  assert.equal(reads, 5);
  drain();
  await turns();
  assert.deepEqual([reads, written], [10, 10]);
  hub.stop();
});

test("who resumes far back is served in turns with everybody else", async (t) => {
  const { address } = await started(t, notes({ sees: "`it.owner == caller && it.open`" }));
  await users(address, "ann", "bob");
  const headers = { "X-Key": "ann" };
  const name = await eventName(`${address}/feed`, headers, () =>
    note(address, "ann", "early", true),
  );
  for (let i = 0; i < 20; i++) {
    await Promise.all(Array.from({ length: 100 }, () => note(address, "bob", "b")));
  }
  await note(address, "ann", "mine", true);
  const one = listen(t, address, { ...headers, "Last-Event-ID": name });
  assert.deepEqual((await one.until(1)).map(textOf), ["mine"]);
});

test("a stream with a parameter in its path sends what its condition says of it", async (t) => {
  const spec = notes({ path: "/feed/{owner}", sees: "`it.open && it.owner.name == path.owner`" });
  const { address } = await started(t, spec);
  await users(address, "ann", "bob b");
  const [one, other, nobody] = ["/feed/ann", "/feed/bob%20b", "/feed/carl"].map((path) =>
    listen(t, address, { "X-Key": "ann" }, path),
  );
  for (const each of [one, other, nobody]) assert.equal((await each?.opened)?.status, 200);
  await note(address, "ann", "a", true);
  await note(address, "bob b", "b", true);
  assert.deepEqual((await one?.until(1))?.map(textOf), ["a"]);
  assert.deepEqual((await other?.until(1))?.map(textOf), ["b"]);
  assert.deepEqual(nobody?.heard, []);
});

test("served: bullets/stream/stream who/none: anybody may listen where nobody is asked", async (t) => {
  const { address } = await started(t, notes({ who: "none", sees: "`it.open`" }));
  await users(address, "ann");
  const some = listen(t, address);
  assert.equal((await some.opened).status, 200);
  await note(address, "ann", "mine");
  await note(address, "ann", "ours", true);
  assert.deepEqual((await some.until(1)).map(textOf), ["ours"]);
});

test("a stream is ended when its client says that it sends no more", async (t) => {
  const { address, port } = await started(t);
  await users(address, "ann");
  const line = talk(port);
  line.send("GET /feed HTTP/1.1\r\nHost: x\r\nX-Key: ann\r\n\r\n");
  await line.receive(/\r\n\r\n/);
  const ended = new Promise((resolve) => line.socket.once("close", resolve));
  line.socket.end();
  await ended;
});

test("what is sent into the stream of a client that sends no more is for nobody, and no fault", async (t) => {
  const sinks: { sink: Sink; response: ServerResponse }[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200);
    response.flushHeaders();
    sinks.push({ sink: sinkOf(response), response });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  Object.assign(server, { httpAllowHalfOpen: true });
  const line = talk((server.address() as AddressInfo).port);
  line.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await line.receive(/\r\n\r\n/);
  const [open] = sinks;
  assert.ok(open);
  const faults: Error[] = [];
  open.response.on("error", (fault) => faults.push(fault));
  let closed = 0;
  open.sink.onClosed(() => closed++);
  // The answer cannot end before the client has taken it: it takes nothing for now.
  line.socket.pause();
  while (open.sink.write("x".repeat(65_536)));
  line.socket.end();
  while (closed === 0) await turns();
  assert.equal(open.sink.write("late"), true);
  open.sink.end();
  await turns();
  assert.deepEqual(faults, []);
  line.socket.destroy();
});

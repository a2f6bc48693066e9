/** More is asked than the host takes on: who asks most is refused, and nobody else. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { BOUNDS, boundsFor } from "../../src/serve/http/bounds.ts";
import { connectionsWithin } from "../../src/serve/http/connections.ts";
import { Held } from "../../src/serve/http/held.ts";
import type { Job, Reply } from "../../src/serve/jobs/job.ts";
import { Lanes, type Presence } from "../../src/serve/jobs/lanes.ts";
import { peerOf } from "../../src/serve/jobs/peer.ts";
import { Hasher } from "../../src/serve/secrets/hashing.ts";
import { Proven } from "../../src/serve/secrets/proven.ts";
import { hashSecret } from "../../src/serve/secrets/secrets.ts";
import { startFake } from "./fake.ts";
import { talk } from "./talk.ts";

test("an IPv4 address is one client, and so is a network of 64 bits of IPv6", () => {
  for (const [address, name] of [
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8::2:3:4:5", "2001:db8:0:0::/64"],
    ["2001::2:3:4:5:6:7", "2001:0:2:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["", ""],
  ] as const) {
    assert.equal(peerOf(address), name, address);
  }
});

/** Lanes of texts, on connections of which some are not open. */
function lanesOf(presence: Readonly<Record<number, Presence>> = {}) {
  const forgotten: string[] = [];
  const lanes = new Lanes<string>(
    (line) => presence[line] ?? "open",
    (one) => forgotten.push(one),
  );
  const all = (): string[] => {
    const taken: string[] = [];
    for (let one = lanes.next(); one !== undefined; one = lanes.next()) taken.push(one);
    return taken;
  };
  return { lanes, forgotten, all };
}

test("clients have their turns, and so have the connections of each", () => {
  const { lanes, all } = lanesOf();
  for (const one of ["a1", "a2", "a3"]) lanes.add("a", 1, one);
  lanes.add("a", 2, "a4");
  lanes.add("b", 3, "b1");
  lanes.add("c", 4, "c1");
  assert.equal(lanes.count, 6);
  assert.deepEqual(all(), ["a1", "b1", "c1", "a4", "a2", "a3"]);
  assert.equal(lanes.count, 0);
});

test("who comes new has a turn before those who have had one", () => {
  const { lanes, all } = lanesOf();
  for (const one of ["a1", "a2", "a3"]) lanes.add("a", 1, one);
  for (const one of ["b1", "b2"]) lanes.add("b", 2, one);
  assert.equal(lanes.next(), "a1");
  assert.equal(lanes.next(), "b1");
  lanes.add("c", 3, "c1");
  assert.equal(lanes.next(), "c1");
  // Nothing of it waits, and it is not new for all that.
  lanes.add("c", 3, "c2");
  assert.deepEqual(all(), ["a2", "b2", "c2", "a3"]);
});

test("who has left comes after others of the same client, and who is gone has no turn", () => {
  const { lanes, forgotten, all } = lanesOf({ 1: "left", 2: "gone" });
  lanes.add("a", 1, "left");
  lanes.add("a", 2, "gone");
  lanes.add("a", 3, "open");
  lanes.add("b", 2, "gone, too");
  assert.deepEqual(all(), ["open", "left"]);
  assert.deepEqual(forgotten.toSorted(), ["gone", "gone, too"]);
  assert.equal(lanes.count, 0);
});

test("where too much waits, the latest of the client with most is taken out", () => {
  const { lanes, all } = lanesOf();
  lanes.add("a", 1, "a1");
  for (const one of ["b1", "b2", "b3"]) lanes.add("b", 2, one);
  lanes.add("b", 3, "b4");
  assert.equal(lanes.latest(), "b3");
  lanes.sweep((one) => one === "b1");
  assert.equal(lanes.count, 3);
  assert.deepEqual(all(), ["a1", "b4", "b2"]);
  assert.equal(lanes.latest(), undefined);
});

test("right credentials are known for a while, and for that stored form alone", () => {
  const proven = new Proven(60_000);
  proven.add("$argon2id$stored", "secret");
  assert.ok(proven.has("$argon2id$stored", "secret"));
  assert.ok(!proven.has("$argon2id$stored", "another"));
  assert.ok(!proven.has("$argon2id$changed", "secret"));
  const over = new Proven(-1);
  over.add("stored", "secret");
  assert.ok(!over.has("stored", "secret"));
});

test("bodies are held up to the bound: of whoever holds most, the oldest that comes is refused", () => {
  const held = new Held(1_000);
  const refused: string[] = [];
  const begin = (peer: string, name: string) => {
    const upload = held.begin(peer, () => {
      refused.push(name);
      upload.over();
    });
    return upload;
  };
  const first = begin("a", "a1");
  first.add(300);
  const second = begin("a", "a2");
  second.add(200);
  assert.deepEqual(refused, []);
  // One client holds half of all and no more.
  begin("a", "a3").add(100);
  assert.deepEqual(refused, ["a1"]);
  assert.equal(held.all, 300);
  // What has come whole stays; who holds little comes in.
  second.whole();
  const [b, c] = [begin("b", "b1"), begin("c", "c1")];
  b.add(500);
  c.add(300);
  assert.deepEqual(refused, ["a1", "b1"]);
  begin("d", "d1").add(10);
  assert.deepEqual(refused, ["a1", "b1"]);
  second.over();
  assert.equal(held.all, 410);
});

test("a bound on held bytes is at least twice a body", () => {
  assert.match(String(boundsFor(new Map(), { heldBytesMax: 9 })), /held-bytes/);
  const wide = boundsFor(new Map(), { bodyBytesMax: 2 ** 30 });
  assert.equal(typeof wide === "string" ? wide : wide.heldBytesMax, 2 ** 31);
  const usual = boundsFor(new Map());
  assert.equal(typeof usual === "string" ? usual : usual.heldBytesMax, BOUNDS.heldBytesMax.value);
});

test("connections leave files for the rest, and the oldest idle one gives way", async (t) => {
  assert.equal(connectionsWithin(16_384, 1_000_000), 16_384);
  assert.equal(connectionsWithin(16_384, 1_024), 768);
  assert.equal(connectionsWithin(16_384, 64), 24);
  assert.equal(connectionsWithin(16_384, 8), 1);
  const said: string[] = [];
  const { running } = await startFake({
    bounds: { connectionsMax: 3 },
    log: (line) => said.push(line),
  });
  t.after(() => running.stop());
  const GET = "GET /items HTTP/1.1\r\nHost: x\r\n\r\n";
  const lines = [talk(running.port), talk(running.port), talk(running.port)];
  for (const line of lines) {
    line.send(GET);
    assert.match(await line.receive(/\[\]$/), / 200 /);
  }
  const [oldest, kept] = lines;
  const further = talk(running.port);
  const closed = once(oldest?.socket ?? further.socket, "close");
  further.send(GET);
  assert.match(await further.receive(/\[\]$/), / 200 /);
  await closed;
  kept?.send(GET);
  assert.match((await kept?.receive(/\[\]$/)) ?? "", / 200 /);
  assert.match(said.join("\n"), /busy: 3 connections are open at most: the oldest idle one of /);
  for (const line of [...lines, further]) line.socket.destroy();
});

const CHEAP = { kind: "argon2id", memoryKiB: 8, passes: 1, lanes: 1 } as const;
const EMPTY: Reply = { status: 0, headers: [], body: undefined };

/** A job that needs a hash compared, and what became of it. */
function comparing(hasher: Hasher, line: number, address: string, secret = "s") {
  const stored = hashSecret(CHEAP, "s", (count) => new Uint8Array(count));
  const job: Job = {
    ...{
      id: "r",
      endpoint: 0,
      path: "/",
      params: [],
      query: "",
      headers: [],
      body: undefined,
      bodyBytes: 0,
    },
    ...{ pathBytes: 0, headerBytes: 0, address, line, now: 0n },
  };
  return new Promise<string>((resolve) => {
    const unhashed = { key: "k", is: "verify", stored, secret } as const;
    hasher.takes(
      job,
      { ...EMPTY, unhashed },
      {
        again: ({ hashed = [] }) => resolve(String(hashed[0]?.made)),
        refuse: () => resolve("refused"),
      },
    );
  });
}

const hasherOf = (hashesWaitingMax: number, at: (line: number) => Presence = () => "open") =>
  new Hasher({ now: () => 0n }, { hashesMax: 1, hashesWaitingMax, provenMs: 60_000 }, at);

test("a hash for nobody is not made, and past the bound who asks most is refused", async () => {
  const gone = hasherOf(10, (line) => (line === 7 ? "gone" : "open"));
  assert.deepEqual(
    await Promise.all([comparing(gone, 1, "a", "x"), comparing(gone, 7, "b", "x")]),
    ["false", "refused"],
  );
  const full = hasherOf(2);
  const all = [1, 2, 3, 4].map((line) => comparing(full, line, "many", `x${line}`));
  const other = comparing(full, 9, "other");
  assert.deepEqual(await Promise.all([...all, other]), [
    ...["false", "false", "refused", "refused"],
    "true",
  ]);
});

test("credentials that were right need no hash, whoever else waits", async () => {
  const hasher = hasherOf(100);
  assert.equal(await comparing(hasher, 1, "a"), "true");
  const waiting = [2, 3, 4].map((line) => comparing(hasher, line, "b", `x${line}`));
  let isFirst = false;
  const again = comparing(hasher, 1, "a").then((made) => {
    isFirst = true;
    return made;
  });
  await waiting[0]?.then(() => assert.ok(isFirst));
  assert.equal(await again, "true");
  await Promise.all(waiting);
});

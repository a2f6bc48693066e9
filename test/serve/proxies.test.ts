/** Whose a request is behind proxies: told by trusted ones alone, and never by a stranger. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import { Proxies } from "../../src/serve/http/proxies.ts";
import { testSeed } from "../random.ts";

type Headers = Readonly<Record<string, string>>;

const request = (peer: string, headers: Headers): IncomingMessage =>
  ({ socket: { remoteAddress: peer }, headers }) as unknown as IncomingMessage;

const CLIENT = "198.51.100.9";
const trusted = new Proxies(["10.0.0.0/8", "127.0.0.1", "::1", "2001:db8:1::/48"]);
const client = (peer: string, headers: Headers): string => trusted.clientOf(request(peer, headers));

test("the address is the last one that no trusted proxy has", () => {
  const cases: [peer: string, headers: Headers, client: string][] = [
    ["127.0.0.1", {}, "127.0.0.1"],
    ["127.0.0.1", { "x-forwarded-for": CLIENT }, CLIENT],
    ["::ffff:127.0.0.1", { "x-forwarded-for": CLIENT }, CLIENT],
    ["::1", { "x-forwarded-for": `${CLIENT}:4711` }, CLIENT],
    ["127.0.0.1", { "x-forwarded-for": `9.9.9.9, ${CLIENT}, 10.1.1.1` }, CLIENT],
    ["127.0.0.1", { "x-forwarded-for": "10.2.2.2, 10.1.1.1" }, "10.2.2.2"],
    ["127.0.0.1", { "x-forwarded-for": `9.9.9.9, ${CLIENT}, 8.8.8.8` }, "8.8.8.8"],
    ["127.0.0.1", { "x-forwarded-for": "unknown, 10.1.1.1" }, "10.1.1.1"],
    ["127.0.0.1", { "x-forwarded-for": "" }, "127.0.0.1"],
    ["127.0.0.1", { "x-forwarded-for": "2001:DB8:0:0::7" }, "2001:db8::7"],
    ["127.0.0.1", { "x-forwarded-for": "::ffff:198.51.100.9" }, CLIENT],
    ["127.0.0.1", { forwarded: `for=${CLIENT}` }, CLIENT],
    ["127.0.0.1", { forwarded: `For="${CLIENT}:80";proto=https;by=10.0.0.1` }, CLIENT],
    ["127.0.0.1", { forwarded: 'for=9.9.9.9, for="[2001:db8::7]:80"' }, "2001:db8::7"],
    ["127.0.0.1", { forwarded: 'for="[2001:db8:1::7]", for=10.0.0.1' }, "2001:db8:1::7"],
    ["127.0.0.1", { forwarded: "for=_hidden, for=10.0.0.1" }, "10.0.0.1"],
    ["127.0.0.1", { forwarded: "proto=https" }, "127.0.0.1"],
    ["127.0.0.1", { forwarded: 'for="9.9.9.9, for=8.8.8.8' }, "127.0.0.1"],
    ["127.0.0.1", { forwarded: `for=${CLIENT}`, "x-forwarded-for": CLIENT }, CLIENT],
    // One of them was written by a stranger.
    ["127.0.0.1", { forwarded: "for=9.9.9.9", "x-forwarded-for": CLIENT }, "127.0.0.1"],
  ];
  for (const [peer, headers, wanted] of cases) {
    assert.equal(client(peer, headers), wanted, `${peer} ${JSON.stringify(headers)}`);
  }
});

test("nobody else's word counts", () => {
  for (const peer of ["9.9.9.9", "11.0.0.1", "::2", "", "2001:db8:2::1"]) {
    const headers = { forwarded: `for=${CLIENT}`, "x-forwarded-for": CLIENT };
    assert.equal(client(peer, headers), peer);
    assert.equal(new Proxies([]).clientOf(request(peer, headers)), peer);
  }
});

test("whatever a stranger writes, it is taken for itself or for the proxy", () => {
  const word = fc.oneof(
    fc.constantFrom("for=", '"', "\\", ";", ",", "[", "]", ":80", "unknown", "_x", " ", "10.0.0.1"),
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(""));
  const appended = (before: string | undefined, more: string): string =>
    before === undefined ? more : `${before}, ${more}`;
  fc.assert(
    fc.property(fc.option(text), fc.option(text), fc.boolean(), (listed, told, isRfc) => {
      // A proxy adds what it saw to the one header that it writes, and passes the other on.
      const headers: Record<string, string> = {};
      if (listed !== null) headers["x-forwarded-for"] = listed;
      if (told !== null) headers["forwarded"] = told;
      if (isRfc) headers["forwarded"] = appended(told ?? undefined, `for=${CLIENT}`);
      else headers["x-forwarded-for"] = appended(listed ?? undefined, CLIENT);
      assert.ok([CLIENT, "10.0.0.1"].includes(client("10.0.0.1", headers)));
    }),
    { seed: testSeed, numRuns: 2_000 },
  );
});

test("what is no address or network is refused by name", () => {
  for (const wrong of ["", "loopback", "10.0.0", "10.0.0.0/33", "::1/129", "1.1.1.1/8/8", "a/8"]) {
    assert.throws(() => new Proxies([wrong]), /is no address of a proxy/, wrong);
  }
});

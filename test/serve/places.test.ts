/** Receivers that never answer, names that nobody knows: who gets a place for an attempt. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInside, placeOf } from "../../src/serve/client/address.ts";
import { hostsIn, Names, Unasked } from "../../src/serve/client/names.ts";
import { nameOf, Places, Receivers } from "../../src/serve/delivery/receivers.ts";
import { send } from "../../src/serve/delivery/send.ts";
import type { Busy } from "../../src/serve/jobs/job.ts";

const hook = (receiver: number) => ({ webhook: "w", receiver });

/** As many attempts as each receiver is given, at its host. */
function filled(
  known: Receivers,
  most: number,
  all: readonly (readonly [receiver: number, host: string])[],
): Places {
  const places = new Places(known, [], most);
  for (const [receiver, host] of all) {
    for (let free = places.free(hook(receiver)); free > 0; free--) {
      if (!places.take(hook(receiver), `http://${host}/`)) break;
    }
  }
  return places;
}

test("receivers that nobody knows leave places to those who answer", () => {
  const known = new Receivers();
  known.begins(hook(0), "good");
  known.ended(hook(0), true);
  const strangers = Array.from({ length: 500 }, (_, i) => [i + 1, `h${i}`] as const);
  const places = filled(known, 64, strangers);
  assert.ok(!places.isOpen);
  assert.equal(places.free(hook(600)), 0);
  assert.ok(places.free(hook(0)) > 0);
  assert.deepEqual(known.some(10).map(nameOf), ["0 w"]);
});

test("one host has a share of the places, however many receivers are at it", () => {
  const known = new Receivers();
  const places = filled(
    known,
    64,
    Array.from({ length: 500 }, (_, i) => [i + 1, "tar"] as const),
  );
  assert.ok(places.isOpen);
  assert.equal(places.free(hook(1)), 0);
  assert.ok(places.free(hook(600)) > 0, "a stranger at another host");
});

test("who has not answered has one attempt at a time, and half of all places at most", () => {
  const known = new Receivers();
  const all = Array.from({ length: 100 }, (_, i) => [i, `h${i}`] as const);
  for (const [i, host] of all) {
    known.begins(hook(i), host);
    known.ended(hook(i), false);
  }
  const busy: Busy[] = all
    .slice(0, 32)
    .map(([i, host]) => ({ ...hook(i), number: i, host, isSlow: true }));
  const places = new Places(known, busy, 64);
  assert.equal(places.free(hook(50)), 0);
  assert.equal(new Places(known, busy.slice(0, 31), 64).free(hook(50)), 1);
  assert.ok(places.free(hook(600)) > 0);
  known.ended(hook(50), true);
  assert.ok(places.free(hook(50)) > 0, "it has answered since");
});

test("names are found in the hosts file, and localhost without anybody", async () => {
  const hosts = hostsIn("# a\n10.0.0.7 Db db.local # x\r\n\n::1 ip6\nnonsense host\n10.0.0.8 db");
  assert.deepEqual(hosts.get("db"), [
    { address: "10.0.0.7", family: 4 },
    { address: "10.0.0.8", family: 4 },
  ]);
  assert.deepEqual(hosts.get("ip6"), [{ address: "::1", family: 6 }]);
  assert.equal(hosts.get("host"), undefined);
  const names = new Names();
  for (const name of ["localhost", "LOCALHOST.", "a.localhost"]) {
    const [first] = await names.find(name, false);
    assert.equal(first?.address, "127.0.0.1", name);
  }
});

test("an attempt for which nobody was asked is none", async () => {
  const lookup = () => Promise.reject(new Unasked("others are before it"));
  const options = { allowPrivate: true, lookup, signal: new AbortController().signal, now: 0n };
  assert.equal(await placeOf("http://a.example/", options), undefined);
  const told = { event: "bell.made", sent: 0n };
  const message = { ...hook(1), ...told, number: 1, name: "m", body: "", attempts: 0, due: 0n };
  const address = "http://a.example/";
  const sending = { message, method: "POST", address, contentType: "text/plain", withinMs: 500 };
  assert.deepEqual(await send(sending, options), { message, arrived: false, isUnmade: true });
});

test("the address of a cloud's own services lies inside", () => {
  assert.ok(isInside("168.63.129.16"));
  assert.ok(!isInside("168.63.129.17"));
});

/** What a service makes may hold any character: it is written as each place of a request asks. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { alike } from "../../src/verify/events/alike.ts";
import type { Request } from "../../src/verify/index.ts";
import { TIGHT } from "../../src/verify/judge/compare.ts";
import { realRequest, realResponse } from "../../src/verify/world/real.ts";
import { World } from "../../src/verify/world/world.ts";
import { compiled } from "./clauses/trial.ts";

const found = compiled(readFileSync(join(import.meta.dirname, "keys.md"), "utf8"));
assert.ok(found !== undefined);
const { plan } = found;

function markIn(): { readonly world: World; readonly mark: string } {
  const world = new World(plan);
  world.begin();
  return { world, mark: world.texts.make("id") };
}

function asked(mark: string, type: string, body: string): Request {
  const headers = [
    ["Content-Type", type],
    ["X-Note", mark],
  ] as const;
  return { method: "POST", target: `/notes/${mark}?of=${mark}`, headers, body };
}

const TEXTS = ["a b", 'say "no"\n', "100 %/?#&", String.raw`back\slash`, "née", "世界"];
const isOfHeaders = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

for (const text of TEXTS) {
  for (const isLearned of [true, false]) {
    test(`${JSON.stringify(text)}, ${isLearned ? "shown before" : "shown just now"}`, () => {
      const { world, mark } = markIn();
      const known = new Map([[mark, text]]);
      if (isLearned) world.learn(known);
      const given = isLearned ? new Map<string, string>() : known;
      const real = (type: string, body: string) => {
        const request = { ...asked(mark, type, body) };
        return realRequest(
          world,
          isOfHeaders(text) ? request : { ...request, headers: request.headers.slice(0, 1) },
          given,
        );
      };
      const json = real("application/json", JSON.stringify({ text: mark }));
      const url = new URL(json?.target ?? "", "http://service");
      assert.equal(decodeURIComponent(url.pathname), `/notes/${text}`);
      assert.equal(url.searchParams.get("of"), text);
      assert.deepEqual(JSON.parse(json?.body ?? ""), { text });
      const form = real("application/x-www-form-urlencoded", `text=${mark}`);
      assert.equal(new URLSearchParams(form?.body).get("text"), text);
      const plain = real("text/plain", mark);
      assert.equal(plain?.body, text);
      const all = realRequest(world, asked(mark, "text/plain", mark), given);
      assert.equal(all === undefined, !isOfHeaders(text));
    });
  }

  test(`an answer with ${JSON.stringify(text)}`, () => {
    const { mark } = markIn();
    const known = new Map([[mark, text]]);
    const answered = (type: string, body: string) => {
      const headers = [
        ["Content-Type", type],
        ["X-Note", mark],
      ] as const;
      return realResponse({ status: 200, headers, body }, known);
    };
    const json = answered("application/json", JSON.stringify({ text: mark }));
    assert.deepEqual(JSON.parse(json.body ?? ""), { text });
    assert.equal(json.headers[1]?.[1], text);
    assert.equal(answered("text/plain", mark).body, text);
  });

  test(`data of events with ${JSON.stringify(text)} are told apart from others`, () => {
    const { world, mark } = markIn();
    const expected = JSON.stringify({ of: mark });
    const knowing = { shown: (one: string) => world.shown(one), timeSlack: 0n };
    const known = new Map([[mark, text]]);
    const data = (of: string) => ({
      expected,
      loose: TIGHT,
      observed: JSON.stringify({ of }),
      at: 0n,
    });
    assert.deepEqual(alike(data(text), knowing as never, known).differences, []);
    assert.notDeepEqual(alike(data(`${text}.`), knowing as never, known).differences, []);
  });
}

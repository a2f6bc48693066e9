/** Refusals of limits that other clients may have used up, and those that nobody else can. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../../src/verify/session.ts";
import { nowMicros } from "../../src/verify/talk/client.ts";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { compiled, documentOf } from "./clauses/trial.ts";

const { text } = documentOf("bank");
const HOUR = 3_600_000_000n;
const LIMIT = "| address | 5 | 1 h, fixed |";

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const opening: Request = {
  method: "POST",
  target: "/v1/tenants",
  headers: [JSON_TYPE],
  body: '{"bank":"Acme","manager":"Mary"}',
};

function answer(status: number, body: object, headers: Answer["headers"] = []): Answer {
  const at = nowMicros();
  const type = status < 400 ? "application/json" : "application/problem+json";
  const all = [["Content-Type", type] as const, ...headers];
  return { status, headers: all, body: JSON.stringify(body), sent: at, received: at };
}

const refused = (): Answer => {
  const type = "https://bank.example/errors/slow_down";
  const body = { type, title: "Too many requests", status: 429, field: null };
  return answer(429, body, [["Retry-After", "60"]]);
};

function session(limit: string, isShared: boolean, began = nowMicros()): Session {
  assert.ok(text.includes(LIMIT));
  const found = compiled(text.replace(LIMIT, limit));
  assert.ok(found !== undefined);
  const settings = new Map([["bank_zone", "UTC"]]);
  return new Session(found.plan, {
    tag: "v12345678",
    settings,
    occurring: found.occurring,
    now: began,
    isShared,
  });
}

for (const per of ["address", "everyone"]) {
  for (const window of ["1 h, fixed", "1 h, sliding"]) {
    const limit = `| ${per} | 5 | ${window} |`;
    test(`refused at once by what others have used: ${limit}`, () => {
      assert.equal(session(limit, true).judged(opening, refused()).is, "unstated");
    });
    test(`refused at once where nobody has used it: ${limit}`, () => {
      assert.equal(session(limit, false).judged(opening, refused()).is, "broken");
    });
    test(`refused when all that others have used is over: ${limit}`, () => {
      const long = session(limit, true, nowMicros() - 3n * HOUR);
      assert.equal(long.judged(opening, refused()).is, "broken");
    });
  }
}

test("a limit of a caller who was made here is used by nobody else", () => {
  const own = session(LIMIT, true);
  const ids = { id: "mem_1k171c26zp095mxyew7gvnv334", tenant: "ten_1k171c26zp0wxs7788yxt1ez87" };
  const key = "bk_CAgbD-_cFaRSpcyyxSpiANMSX5XV1sIeIf9n4Eqw__U";
  const made = { ...ids, name: "Mary", role: "manager", key };
  assert.equal(own.judged(opening, answer(201, made)).is, "as stated");
  const headers = [["Authorization", `Bearer ${key}`]] as const;
  const asked = own.judged({ method: "GET", target: "/v1/feed", headers }, refused());
  assert.equal(asked.is, "broken");
});

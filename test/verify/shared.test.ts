/** Refusals of limits that other clients may have used up, and those that nobody else can. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../../src/verify/session.ts";
import { nowMicros } from "../../src/verify/talk/client.ts";
import { Reasons } from "../../src/verify/why.ts";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { compiled, type Document, documentOf, toldOf } from "./clauses/trial.ts";

const bank = documentOf("bank");
const orders = documentOf("orders");
const SECOND = 1_000_000n;
const HOUR = 3_600n * SECOND;
const LIMIT = "| address | 5 | 1 h, fixed |";
const TYPE = ["Content-Type", "application/json"] as const;

const opening: Request = {
  method: "POST",
  target: "/v1/tenants",
  headers: [TYPE],
  body: '{"bank":"Acme","manager":"Mary"}',
};

function answer(status: number, body: object, headers: Answer["headers"] = []): Answer {
  const at = nowMicros();
  const type = status < 400 ? "application/json" : "application/problem+json";
  const all = [["Content-Type", type] as const, ...headers];
  return { status, headers: all, body: JSON.stringify(body), sent: at, received: at };
}

function refused(seconds: bigint, title = "Too many requests"): Answer {
  const type = "https://bank.example/errors/slow_down";
  const body = { type, title, status: 429, field: null };
  return answer(429, body, [["Retry-After", String(seconds)]]);
}

/** Seconds until a window of an hour that began at a whole one is over. */
const leftOfHour = (): bigint => (HOUR - (nowMicros() % HOUR) + SECOND - 1n) / SECOND;

function session(document: Document, isShared: boolean, began = nowMicros()): Session {
  const found = compiled(document.text);
  assert.ok(found !== undefined);
  const { plan, occurring } = found;
  const { settings, rows: given } = toldOf(document, plan);
  const told = { settings, given, occurring, now: began, isShared };
  return new Session(plan, { tag: "v12345678", ...told });
}

function withLimit(limit: string): Document {
  assert.ok(bank.text.includes(LIMIT));
  return { ...bank, text: bank.text.replace(LIMIT, limit) };
}

for (const per of ["address", "everyone"]) {
  for (const window of ["1 h, fixed", "1 h, sliding"]) {
    const limit = `| ${per} | 5 | ${window} |`;
    const document = withLimit(limit);
    const later = (): bigint => (window.endsWith("fixed") ? leftOfHour() : 60n);
    const judged = (isShared: boolean, given: Answer, began?: bigint) =>
      session(document, isShared, began).judged(opening, given).is;
    test(`refused at once by what others have used: ${limit}`, () => {
      assert.equal(judged(true, refused(later())), "unstated");
    });
    test(`refused at once where nobody has used it: ${limit}`, () => {
      assert.equal(judged(false, refused(later())), "broken");
    });
    test(`refused when all that others have used is over: ${limit}`, () => {
      assert.equal(judged(true, refused(later()), nowMicros() - 3n * HOUR), "broken");
    });
    test(`refused otherwise than is stated: ${limit}`, () => {
      assert.equal(judged(true, refused(later(), "Slow down")), "broken");
    });
    test(`let through again later than is stated: ${limit}`, () => {
      assert.equal(judged(true, refused(7_200n)), "broken");
    });
  }
}

test("what a used up limit kept from being asked is said to stand behind it", () => {
  const found = compiled(bank.text);
  assert.ok(found !== undefined);
  const whyOf = (own: Session, item: string) => {
    const { gapsMet, limitsMet } = own;
    const hasRows = (name: string): boolean => own.judge.world.rows(name).length > 0;
    const told = toldOf(bank, found.plan);
    const { occurring } = found;
    const { steps = [] } = found.plan.endpoints.find(({ id }) => id === item) ?? {};
    const { id } = steps.at(-1) ?? {};
    assert.ok(id !== undefined);
    return new Reasons(own.plan, { told, occurring, hasRows, gapsMet, limitsMet }).of(id);
  };
  const own = session(bank, true);
  assert.equal(own.judged(opening, refused(leftOfHour())).is, "unstated");
  const limit = { is: "limit", limit: "limits/new_banks" };
  assert.deepEqual(whyOf(own, "endpoints/POST /tenants"), limit);
  assert.deepEqual(whyOf(own, "endpoints/POST /accounts"), limit);
  assert.deepEqual(whyOf(session(bank, true), "endpoints/POST /accounts"), { is: "not tried" });
});

test("a limit of a caller who was made here is used by nobody else", () => {
  const own = session(bank, true);
  const ids = { id: "mem_1k171c26zp095mxyew7gvnv334", tenant: "ten_1k171c26zp0wxs7788yxt1ez87" };
  const key = "bk_CAgbD-_cFaRSpcyyxSpiANMSX5XV1sIeIf9n4Eqw__U";
  const made = { ...ids, name: "Mary", role: "manager", key };
  assert.equal(own.judged(opening, answer(201, made)).is, "as stated");
  const headers = [["Authorization", `Bearer ${key}`]] as const;
  const asked = own.judged({ method: "GET", target: "/v1/feed", headers }, refused(60n));
  assert.equal(asked.is, "broken");
});

/** What a caller who was there at the start is told of the limit of 60 in a minute. */
const told: readonly (readonly [left: string, isShared: boolean, is: string])[] = [
  ["r=59;t=60", false, "as stated"],
  ["r=59;t=60", true, "as stated"],
  ["r=30;t=41", true, "as stated"],
  ["r=30;t=41", false, "broken"],
  ["r=60;t=60", true, "broken"],
];

for (const [left, isShared, is] of told) {
  test(`${left} is left of a limit that ${isShared ? "others" : "nobody"} may have used`, () => {
    const [staff] = Object.values(JSON.parse(orders.rows ?? "{}")).flat() as { key: string }[];
    const headers = [["Authorization", `Bearer ${staff?.key}`]] as const;
    const type = "https://orders.example/errors/not_found";
    const title = "There is no such row";
    const given = answer(404, { type, title, status: 404, field: null, errors: {} }, [
      ["RateLimit-Policy", '"burst";q=60;w=60'],
      ["RateLimit", `"burst";${left}`],
    ]);
    const asked: Request = { method: "GET", target: "/v1/orders/ord_nobody", headers };
    assert.equal(session(orders, isShared).judged(asked, given).is, is);
  });
}

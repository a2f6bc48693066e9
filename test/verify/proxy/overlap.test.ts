/**
 * Requests that overlap, of which nobody saw the order: those of a right service are no alarm,
 * however few orders may be tried, and if some of them cannot be judged.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, plan as compile, occurrencesOf } from "../../../src/check/index.ts";
import { read } from "../../../src/read/index.ts";
import type { Waiting } from "../../../src/verify/proxy/passed.ts";
import { Sequence } from "../../../src/verify/proxy/sequence.ts";
import { Session } from "../../../src/verify/session.ts";
import { ROOT } from "../../peers/served.ts";
import { testSeed } from "../../random.ts";
import { Manner } from "../right/manner.ts";
import { PlainTodos } from "../right/todo-plain.ts";

const TODO = "examples/todo/spec.md";
const REQUESTS = 50;
const BEGAN = 1_800_000_000_000;

/** A manner whose clock stands until it is set. */
class Told extends Manner {
  at = BEGAN;

  override now(): number {
    return this.at;
  }
}

interface Way {
  /** The service has rows that were made before. */
  readonly hasPast: boolean;
  /** How long a request takes at most, in milliseconds: the longer, the more overlap. */
  readonly long: number;
  /** Orders that may be tried. */
  readonly budget: number;
  /** How many of 1 exchanges cannot be judged. */
  readonly missing: number;
}

interface Observed {
  readonly breaks: Session["breaks"];
  readonly asStated: number;
}

const checked = check(read(readFileSync(join(ROOT, TODO))));
const planned = compile(checked);

/** Sends requests to a service and has what an observer sees of them judged. */
function observed(seed: number, { hasPast, long, budget, missing }: Way): Observed {
  assert.ok(planned !== undefined);
  const manner = new Told(seed);
  const { chance } = manner;
  const service = new PlainTodos(manner);
  const ids: string[] = [];
  const exchange = (method: string, target: string, body?: string): Waiting => {
    manner.at += Math.floor(chance() * 3);
    const headers = body === undefined ? [] : [["Content-Type", "application/json"] as const];
    const [path = "", query = ""] = target.split("?");
    const told = service.answer({
      method,
      path,
      query,
      headers: { "content-type": body === undefined ? undefined : "application/json" },
      body: Buffer.from(body ?? ""),
    });
    if (told.status === 201) ids.push((told.body as { id: string }).id);
    const at = BigInt(manner.at) * 1000n;
    const some = (): bigint => BigInt(Math.floor(chance() * long * 1000));
    const isMissing = chance() < missing;
    const answer = {
      status: told.status,
      headers: told.headers ?? [],
      body: told.body === undefined ? undefined : JSON.stringify(told.body),
      sent: at - some(),
      received: at + some() + 1n,
    };
    const lost = { ...answer, status: 0, headers: [], body: undefined };
    const request = { method, target, headers, body };
    return isMissing ? { request, answer: lost, missing: "cut off" } : { request, answer };
  };
  const next = (): Waiting => {
    const id = ids[Math.floor(chance() * ids.length)] ?? "todo_0";
    const turn = Math.floor(chance() * 7);
    if (turn === 0) return exchange("POST", "/todos", `{"title":"made ${ids.length}"}`);
    if (turn === 1) return exchange("POST", `/todos/${id}/finish`);
    if (turn === 2) return exchange("DELETE", `/todos/${id}`);
    if (turn === 3) return exchange("PATCH", `/todos/${id}`, `{"title":"${manner.at}"}`);
    if (turn === 4) return exchange("GET", "/todos?limit=5");
    return exchange("GET", `/todos/${id}`);
  };
  for (let i = 0; hasPast && i < 3; i++) exchange("POST", "/todos", `{"title":"old ${i}"}`);
  const occurring = occurrencesOf(checked.service);
  const now = BigInt(manner.at) * 1000n;
  const session = new Session(planned.plan, { tag: "", occurring, now, hasPast });
  const sequence = new Sequence(session, budget);
  const all = Array.from({ length: REQUESTS }, next);
  const ended = all.toSorted((a, b) => Number(a.answer.received - b.answer.received));
  for (const [i, one] of ended.entries()) {
    sequence.take(one);
    const open = ended.slice(i + 1).map(({ answer }) => answer.sent);
    const oldest = open.reduce<bigint | undefined>(
      (a, b) => (b <= one.answer.received && (a === undefined || b < a) ? b : a),
      undefined,
    );
    while (sequence.next(oldest, one.answer.received).length > 0);
  }
  while (sequence.next(undefined, 0n).length > 0);
  return { breaks: session.breaks, asStated: sequence.tally.asStated };
}

const ways: readonly Way[] = [false, true].flatMap((hasPast) =>
  [4, 20].flatMap((long) =>
    [5, 60].flatMap((budget) => [0, 0.1].map((missing) => ({ hasPast, long, budget, missing }))),
  ),
);
/** Histories of each way; more of them are a campaign. */
const SEEDS = Number(process.env["SEEDS"] ?? 1);

for (const way of ways) {
  test(`overlapping: ${JSON.stringify(way)}`, () => {
    let asStated = 0;
    for (let seed = testSeed; seed < testSeed + SEEDS; seed++) {
      const found = observed(seed, way);
      const told = found.breaks.map(({ request: { method, target }, answer, differences }) => ({
        request: `${method} ${target}`,
        status: answer.status,
        differences,
      }));
      assert.deepEqual(told, [], `SEED=${seed}`);
      asStated += found.asStated;
    }
    const rate = asStated / SEEDS / REQUESTS;
    assert.ok(rate > 0.4, `as stated: ${rate}`);
  });
}

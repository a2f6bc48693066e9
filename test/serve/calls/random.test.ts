/** Many requests at a time, by chance: what stands outside is what stands in the store. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { randomFrom, testSeed } from "../../random.ts";
import { cases } from "../../whole.ts";
import { child } from "./process.ts";
import { client, shop, until, WELL } from "./shop.ts";
import { web } from "./web.ts";

const SEED = testSeed;
const REQUESTS = 60;
const KILLS = cases(1, 5);

/** What the code outside has taken and given back, by the key of the call. */
class Bank {
  readonly taken = new Map<string, { readonly amount: string; readonly order: string }>();
  readonly back = new Map<string, number>();

  /** Keys that were taken and not given back. */
  get standing(): string[] {
    return [...this.taken.keys()].filter((key) => !this.back.has(key));
  }
}

for (const inline of [true, false]) {
  test(`charges that stand are those of the orders that are there (${inline})`, async (t) => {
    t.diagnostic(`SEED=${SEED}`);
    const folder = mkdtempSync(join(tmpdir(), "lacuna-calls-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const next = randomFrom(SEED);
    const below = (count: number): number => Math.floor(next() * count);
    let twice = 0;
    const bank = new Bank();
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, below(40)));
    const one = await shop(
      t,
      {
        ...WELL,
        charge: async ({ given, context: { key } }) => {
          if (bank.taken.has(key)) twice++;
          await pause();
          const what = below(80);
          if (what === 0) return { word: "declined" };
          bank.taken.set(key, given as { amount: string; order: string });
          if (what === 1) throw new Error("taken, and then broken");
          if (what === 2) return { word: "settled" };
          if (what === 3) await new Promise((resolve) => setTimeout(resolve, 350));
          return { word: "settled", reference: key, fee: 0 };
        },
        refund: async ({ context: { undoes = "" } }) => {
          await pause();
          if (below(5) === 0) throw new Error("not now");
          bank.back.set(undoes, (bank.back.get(undoes) ?? 0) + 1);
          return { word: "done" };
        },
      },
      {
        file: join(folder, "shop.sqlite"),
        inline,
        edit: (text) => text.replace("- Time-out: 600 ms", "- Time-out: 300 ms"),
      },
    );
    const sent = Array.from({ length: REQUESTS }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, below(1500)));
      if (i === 55) await one.post("/flags", { name: "closed" });
      return await one.post("/orders", { item: `i${i}`, total: 6 + i });
    });
    const answers = await Promise.all(sent);
    const statuses = new Set(answers.map(({ status }) => status));
    assert.deepEqual(
      [...statuses].filter((status) => ![201, 402, 409, 500, 503].includes(status)),
      [],
    );
    assert.equal(twice, 0, "no key is used twice");
    const made = answers.filter(({ status }) => status === 201).map(({ json }) => json);
    t.diagnostic(`${made.length} orders, ${bank.taken.size} charges of ${REQUESTS} requests`);
    await until(() => bank.standing.length === made.length, "undone");
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Each order names its own charge, for its own amount and number; no other stands.
    assert.deepEqual(made.map(({ payment }) => payment).sort(), bank.standing.sort());
    for (const order of made) {
      const { amount, order: number } = bank.taken.get(String(order.payment)) ?? {};
      assert.equal(number, String(order.number));
      assert.equal(Number(amount), Number(order.total));
    }
    assert.deepEqual(
      made.map(({ number }) => number).sort((a, b) => Number(a) - Number(b)),
      made.map((_, i) => i + 1),
    );
    assert.ok(
      [...bank.back.values()].every((count) => count === 1),
      "given back once",
    );
  });
}

test("the same holds when the service is killed again and again", async (t) => {
  t.diagnostic(`SEED=${SEED}`);
  const folder = mkdtempSync(join(tmpdir(), "lacuna-calls-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const next = randomFrom(SEED);
  const bank = new Bank();
  const there = await web(t, async ({ call, given, key, undoes = "" }) => {
    await new Promise((resolve) => setTimeout(resolve, Math.floor(next() * 60)));
    if (call === "refund") bank.back.set(undoes, (bank.back.get(undoes) ?? 0) + 1);
    else bank.taken.set(key, given as { amount: string; order: string });
    return call === "refund" ? { word: "done" } : { word: "settled", reference: key, fee: 0 };
  });
  const file = join(folder, "shop.sqlite");
  let confirmed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const one = await child(t, file, there.address);
    const { post } = client(one.address);
    const workers = Array.from({ length: 4 }, async () => {
      for (;;) {
        const got = await post("/orders", { item: "x", total: 6 }).catch(() => undefined);
        if (got === undefined) return;
        if (got.status === 201) confirmed++;
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.floor(next() * 700)));
    one.process.kill("SIGKILL");
    await Promise.all(workers);
  }
  const last = await child(t, file, there.address);
  const orders = async (): Promise<Record<string, unknown>[]> =>
    (await client(last.address).get("/orders")).json as never;
  await until(async () => bank.standing.length === (await orders()).length, "undone");
  const all = await orders();
  t.diagnostic(`${all.length} orders, ${confirmed} confirmed, ${bank.taken.size} charges`);
  assert.ok(all.length >= confirmed && confirmed > 0);
  assert.deepEqual(all.map(({ payment }) => payment).sort(), bank.standing.sort());
});

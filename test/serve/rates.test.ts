/** Requests that were counted stay counted; sizes are judged where the document says. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { movableClock, type Running, serve } from "../../src/serve/index.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";

const plan = planOf(
  document({
    resources: `### \`Thing\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |`,
    states: "- No states: `Thing`",
    every: "- Who: none\n\n1. Check the limits.\n2. Check the inputs.\n3. Check the paths.",
    endpoints: `### \`GET /things/{id}\`: look

- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

1. Respond \`200\` with \`Thing\` of \`thing\`.`,
    limits: `- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`pace\` | requests | everyone | 3 | 1 min, sliding | \`refused\` |`,
  }),
);

const SECOND = 1_000_000n;
const START = 1_800_000_000n * SECOND;
const YEARS = 10n * 365n * 86_400n * SECOND;

test("a refused request is counted, also by the service that is started after it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-rates-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const clock = movableClock(START);
  const open = (): Promise<Running> =>
    serve(plan, { file: join(folder, "a.sqlite"), inline: true, clock });
  const ask = async ({ port }: Running): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/things/x`)).status;
  const first = await open();
  assert.deepEqual([await ask(first), await ask(first)], [404, 404]);
  await first.stop();
  const second = await open();
  t.after(() => second.stop());
  assert.deepEqual([await ask(second), await ask(second)], [404, 422]);
  clock.move(60_000_000n);
  assert.equal(await ask(second), 404);
});

test("what was counted while the clock was wrong does not count when it is right", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-rates-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const asked = async (at: bigint): Promise<number[]> => {
    const running = await serve(plan, { file, inline: true, clock: movableClock(at) });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await fetch(`${running.address}/things/x`)).status);
    }
    await running.stop();
    return statuses;
  };
  assert.deepEqual(await asked(START + YEARS), [404, 404, 404, 422]);
  assert.deepEqual(await asked(START), [404, 404, 404, 422]);
  assert.deepEqual(await asked(START + 61n * SECOND), [404, 404, 404, 422]);
});

test("a clock that is put right while the service runs frees the limits", async (t) => {
  let at = START + YEARS;
  const clock = { now: () => at, watch: () => {} };
  const { address, stop } = await serve(plan, { memory: true, clock });
  t.after(stop);
  const ask = async (): Promise<number> => (await fetch(`${address}/things/x`)).status;
  assert.deepEqual([await ask(), await ask(), await ask(), await ask()], [404, 404, 404, 422]);
  at = START;
  assert.deepEqual([await ask(), await ask(), await ask(), await ask()], [404, 404, 404, 422]);
});

test("a body past its limit gets the limit's error, wherever the limits are checked", async (t) => {
  const first = "1. Check the inputs.\n2. Check the limits.";
  for (const every of [first, "1. Check the limits.\n2. Check the inputs."]) {
    const running = await serve(
      planOf(
        document({
          states: "- No states: `Thing`",
          resources:
            "### `Thing`\n\n| Field | Type | Create | Update | Read | Rules |\n" +
            "|---|---|---|---|---|---|\n| `id` | id | no | no | yes | none |",
          every: `- Who: none\n\n${every}`,
          endpoints: `### \`POST /things\`: take

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`word\` | body | integer | yes | none |

1. Respond \`204\` with no body.`,
          limits: `| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`open\` | request body bytes | request | at least 100 | none | \`taken\` |
| \`body\` | request body bytes | request | 30 | none | \`refused\` |`,
        }),
      ),
      { memory: true },
    );
    t.after(() => running.stop());
    const ask = async (body: string): Promise<number> =>
      (
        await fetch(`http://127.0.0.1:${running.port}/things`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        })
      ).status;
    assert.deepEqual(
      [
        await ask('{"word":1}'),
        await ask('{"word":"1"}'),
        await ask(`{"word":${" ".repeat(30)}"1"}`),
      ],
      [204, 400, 422],
    );
  }
});

test("of `at least n` it is not known what comes above n", async (t) => {
  const limits = `| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`some\` | requests | address | at least 2 | 1 min, fixed | \`refused\` |`;
  const made = planOf(
    document({
      states: "- No states: `Thing`",
      resources:
        "### `Thing`\n\n| Field | Type | Create | Update | Read | Rules |\n" +
        "|---|---|---|---|---|---|\n| `id` | id | no | no | yes | none |",
      every: "- Who: none\n\n1. Check the limits.\n2. Check the inputs.",
      endpoints: "### `GET /things`\n\n1. Respond `204` with no body.",
      limits: `- Sent with every answer: \`RateLimit\`\n\n${limits}`,
    }),
  );
  const running = await serve(made, { memory: true });
  t.after(() => running.stop());
  const ask = () => fetch(`http://127.0.0.1:${running.port}/things`);
  for (const status of [204, 204]) {
    const answer = await ask();
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get("ratelimit"), null);
  }
  const third = await ask();
  assert.equal(third.status, 501);
  const { gap } = (await third.json()) as { gap: Record<string, unknown> };
  assert.equal(gap["sentence"], "Amount of `some`: at least 2");
  assert.equal(gap["silent"], undefined);
});

/** The status of a request that is sent from an address of this machine. */
function statusFrom(localAddress: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    const asked = request({ host: "127.0.0.1", port, localAddress, path: "/things" }, (answer) => {
      answer.resume();
      answer.on("end", () => done(answer.statusCode ?? 0));
    });
    asked.on("error", fail).end();
  });
}

test("a limit per address counts each address, over all its connections", async (t) => {
  const made = planOf(
    document({
      every: "- Who: none\n\n1. Check the limits.\n2. Check the inputs.",
      endpoints: "### `GET /things`\n\n1. Respond `204` with no body.",
      limits: `- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`some\` | requests | address | 2 | 1 min, fixed | \`refused\` |`,
    }),
  );
  const running = await serve(made, { memory: true });
  t.after(() => running.stop());
  const statuses: number[] = [];
  for (const address of ["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.1"]) {
    statuses.push(await statusFrom(address, running.port));
  }
  assert.deepEqual(statuses, [204, 204, 422, 204, 422]);
});

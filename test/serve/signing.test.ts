/** Webhooks signed as published schemes have it: who verifies as they state it takes each message. */
import assert from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { movableClock, serve } from "../../src/serve/index.ts";
import { bells, eventually, hook, post, quiet, SECOND, SECRET, START, started } from "./bells.ts";
import { type Got, receiver } from "./receiver.ts";

const SCHEME = 'string(unix_seconds(now)) + "." + payload';
const STRIPE = {
  Signature: `HMAC-SHA256 in hex of \`${SCHEME}\` with \`receiver.secret\``,
  "Header `Stripe-Signature`": '`"t=" + string(unix_seconds(now)) + ",v1=" + signature`',
};
const GITHUB = {
  Signature: "HMAC-SHA256 in hex of `payload` with `receiver.secret`",
  "Header `X-GitHub-Event`": "`event`",
  "Header `X-GitHub-Delivery`": "`delivery`",
  "Header `X-Hub-Signature-256`": '`"sha256=" + signature`',
};

/** As `constructEvent` of the `stripe` package: the signed time, once the signature is verified. */
function stripeTime({ headers, body }: Got): number {
  const said = String(headers["stripe-signature"]).split(",");
  const parts = new Map(said.map((one) => one.split("=") as [string, string]));
  const time = parts.get("t") ?? "";
  const wanted = createHmac("sha256", SECRET).update(`${time}.${body}`, "utf8").digest("hex");
  assert.ok(timingSafeEqual(Buffer.from(wanted), Buffer.from(parts.get("v1") ?? "")));
  return Number(time);
}

/** As GitHub says that deliveries are validated. */
function isOfGithub({ headers, body }: Got): boolean {
  const wanted = `sha256=${createHmac("sha256", SECRET).update(body, "utf8").digest("hex")}`;
  return wanted === headers["x-hub-signature-256"];
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "lacuna-signing-"));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const seconds = (micros: bigint): number => Number(micros / SECOND);

for (const isKept of [false, true]) {
  const where = isKept ? "in a file" : "in memory";
  test(`served: bullets/webhook/signature hmac=HMAC-SHA256, bullets/webhook/signature hmac=hex, bullets/webhook/webhook header: each attempt is signed as Stripe does, at its own time, with the id of the message (${where})`, async (t) => {
    const there = await receiver(t);
    there.answer = () => (there.got.length < 2 ? 500 : 204);
    const options = isKept ? { file: join(folder(t), "a.sqlite") } : {};
    const { address, clock } = await started(t, bells(STRIPE), options);
    await post(address, "/hooks", hook("a", there.address));
    await post(address, "/bells", { name: "é \u{1f514}" });
    await there.until(1);
    await quiet();
    clock.move(5n * SECOND);
    const [first, second] = (await there.until(2)) as [Got, Got];
    assert.deepEqual([first, second].map(stripeTime), [seconds(START), seconds(START) + 5]);
    assert.equal(first.body, second.body);
    assert.throws(() => stripeTime({ ...first, body: `${first.body} ` }));
    assert.equal(first.headers["webhook-signature"], undefined);
  });
}

test("a message that waits over a restart is signed and named as before", async (t) => {
  const there = await receiver(t);
  there.answer = () => 500;
  const file = join(folder(t), "a.sqlite");
  const { plan } = bells({ ...GITHUB, "Header `X-Sent`": "`string(unix_seconds(sent))`" });
  const options = { file, allowPrivateReceivers: true };
  const before = await serve(plan, { ...options, clock: movableClock(START) });
  await post(before.address, "/hooks", hook("a", there.address));
  await post(before.address, "/bells", { name: "b" });
  const [first] = (await there.until(1)) as [Got];
  await quiet();
  await before.stop();
  const after = await serve(plan, { ...options, clock: movableClock(START + 6n * SECOND) });
  t.after(() => after.stop());
  const [, second] = (await there.until(2)) as [Got, Got];
  for (const one of [first, second]) {
    assert.ok(isOfGithub(one));
    assert.equal(one.headers["x-github-event"], "bell.made");
    assert.equal(one.headers["x-sent"], String(seconds(START)));
  }
  assert.equal(first.headers["x-github-delivery"], second.headers["x-github-delivery"]);
  assert.equal(first.body, second.body);
});

for (const [algorithm, hash] of [
  ["HMAC-SHA1", "sha1"],
  ["HMAC-SHA512", "sha512"],
] as const) {
  test(`served: bullets/webhook/signature hmac=HMAC-SHA1, bullets/webhook/signature hmac=HMAC-SHA512, bullets/webhook/signature hmac=base64: the base64 of ${algorithm} stands in a header`, async (t) => {
    const there = await receiver(t);
    const { address } = await started(
      t,
      bells({
        Signature: `${algorithm} in base64 of \`receiver.name + payload\` with \`"k" + receiver.name\``,
        "Header `X-Signature`": "`signature`",
      }),
    );
    await post(address, "/hooks", hook("a", there.address));
    await post(address, "/bells", { name: "b" });
    const [{ headers, body }] = (await there.until(1)) as [Got];
    const wanted = createHmac(hash, "ka").update(`a${body}`).digest("base64");
    assert.equal(headers["x-signature"], wanted);
  });
}

test("headers stand beside a Standard Webhooks signature, or without one", async (t) => {
  for (const said of [{}, { Signature: "none" }]) {
    const there = await receiver(t);
    const { address } = await started(t, bells({ ...said, "Header `X-Topic`": "`event`" }));
    await post(address, "/hooks", hook("a", there.address));
    await post(address, "/bells", { name: "b" });
    const [{ headers }] = (await there.until(1)) as [Got];
    assert.equal(headers["x-topic"], "bell.made");
    assert.equal(headers["webhook-signature"] === undefined, "Signature" in said);
  }
});

test("a header that is not shown keeps every delivery back, and the log says why", async (t) => {
  const there = await receiver(t);
  const { address, lines } = await started(t, bells({ "Header `X-Topic`": "not shown" }));
  await post(address, "/hooks", hook("a", there.address));
  assert.equal(await post(address, "/bells", { name: "b" }), 201);
  await eventually(() => lines.some((line) => line.startsWith("gap: ")));
  assert.equal(there.got.length, 0);
});

test("a value that no header can have makes the attempt fail", async (t) => {
  const there = await receiver(t);
  const { address } = await started(t, bells({ "Header `X-Name`": '`receiver.name + "\\n"`' }));
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "b" });
  await quiet();
  assert.equal(there.got.length, 0);
});

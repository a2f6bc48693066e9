/** A sample of `npm run test:races`: requests at the same time, to a right service and a racy one. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { lacuna } from "../../cli/world.ts";
import { ROOT } from "../../peers/served.ts";
import { faults, verified } from "./judged.ts";
import { type Fault, service as running } from "./service.ts";

/** Few requests before the races. */
const REQUESTS = 20;

test("no answer of a right service is called broken, however many are asked for at once", async () => {
  const { session, races } = await verified(1, undefined, { requests: REQUESTS, races: 40 });
  assert.deepEqual(
    session.breaks.map(({ items }) => items),
    [],
  );
  assert.ok((races?.run ?? 0) > 3, JSON.stringify(races));
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
const isReport = ajv.compile<{
  readonly broken: readonly { readonly items: readonly string[]; readonly race?: object }[];
}>(JSON.parse(readFileSync(join(ROOT, "docs/schema/verify.schema.json"), "utf8")));
const isReplay = ajv.compile<object>(
  JSON.parse(readFileSync(join(ROOT, "docs/schema/replay.schema.json"), "utf8")),
);

const found: Fault = "double transition";

test(`found, its line named, told, and run again: ${found}`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-races-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const service = await running(found);
  t.after(() => service.stop());
  const spec = join(import.meta.dirname, "spec.md");
  const bounds = [
    "--requests",
    "80",
    "--races",
    "400",
    "--shrink",
    "80",
    "--breaks",
    "1",
    "--seed",
    "2",
  ];
  const text = join(folder, "told.txt");
  const told = ["--format", "json", "--report", `text=${text}`, "--replays", folder];
  const { out, err } = await lacuna(["verify", spec, service.url.href, ...bounds, ...told]);
  const report: unknown = JSON.parse(out || err);
  assert.ok(isReport(report), JSON.stringify(isReport.errors));
  const broken = report.broken.find(({ items }) =>
    faults[found].some((item) => items.includes(item)),
  );
  assert.ok(broken !== undefined, JSON.stringify({ ...report, items: 0, evidence: 0 }));
  assert.ok(broken.race !== undefined);
  assert.match(readFileSync(text, "utf8"), /^ {2}client 1 .*^ {2}client 2 .*no order of these/ms);

  const file = readdirSync(folder).find((name) => name.endsWith(".json")) ?? "";
  assert.ok(isReplay(JSON.parse(readFileSync(join(folder, file), "utf8"))));
  const again = await lacuna(["replay", join(folder, file)]);
  assert.equal(again.code, 1, again.out);
  const right = await running();
  t.after(() => right.stop());
  const mended = await lacuna(["replay", join(folder, file), right.url.href]);
  assert.equal(mended.code, 0, `${mended.out}\n${readFileSync(join(folder, file), "utf8")}`);
});

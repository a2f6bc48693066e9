/** `lacuna verify` against services that are served: right ones, changed ones, none at all. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, lacuna } from "../cli/world.ts";
import { freePort, ROOT, served } from "../peers/served.ts";

const TODO = join(ROOT, "examples/todo/spec.md");
const ORDERS = join(ROOT, "examples/orders/spec.md");

interface Report {
  readonly items: readonly {
    readonly id: string;
    readonly part: string;
    readonly line: number;
    readonly column: number;
    readonly verdict: string;
  }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly items: readonly string[] }[];
  readonly run: { readonly requests: number; readonly ended: string };
}

async function verified(
  document: string,
  { of, args = [], more = [] }: { of: string; args?: readonly string[]; more?: readonly string[] },
): Promise<{ readonly code: number; readonly report: Report }> {
  const service = await served({ args: [of, ...args] });
  try {
    // Races have tests of their own.
    const all = ["verify", document, service.address, "--format", "json", "--races", "0", ...more];
    const { code, out, err } = await lacuna(all);
    assert.ok(out !== "", err);
    return { code, report: JSON.parse(out) };
  } finally {
    assert.equal(await service.stop(), 0);
  }
}

test("nothing of a right service is broken, and most of what it states is held", async () => {
  const { code, report } = await verified(TODO, { of: TODO, more: ["--requests", "120"] });
  assert.deepEqual(report.broken, []);
  assert.equal(code, 0);
  assert.ok((report.counts["held"] ?? 0) > 80, JSON.stringify(report.counts));
  const known = new Map(report.items.map((one) => [one.id, one]));
  assert.equal(known.get("errors/already_done")?.line, 95);
  assert.equal(known.get("errors/broken")?.verdict, "not reached");
});

test("what is free varies, and is not held against a service", async (t) => {
  const rows = join(ROOT, "examples/orders/rows.json");
  const given = JSON.stringify({ rows: JSON.parse(readFileSync(rows, "utf8")) });
  const place = folder(t);
  writeFileSync(join(place, "given.json"), given);
  const { report } = await verified(ORDERS, {
    of: ORDERS,
    args: ["--rows", rows, "--shake", "7"],
    more: ["--given", join(place, "given.json"), "--seconds", "2", "--seed", "7"],
  });
  assert.deepEqual(report.broken, []);
  assert.ok((report.counts["held"] ?? 0) > 20, JSON.stringify(report.counts));
});

/** Clauses of the document, what is served in their place, and an item that must be named. */
const changed: readonly [clause: string, instead: string, item: string][] = [
  ["1 to 120 characters", "1 to 119 characters", "resources/Todo/title"],
  ["`already_done` | 409", "`already_done` | 410", "errors/already_done"],
  ["; at least one member", "", "endpoints/PATCH /todos/{id}/body"],
];

for (const [clause, instead, item] of changed) {
  test(`broken and named: ${clause}`, async (t) => {
    const text = readFileSync(TODO, "utf8");
    assert.ok(text.includes(clause));
    const file = join(folder(t), "other.md");
    writeFileSync(file, text.replace(clause, instead));
    const more = ["--breaks", "1", "--shrink", "0"];
    const { code, report } = await verified(TODO, { of: file, more });
    assert.equal(code, 1);
    assert.equal(report.run.ended, "broken answers");
    const named = report.broken.flatMap(({ items }) => items);
    assert.ok(
      named.some((one) => one.includes(item)),
      named.join("\n"),
    );
  });
}

test("of a document in which nothing is shown nothing is broken", async () => {
  const seed = join(ROOT, "examples/blank/spec.md");
  const { code, report } = await verified(seed, { of: TODO });
  assert.equal(code, 0);
  assert.equal(report.counts["broken"], 0);
});

test("where nobody answers that is said, with an exit code of its own", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { code, err, out } = await lacuna(["verify", TODO, url]);
  assert.equal(code, 3);
  assert.equal(out, "");
  assert.match(err, /gave no answer/);
});

const wrong: readonly [args: readonly string[], says: RegExp][] = [
  [[TODO, "nowhere"], /is no address such as/],
  [[TODO, "ftp://a.example"], /is no address such as/],
  [[TODO, "http://127.0.0.1:1", "--format", "xml"], /no format `xml`/],
  [[TODO, "http://127.0.0.1:1", "--seed", "-1"], /`--seed -1` is no whole number/],
  [[TODO, "http://127.0.0.1:1", "--requests", "many"], /`--requests many`/],
  [[TODO, "http://127.0.0.1:1", "--patience", "long"], /`--patience long` is no time/],
  [["missing.md", "http://127.0.0.1:1"], /missing\.md/],
  [[TODO, "http://127.0.0.1:1", "--given", TODO], /it is no JSON at offset/],
];

for (const [args, says] of wrong) {
  test(`wrong use: ${args.join(" ").replaceAll(ROOT, "")}`, async () => {
    const { code, err } = await lacuna(["verify", ...args]);
    assert.equal(code, 2, err);
    assert.match(err, says);
  });
}

test("what an operator tells is read by the document, and each mistake is named", async (t) => {
  const file = join(folder(t), "given.json");
  const rows = { Order: [{ id: 1, nothing: 2 }], Thing: [] };
  writeFileSync(file, JSON.stringify({ rows, settings: { x: 1 }, more: 1, receiver: { port: 0 } }));
  const { code, err } = await lacuna(["verify", ORDERS, "http://127.0.0.1:1", "--given", file]);
  assert.equal(code, 2);
  for (const says of [
    /`more` is not known/,
    /`x` is no setting/,
    /`nothing`, which is no field/,
    /`receiver` is/,
  ]) {
    assert.match(err, says);
  }
  assert.match(err, /`Thing` is no resource/);
});

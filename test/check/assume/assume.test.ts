/** Assumptions fill gaps and override nothing: properties over the examples, random by SEED. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CheckedSpec, check, plan } from "../../../src/check/index.ts";
import { assumedBy } from "../../../src/plan/index.ts";
import { read } from "../../../src/read/index.ts";
import { testSeed } from "../../random.ts";
import { cases } from "../../whole.ts";
import { holes, lineGaps, numbersFrom } from "./holes.ts";

const root = join(import.meta.dirname, "../../..");
const textOf = (name: string) => readFileSync(join(root, "examples", name), "utf8");
const reading = (text: string) => read(new TextEncoder().encode(text));
const asAssumptions = (text: string) => text.replace(/^# /, "# Assumptions for ");
const ofAssumptions = (checked: CheckedSpec) =>
  checked.findings.filter((one) => one.code.startsWith("assumption-"));
const EXAMPLES = ["blank", "todo", "todo-backend", "orders", "conduit", "bank"] as const;
const seed = testSeed;

/**
 * What a plan says, without what tells assumed from stated. Items are numbered: their names have
 * the words of the document, and those differ where it has a gap.
 */
function meaning(checked: CheckedSpec): string {
  const made = plan(checked)?.plan;
  assert.ok(made, JSON.stringify(checked.findings.filter((one) => one.severity === "error")[0]));
  const { assumed: _, parts: _parts, ...rest } = made;
  const numbers = new Map<string, number>();
  const numbered = (key: string, value: unknown): unknown => {
    if (key !== "id" || typeof value !== "string") return value;
    if (!numbers.has(value)) numbers.set(value, numbers.size);
    return numbers.get(value);
  };
  return JSON.stringify(rest, numbered, 1);
}

for (const name of EXAMPLES) {
  test(`${name}: a file that repeats the document fills nothing and is right`, () => {
    const text = textOf(`${name}/spec.md`);
    const checked = check(reading(text), reading(asAssumptions(text)));
    assert.deepEqual(ofAssumptions(checked), []);
    assert.deepEqual(checked.assumed, []);
    assert.equal(meaning(checked), meaning(check(reading(text))));
  });
}

for (const name of ["todo", "orders", "bank"] as const) {
  test(`${name}: gaps at random places are filled with what stood there`, (t) => {
    t.diagnostic(`SEED=${seed}`);
    const text = textOf(`${name}/spec.md`);
    const wanted = meaning(check(reading(text)));
    const assumptions = reading(asAssumptions(text));
    let filled = 0;
    for (let round = 0; round < 12; round++) {
      const holed = holes(text, seed + round, 1 + (round % 6));
      const document = reading(holed.text);
      assert.deepEqual(document.findings, [], holed.places.join("\n"));
      const checked = check(document, assumptions);
      assert.deepEqual(ofAssumptions(checked), [], holed.places.join("\n"));
      assert.equal(checked.counts.notShown, 0, holed.places.join("\n"));
      assert.equal(meaning(checked), wanted, holed.places.join("\n"));
      filled += checked.assumed?.length ?? 0;
    }
    assert.ok(filled >= 12);
  });
}

test("every item says in which of the two texts it stands", () => {
  const [text, assumptions] = [textOf("conduit/spec.md"), textOf("conduit/assumptions.md")];
  const checked = check(reading(text), reading(assumptions));
  let behind = 0;
  for (const [id, span] of checked.origins) {
    const own = span.file === 1 ? assumptions : text;
    assert.ok(span.start >= 0 && span.end <= own.length, id);
    assert.notEqual(own.slice(span.start, span.end).trim(), "", id);
    behind += span.file === 1 ? 1 : 0;
  }
  assert.ok(behind > 50);
  for (const one of checked.assumed ?? []) {
    assert.equal(one.span.file, 1);
    const place = one.instead && text.slice(one.instead.start, one.instead.end);
    assert.ok(place === undefined || !text.includes(`${one.text}\n${one.text}`), one.text);
  }
});

test("conduit: what is left open, no suite of the RealWorld project meets", () => {
  const document = reading(textOf("conduit/spec.md"));
  const checked = check(document, reading(textOf("conduit/assumptions.md")));
  assert.deepEqual(
    checked.findings.filter((one) => one.severity === "error"),
    [],
  );
  const left = checked.gaps.filter((gap) => gap.blocking).map((gap) => gap.id);
  assert.deepEqual(
    left.filter((id) => !/^resources\/(Article\/slug|Follow|Favorite)\//.test(id)),
    [],
  );
  assert.ok(check(document).counts.notShown > 40);
});

test("conduit: an answer is marked by what it uses alone", () => {
  const checked = check(
    reading(textOf("conduit/spec.md")),
    reading(textOf("conduit/assumptions.md")),
  );
  const made = plan(checked)?.plan;
  assert.ok(made?.assumed);
  const at = (id: string) => made.endpoints.findIndex((one) => one.id === `endpoints/${id}`);
  const tags = assumedBy(made, { endpoint: at("GET /tags"), status: 200 });
  assert.ok(tags.includes("endpoints/GET /tags/step When size(tags) > 1, do nothing"));
  assert.ok(!tags.some((id) => id.startsWith("authentication/") || id.startsWith("errors/")));
  const user = assumedBy(made, { endpoint: at("GET /user"), status: 200 });
  assert.ok(user.includes("authentication/token/credential"));
  assert.ok(!user.some((id) => id.startsWith("resources/Article") || id.includes("GET /tags")));
  const refused = assumedBy(made, { endpoint: at("POST /users/login"), error: "bad_login" });
  assert.ok(refused.includes("errors/bad_login/status"));
  assert.ok(!refused.includes("errors/forbidden/says"));
  assert.ok(assumedBy(made, { conditions: ["unknown path"] }).includes("errors/unknown path"));
  for (const id of [...tags, ...user, ...refused]) assert.ok(made.assumed.includes(id), id);
  const alone = plan(check(reading(textOf("conduit/spec.md"))))?.plan;
  assert.ok(alone !== undefined && alone.assumed === undefined);
  assert.deepEqual(assumedBy(alone, { endpoint: 0 }), []);
});

test("an answer that is changed contradicts, wherever it stands", (t) => {
  t.diagnostic(`SEED=${seed}`);
  const text = textOf("orders/spec.md");
  const document = reading(text);
  let judged = 0;
  for (const place of lineGaps(text, seed, 20)) {
    const other = place.changed;
    if (other === undefined) continue;
    const assumptions = reading(asAssumptions(other));
    if (assumptions.findings.length > 0) continue;
    const checked = check(document, assumptions);
    assert.ok(ofAssumptions(checked).length > 0, place.line);
    assert.equal(plan(checked), undefined);
    judged++;
  }
  assert.ok(judged > 5);
});

test("a file for another document is refused by its title", () => {
  const checked = check(reading(textOf("todo/spec.md")), reading("# Assumptions for Bank\n"));
  assert.deepEqual(
    ofAssumptions(checked).map((one) => one.code),
    ["assumption-title"],
  );
});

test("whatever the assumptions are, the check ends with a report", (t) => {
  t.diagnostic(`SEED=${seed}`);
  const document = reading(textOf("conduit/spec.md"));
  const lines = textOf("conduit/assumptions.md").split("\n");
  const random = numbersFrom(seed);
  for (let round = 0; round < cases(20, 200); round++) {
    const mixed = lines.map((line) =>
      random(12) === 0 ? (lines[random(lines.length)] ?? "") : line,
    );
    const text = mixed.join("\n");
    const checked = check(document, reading(text));
    for (const { span } of checked.findings) {
      const own = span.file === 1 ? text : checked.text;
      assert.ok(span.start >= 0 && span.start <= own.length);
    }
  }
});

/** The table of codes is what the checker reports: each wrong sample earns its code alone. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CheckCode, checkCodes } from "../../src/check/index.ts";
import { blockCodes } from "../../src/read/index.ts";
import { placed, places } from "./places.ts";
import { base, checked } from "./sample.ts";

const root = join(import.meta.dirname, "../../src");
const CODE =
  /report\(\s*[\w.]+,\s*"([a-z-]+)"|code: "([a-z-]+)"|noForm\([^)]*, "([a-z]+)",|tell\(\w+, "([a-z-]+)"/g;

/** Every code that the sources name where they report. */
function reported(): Set<string> {
  const found = new Set<string>(["unknown-rule", "unknown-cell", "unknown-type"]);
  for (const room of ["check", "read/document", "read/forms", "expr"]) {
    for (const file of readdirSync(join(root, room), { recursive: true }) as string[]) {
      if (!file.endsWith(".ts") || file === "codes.ts") continue;
      for (const hit of readFileSync(join(root, room, file), "utf8").matchAll(CODE)) {
        found.add(hit[1] ?? hit[2] ?? hit[4] ?? `unknown-${hit[3]}`);
      }
    }
  }
  return found;
}

test("every code that is reported is in a table, and every one in the table is reported", () => {
  const named = reported();
  const known = new Set([...Object.keys(checkCodes), ...Object.keys(blockCodes)]);
  assert.deepEqual([...named].filter((code) => !known.has(code)).sort(), []);
  assert.deepEqual(
    Object.keys(checkCodes)
      .filter((code) => !named.has(code))
      .sort(),
    [],
  );
});

/** Described in words: they are found in two documents together. */
const described = new Set<string>([
  "assumption-contradicts",
  "assumption-unused",
  "assumption-title",
]);

test("no code is in both tables", () => {
  const twice = Object.keys(checkCodes).filter((code) => code in blockCodes);
  assert.deepEqual(twice, []);
});

test("the small document has no finding but notes", () => {
  assert.deepEqual(checked(base).findings, []);
});

test("every code has a place for its samples", () => {
  assert.deepEqual(
    Object.keys(places).sort(),
    Object.keys(checkCodes)
      .filter((code) => !described.has(code))
      .sort(),
  );
});

for (const code of Object.keys(checkCodes) as CheckCode[]) {
  const { wrong, right, severity } = checkCodes[code];
  if (described.has(code)) continue;
  const wanted = { review: severity === "review" };
  test(`${code}: its wrong sample earns it, its right one does not`, () => {
    const text = placed(code, wrong);
    const found = checked(text, wanted).findings.filter((finding) => finding.code === code);
    assert.ok(
      found.length > 0,
      `found: ${checked(text, wanted)
        .findings.map((one) => `${one.code} ${one.message}`)
        .join("\n")}`,
    );
    const [first] = found;
    const isKnown = first?.severity === severity;
    assert.ok(isKnown, `severity ${first?.severity}`);
    assert.ok((first?.span.end ?? 0) <= text.length);
    const again = checked(placed(code, right), wanted).findings.filter(
      (finding) =>
        finding.code === code || (finding.severity === "error" && finding.code !== "silent"),
    );
    assert.deepEqual(
      again.map((one) => `${one.code} ${one.message}`),
      [],
    );
  });
}

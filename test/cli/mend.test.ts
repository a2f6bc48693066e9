/** `check --fix`: whatever is left out of a document, nothing is silent afterwards. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mended } from "../../src/cli/mend.ts";
import { checkBytes } from "../../src/cli/pipeline.ts";
import { cases } from "../whole.ts";
import { seeded } from "../write/random.ts";

const encoder = new TextEncoder();
const names = ["blank", "todo", "todo-backend", "orders", "conduit", "bank", "payments"];
const examples = names.map((name) =>
  readFileSync(new URL(`../../examples/${name}/spec.md`, import.meta.url), "utf8"),
);

/** Lines that state something and can be left out without breaking what stands around them. */
const LEAVABLE = /^(- |[A-Z][^.`]*: (none|not shown)\.$|\| [^|]+ \| (`|not))/;

/** Whether `part` comes out of `whole` by leaving characters out. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const line of whole.split("\n")) if (part.split("\n")[at] === line) at++;
  return at === part.split("\n").length;
}

test("a document without its statements is mended by insertions alone", (t) => {
  const { seed, next } = seeded();
  t.diagnostic(`SEED=${seed}`);
  let recorded = 0;
  for (let i = 0; i < cases(25, 200); i++) {
    const lines = (examples[next(examples.length)] ?? "").split("\n");
    const leavable = lines.flatMap((line, at) => (LEAVABLE.test(line) ? [at] : []));
    const out = new Set(Array.from({ length: 1 + next(3) }, () => leavable[next(leavable.length)]));
    const text = lines.filter((_, at) => !out.has(at)).join("\n");
    const result = mended(encoder.encode(text));
    if (result.unread > 0) continue;
    recorded += result.recorded;
    const left = [...out].map((at) => lines[at ?? 0]).join(" / ");
    assert.equal(checkBytes(encoder.encode(result.text)).counts.silent, 0, left);
    assert.equal(result.left, 0, left);
    assert.deepEqual(mended(encoder.encode(result.text)), { ...result, recorded: 0 }, left);
    if (result.recorded === 0) assert.equal(result.text, text);
  }
  assert.ok(recorded > 0);
});

test("an insertion takes no line away", () => {
  const text = "# T\n\n## Endpoints\n\n### `GET /a`\n\n1. Respond `204` with no body.\n";
  const { text: whole, left } = mended(encoder.encode(text));
  assert.equal(left, 0);
  assert.ok(isWithin(text.trimEnd(), whole));
  assert.match(whole, /- Who: not shown/);
  const errors = checkBytes(encoder.encode(whole)).findings.filter((f) => f.severity === "error");
  assert.deepEqual(errors, []);
});

test("a document that cannot be read is left alone", () => {
  const text = "# T\n\n## Endpoints\n\n### `GET /a`\n\n1. Respnd `204` with no body.\n";
  const result = mended(encoder.encode(text));
  assert.equal(result.text, text);
  assert.equal(result.unread, 1);
  assert.ok(result.left > 0);
});

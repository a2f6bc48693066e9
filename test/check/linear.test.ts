/** The checker takes time in proportion to the document, whatever there is much of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { documentOf } from "../../bench/documents.ts";
import { base, checked, edited } from "./sample.ts";

const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.";
const FIELD = "| `title` | string | required | optional | yes | none |";
const many = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("\n");

test("the large documents are right ones", () => {
  assert.deepEqual(checked(documentOf(3)).findings, []);
});

const kinds: [name: string, make: (count: number) => string][] = [
  ["resources and endpoints", (n) => documentOf(n / 20)],
  [
    "steps that name values",
    (n) =>
      edited(
        base,
        FINISH,
        `${many(n, (i) => `${i + 1}. Let \`x${i}\` be \`${i}\`.`)}\n${n + 1}. Respond \`204\` with no body.`,
      ),
  ],
  [
    "fields",
    (n) =>
      edited(
        base,
        FIELD,
        `${FIELD}\n${many(n, (i) => `| \`f${i}\` | string | optional | no | yes | starts \`"a"\` |`)}`,
      ),
  ],
  [
    "parts inside parts",
    (n) =>
      edited(
        base,
        "## States and transitions",
        `${many(
          n,
          (i) =>
            `### \`P${i}\`, a part\n\n| Field | Type | Create | Update | Read | Rules |\n` +
            `|---|---|---|---|---|---|\n| \`a\` | ${i === 0 ? "string" : `\`P${i - 1}\``} ` +
            "| required | no | yes | none |\n",
        )}\n## States and transitions`,
      ).replace(FIELD, `${FIELD}\n| \`p\` | \`P${n - 1}\` | required | no | yes | none |`),
  ],
  [
    "named steps that do each other",
    (n) =>
      edited(
        base,
        "## Endpoints",
        `${many(n, (i) => `### \`r${i}\`, steps\n\n1. Do \`r${(i + 1) % n}\`.\n`)}\n## Endpoints`,
      ),
  ],
  [
    "members that are not there",
    (n) =>
      edited(
        base,
        FIELD,
        `${FIELD}\n${many(n, (i) => `| \`f${i}\` | string | no | no | yes | starts \`it.x${i}\` |`)}`,
      ),
  ],
  [
    "unknown names",
    (n) =>
      edited(
        base,
        FIELD,
        `${FIELD}\n${many(n, (i) => `| \`f${i}\` | \`Nota${i}\` | required | no | yes | none |`)}`,
      ),
  ],
];

function cpuMs(text: string): number {
  const before = process.cpuUsage();
  checked(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Twice as much takes twice the time; four times would be the square. A slow machine is slow. */
const FACTOR_MAX = 3.4;

for (const [name, make] of kinds) {
  test(`linear in ${name}`, () => {
    cpuMs(make(400));
    const [small, large] = [1500, 6000].map((count) =>
      Math.min(cpuMs(make(count)), cpuMs(make(count))),
    );
    assert.ok(large !== undefined && small !== undefined);
    const factor = Math.sqrt(large / Math.max(small, 1));
    assert.ok(factor < FACTOR_MAX, `doubling takes ${factor.toFixed(1)} times as long`);
  });
}

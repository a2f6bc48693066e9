/**
 * `npm run bench:growth`: what four times as much of one thing costs `check`, and what hostile
 * documents cost beside a parser of Markdown.
 */
import { fromMarkdown } from "mdast-util-from-markdown";
import { check } from "../src/check/index.ts";
import { read } from "../src/read/index.ts";
import { base, edited } from "../test/check/sample.ts";
import { documentOf } from "./documents.ts";
import { hostile } from "./hostile.ts";

const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.";
const FIELD = "| `title` | string | required | optional | yes | none |";
const many = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("\n");

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

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const checked = (bytes: Uint8Array) => check(read(bytes));

/** Twice as much takes twice the time; four times would be the square. */
const FACTOR_MAX = 3.4;
const BEFORE = 400;
const [SMALL, LARGE] = [1500, 6000];

let missed = 0;
const held = (is: boolean): string => {
  if (!is) missed++;
  return is ? "" : "  MISSED";
};

console.log(`Node ${process.version}, processor time of one process, least of two runs`);
console.log(`\n${"There is much of".padEnd(34)}${SMALL} ms  ${LARGE} ms  doubling takes`);
for (const [name, make] of kinds) {
  checked(Buffer.from(make(BEFORE)));
  const [small = 0, large = 0] = [SMALL, LARGE].map((count) => {
    const bytes = Buffer.from(make(count));
    return Math.min(...[1, 2].map(() => cpuMs(() => checked(bytes))));
  });
  const factor = Math.sqrt(large / Math.max(small, 1));
  console.log(
    name.padEnd(34) +
      small.toFixed(0).padStart(7) +
      large.toFixed(0).padStart(9) +
      `${factor.toFixed(1).padStart(10)} times${held(factor < FACTOR_MAX)}`,
  );
}

/** The parser takes minutes for some larger ones. */
const PEER_BYTES_MAX = 100_000;
/** No document that anybody may send keeps a core for longer. */
const HOSTILE_MAX_MS = 8000;

console.log(`\n${"Hostile document".padEnd(42)}${"ms".padStart(6)}  beside mdast`);
for (const { name, bytes } of hostile) {
  const own = cpuMs(() => checked(bytes));
  const peer =
    bytes.length > PEER_BYTES_MAX
      ? "too large for it"
      : `${(own / cpuMs(() => fromMarkdown(Buffer.from(bytes)))).toFixed(2)}`;
  console.log(
    `${name.padEnd(42)}${own.toFixed(0).padStart(6)}  ${peer}${held(own < HOSTILE_MAX_MS)}`,
  );
}
if (missed > 0) process.exitCode = 1;

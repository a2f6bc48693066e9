/** A feature: an endpoint that shows the values of expressions of all types over what it is sent. */
import { check, type Environment, noFacts, type Type } from "../../../src/expr/index.ts";
import { expressionOf, type Leaves, type Word } from "../expressions.ts";
import type { Random } from "../random.ts";
import { type MakeFeature, table } from "./feature.ts";

const INPUTS: readonly (readonly [name: string, type: string])[] = [
  ["i", "integer"],
  ["j", "integer"],
  ["price", "decimal 2"],
  ["rate", "number"],
  ["s", "string"],
  ["t", "string"],
  ["flag", "boolean"],
  ["at", "timestamp in microseconds"],
  ["day", "date"],
  ["span", "duration"],
  ["area", "time zone"],
  ["xs", "list of integer"],
  ["ss", "list of string"],
  ["n", "integer or null"],
];
const LEAVES: Leaves = {
  i: ["i", "j"],
  d: ["price"],
  f: ["rate"],
  s: ["s", "t"],
  b: ["flag"],
  at: ["at", "now"],
  day: ["day"],
  span: ["span"],
  zone: ["area"],
  xs: ["xs"],
  ss: ["ss"],
  n: ["n"],
};
const TYPES: Readonly<Record<Word, string>> = {
  i: "integer",
  d: "decimal 2",
  f: "number",
  s: "string",
  b: "boolean",
  at: "timestamp in microseconds",
  day: "date",
  span: "duration",
  zone: "string",
  xs: "list of integer",
  ss: "list of string",
};

const KINDS: Readonly<Record<string, Type>> = {
  integer: { kind: "integer" },
  number: { kind: "number" },
  "decimal 2": { kind: "decimal", places: 2 },
  string: { kind: "string" },
  boolean: { kind: "boolean" },
  "timestamp in microseconds": { kind: "timestamp" },
  date: { kind: "date" },
  duration: { kind: "duration" },
  "time zone": { kind: "zone" },
  "list of integer": { kind: "list", of: { kind: "integer" } },
  "list of string": { kind: "list", of: { kind: "string" } },
  "integer or null": { kind: "nullable", of: { kind: "integer" } },
};
const environment: Environment = {
  collections: new Map(),
  members: () => undefined,
  names: new Map([
    ...INPUTS.map(([name, type]) => [name, KINDS[type] as Type] as const),
    ["now", { kind: "timestamp" }],
  ]),
};

/** Made anew where the checker knows that two literals can never be equal. */
function soundExpression(random: Random, word: Word): string {
  for (;;) {
    const text = expressionOf(random, word, 1 + random.below(3), { leaves: LEAVES });
    const { problems } = check(text, environment, noFacts());
    if (!problems.some((one) => /^never equal/i.test(one.message))) return text;
  }
}

/** Expressions of the language, shown by a shape. */
export const zoo: MakeFeature = ({ random, who }) => {
  const words: readonly Word[] = ["i", "d", "f", "s", "b", "at", "day", "span", "xs", "ss"];
  const rows = Array.from({ length: 16 }, (_, i) => {
    const word = random.pick(words);
    const text = soundExpression(random, word);
    return `| \`r${i}\` | ${TYPES[word]} | \`${text.replaceAll("|", "\\|")}\` |`;
  });
  const given = INPUTS.map(([name, type]) => `- Given \`${name}\`: ${type}`).join("\n");
  const inputs = INPUTS.map(([name, type]) => `| \`${name}\` | body | ${type} | yes | none |`);
  const assigns = INPUTS.map(([name]) => `\`${name}\` = \`body.${name}\``).join(", ");
  return {
    resources: `### \`Zoo\`, a shape

${given}

${table("| Field | Type | Value |", rows)}`,
    endpoints: `### \`POST /zoo\`: values of expressions

${who}
${table("| Input | In | Type | Needed | Rules |", inputs)}
1. Respond \`200\` with \`Zoo\` where ${assigns}.
`,
  };
};

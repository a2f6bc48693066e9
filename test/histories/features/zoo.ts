/** A feature: an endpoint that shows the values of expressions of all types over what it is sent. */
import { check, type Environment, noFacts, type Type } from "../../../src/expr/index.ts";
import { expressionOf, type Leaves, type Word } from "../expressions.ts";
import type { Random } from "../random.ts";
import { type MakeFeature, table } from "./feature.ts";

/** The ranges keep what is reckoned within the bounds of the types. */
const INPUTS: readonly (readonly [name: string, type: string, range?: string])[] = [
  ["i", "integer", "-1000000000000 to 1000000000000"],
  ["j", "integer", "-1000000 to 1000000"],
  ["price", "decimal 2", "-1000000000000.00 to 1000000000000.00"],
  ["rate", "number", "-1e15 to 1e15"],
  ["s", "string"],
  ["t", "string"],
  ["flag", "boolean"],
  ["at", "timestamp in microseconds", span("timestamp", "T00:00:00Z")],
  ["day", "date", span("date", "")],
  ["span", "duration", '`duration("-36500d")` to `duration("36500d")`'],
  ["area", "time zone"],
  ["xs", "list of integer"],
  ["ss", "list of string"],
  ["n", "integer or null", "-1000000 to 1000000"],
];

/** A range that begins and ends well within the years that there are. */
function span(type: string, time: string): string {
  return `\`${type}("1000-01-01${time}")\` to \`${type}("3000-01-01${time}")\``;
}

/** What each input is shown by: of a list, the items that are not too large. */
const valueOf = (name: string): string =>
  name === "xs" ? "body.xs.filter(x, x >= -1000000 && x <= 1000000)" : `body.${name}`;

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
  guarded: true,
  names: new Map([
    ...INPUTS.map(([name, type]) => [name, KINDS[type] as Type] as const),
    ["now", { kind: "timestamp" }],
  ]),
};

/** Made anew where two literals can never be equal, or the result may be past all bounds. */
function soundExpression(random: Random, word: Word): string {
  for (;;) {
    const text = expressionOf(random, word, 1 + random.below(3), { leaves: LEAVES });
    const { problems } = check(text, environment, noFacts());
    if (!problems.some(({ code, message }) => code === "overflow" || /^never equal/i.test(message)))
      return text;
  }
}

/** What texts are read as by functions that take only words they can surely read. */
const READ: readonly string[] = [
  '| `day` | date | `date(flag ? "2000-02-29" : "2010-10-10")` |',
  '| `at` | timestamp in microseconds | `timestamp(flag ? "2000-01-01T00:00:00.5Z" : "2030-01-01T00:00:00+01:00")` |',
  '| `span` | duration | `duration(flag ? "1m" : "-1.5h")` |',
  '| `whole` | integer | `int(flag ? "-007" : "12")` |',
];

/** Expressions of the language, shown by a shape. */
export const zoo: MakeFeature = ({ random, who }) => {
  const words: readonly Word[] = ["i", "d", "f", "s", "b", "at", "day", "span", "xs", "ss"];
  const rows = Array.from({ length: 16 }, (_, i) => {
    const word = random.pick(words);
    const text = soundExpression(random, word);
    return `| \`r${i}\` | ${TYPES[word]} | \`${text.replaceAll("|", "\\|")}\` |`;
  });
  const given = INPUTS.map(([name, type]) => `- Given \`${name}\`: ${type}`).join("\n");
  const inputs = INPUTS.map(
    ([name, type, range = "none"]) => `| \`${name}\` | body | ${type} | yes | ${range} |`,
  );
  const assigns = INPUTS.map(([name]) => `\`${name}\` = \`${valueOf(name)}\``).join(", ");
  return {
    resources: `### \`Zoo\`, a shape

${given}

${table("| Field | Type | Value |", [...rows, ...READ])}`,
    endpoints: `### \`POST /zoo\`: values of expressions

${who}
${table("| Input | In | Type | Needed | Rules |", inputs)}
1. Respond \`200\` with \`Zoo\` where ${assigns}.
`,
  };
};

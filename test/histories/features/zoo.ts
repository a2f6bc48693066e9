/** A feature: an endpoint that shows the values of expressions of all types over what it is sent. */
import { expressionOf, type Leaves, type Word } from "../expressions.ts";
import { type MakeFeature, table } from "./feature.ts";

const INPUTS: readonly (readonly [name: string, type: string])[] = [
  ["i", "integer"], ["j", "integer"], ["price", "decimal 2"], ["rate", "number"], ["s", "string"],
  ["t", "string"], ["flag", "boolean"], ["at", "timestamp in microseconds"], ["day", "date"],
  ["span", "duration"], ["area", "time zone"], ["xs", "list of integer"], ["ss", "list of string"],
  ["n", "integer or null"],
];
const LEAVES: Leaves = { i: ["i", "j"], d: ["price"], f: ["rate"], s: ["s", "t"], b: ["flag"],
  at: ["at", "now"], day: ["day"], span: ["span"], zone: ["area"], xs: ["xs"], ss: ["ss"], n: ["n"] };
const TYPES: Readonly<Record<Word, string>> = { i: "integer", d: "decimal 2", f: "number", s: "string",
  b: "boolean", at: "timestamp in microseconds", day: "date", span: "duration", zone: "string",
  xs: "list of integer", ss: "list of string" };

/** Expressions of the language, shown by a shape. */
export const zoo: MakeFeature = ({ random, who }) => {
  const words: readonly Word[] = ["i", "d", "f", "s", "b", "at", "day", "span", "xs", "ss"];
  const rows = Array.from({ length: 10 }, (_, i) => {
    const word = random.pick(words);
    const text = expressionOf(random, word, 1 + random.below(3), { leaves: LEAVES });
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

/** A feature: inputs of all types from a path, a query, headers and cookies. */
import { type MakeFeature, table } from "./feature.ts";

const TYPES: readonly (readonly [name: string, type: string, rules: string])[] = [
  ["flag", "boolean", "none"],
  ["rate", "number", "at least `-1.5`"],
  ["price", "decimal 2", "0.00 to 9.99"],
  ["when", "timestamp", "none"],
  ["unix", "timestamp as unix seconds", "none"],
  ["day", "date", "none"],
  ["span", "duration", 'at most `duration("1d")`'],
  ["area", "time zone", "none"],
  ["mail", "email", "trimmed"],
  ["link", "uri", "scheme `https`"],
  ["code", "uuid", "none"],
  ["whole", "integer", "absent means `7`"],
  ["words", "list of string", "different items; 1 to 3 items"],
  ["numbers", "list of integer", "none"],
  ["color", "one of `red`, `green`, `blue`", "none"],
  ["text", "string", "empty means absent; 2 to 5 characters"],
  ["secret", "secret", "none"],
  ["big", "integer as string", "none"],
  ["exact", "decimal 3 as string", "none"],
  ["milli", "timestamp as unix milliseconds", "none"],
];
/** Types whose value the endpoint shows. */
const SHOWN: Readonly<Record<string, string>> = {
  flag: "boolean",
  rate: "number",
  price: "decimal 2",
  when: "timestamp in seconds",
  unix: "timestamp as unix milliseconds",
  day: "date",
  span: "duration",
  area: "time zone",
  mail: "email",
  link: "uri",
  code: "uuid",
  whole: "integer as string",
  words: "list of string",
  numbers: "list of integer",
  color: "string",
  text: "string",
  big: "integer",
  exact: "decimal 3",
  milli: "timestamp as unix seconds",
};

/** Every type read as text, and the same again from JSON. */
export const places: MakeFeature = ({ random, who }) => {
  const placed = TYPES.map(([name, type, rules]) => {
    const where = random.pick(["query", "query", "header", "cookie", "body"]);
    return [
      name,
      type,
      rules,
      type.startsWith("list") && where === "cookie" ? "query" : where,
    ] as const;
  });
  const rows = placed.map(
    ([name, type, rules, where]) =>
      `| \`${name}\` | ${where} | ${type} | ${random.chance(0.2) && !rules.includes("absent") ? "yes" : "no"} | ${rules} |`,
  );
  const shown = placed.filter(([name]) => SHOWN[name] !== undefined);
  const members = shown.map(([name, , , where]) => {
    const path = `${where}.${name}`;
    const given = rows.some(
      (row) =>
        row.startsWith(`| \`${name}\``) &&
        (row.includes("| yes |") || row.includes("absent means")),
    );
    return { name, type: SHOWN[name] ?? "string", needed: given, path };
  });
  const needed = members.filter((one) => one.needed);
  const given = needed.map(({ name, type }) => `- Given \`${name}\`: ${type}`).join("\n");
  const optional = members
    .filter((one) => !one.needed)
    .map(
      ({ name, type, path }) =>
        `has(${path}) ? ${type.startsWith("list") ? (name === "words" ? `join(${path}, "+")` : `string(sum(${path}.filter(x, x >= -1000 && x <= 1000)))`) : `string(${path})`} : "-"`,
    );
  return {
    resources: `### \`Echo\`, a shape

- Given \`number\`: integer
- Given \`there\`: list of string
${given}

${table("| Field | Type | Value |", [
  ...needed.map(({ name, type }) => `| \`of.${name}\` | ${type} | \`${name}\` |`),
  "| `number` | integer | `number` |",
  "| `there` | list of string | `there` |",
])}`,
    endpoints: `### \`PUT /echo/{number}/{word}\`: what was sent

${who}
${table("| Input | In | Type | Needed | Rules |", [
  "| `number` | path | integer | yes | 0 to 50 |",
  "| `word` | path | string | yes | at most 6 characters |",
  ...rows,
  "| `more` | body | string or null | no | empty becomes null |",
])}
1. Let \`there\` be \`[${['""', ...optional].join(", ")}]\`.
2. Respond \`200\` with \`Echo\` where \`number\` = \`path.number\` and \`there\` = \`there\`${needed.map(({ name, path }) => ` and \`${name}\` = \`${path}\``).join("")}.
`,
  };
};

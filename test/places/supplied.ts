/** Places in which a value is supplied from outside: settings, and rows that are there at the start. */
import { FIELDS, MEMBERS, table } from "./frame.ts";
import { neededType, type Slot } from "./slot.ts";
import { type Case, fieldRow, SIBLING, surroundings } from "./stored.ts";
import { ask, RESTARTS } from "./traffic.ts";

function settingText(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}

/** A setting with one of the right values. */
export function settingCase(slot: Slot, at: number): Case {
  const json = slot.right[at]?.json ?? "";
  const type = neededType(slot);
  const shown = slot.isSecret ? '`{"given": true}`' : "`Echo` where `v` = `setting.v`";
  const known = !slot.isSecret && !slot.isShownElse && slot.needs !== "rows";
  return {
    document: {
      about: [`- Setting \`v\`: ${slot.type}`],
      stateless: [],
      ...surroundings(slot, false),
      resources: slot.isSecret
        ? ""
        : `### \`Echo\`, a shape\n\n- Given \`v\`: ${type}\n\n${table(MEMBERS, [`| \`v\` | ${type} | \`v\` |`])}`,
      endpoints: `### \`GET /echo\`: what was set\n\n1. Respond \`200\` with ${shown}.\n`,
    },
    settings: { v: settingText(json) },
    steps: [
      ask("GET", "/echo", undefined, {
        status: 200,
        ...(known ? { has: [`"v":${slot.right[at]?.shown ?? json}`] } : {}),
      }),
      ...RESTARTS.slice(0, 1),
      ask("GET", "/echo", undefined, { status: 200 }),
    ],
  };
}

const LIST = `### \`GET /things\`: all

1. Let \`found\` be every \`Thing\`.
2. Order \`found\` by \`it.code\` ascending.
3. Respond \`200\` with list of \`SHAPE\` of \`found\`.
`;
const PATCH = `### \`PATCH /things/{code}\`: change some

- Body: changed \`Thing\`
- Path \`code\`: \`thing\`, the \`Thing\` by \`code\`, else \`not_found\`

1. Set \`thing\` from \`body\`, given members only.
2. Respond \`200\` with \`Thing\` of \`thing\`.
`;
const SEEN = ({ type }: Slot): string =>
  `### \`Seen\`, a view of \`Thing\`\n\n${table(MEMBERS, ["| `code` | string | `it.code` |", `| \`v\` | ${type} | \`it.v\` |`])}`;

export type StartRows = "block" | "given" | "kept inside" | "fixed";

/** A block of rows of which one has a value that is none of the type. */
export function wrongStartCase(slot: Slot, at: number): Case {
  const made = startCase(slot, "block");
  const bad = slot.wrong[at]?.[0] ?? "";
  const { resources } = made.document;
  return {
    ...made,
    document: {
      ...made.document,
      resources: resources.replace(
        "```json rows things\n[",
        () => `\`\`\`json rows things\n[{"code": "bad", "v": ${bad}},\n `,
      ),
    },
  };
}

/** Rows that are there at the start: in the document, or given by the operator. */
export function startCase(slot: Slot, how: StartRows): Case {
  const isHidden = how === "kept inside" || how === "fixed";
  // What a rule makes of a value that a client gives is not made of a row that is stated.
  const stated = slot.right.filter(({ shown }) => slot.rules.length === 0 || shown === undefined);
  const rows = stated.map(({ json }, i) => ({ code: `"c${i}"`, v: json }));
  const lines = [
    ...rows.map(({ code, v }) => `{"code": ${code}, "v": ${v}}`),
    ...(slot.isAbsentable ? ['{"code": "none"}'] : []),
  ];
  const block = `\`\`\`json rows things\n[${lines.join(",\n ")}]\n\`\`\`\n`;
  const { type, rules } = slot;
  const own = rules.length === 0 ? "none" : rules.join("; ");
  const fields = isHidden
    ? table("| Field | Type | Rules |", [
        "| `code` | string | key; unique, else `taken` |",
        `| \`v\` | ${type} | ${own} |`,
        "| `k` | integer or absent | 0 to 9 |",
      ])
    : table(FIELDS, [
        "| `code` | string | required | no | yes | key; unique, else `taken` |",
        fieldRow(slot),
        SIBLING,
      ]);
  const shape = isHidden && !slot.isSecret ? "Seen" : isHidden ? "Code" : "Thing";
  const code = `### \`Code\`, a view of \`Thing\`\n\n${table(MEMBERS, ["| `code` | string | `it.code` |"])}`;
  return {
    document: {
      stateless: ["Thing"],
      isAudited: slot.columns.read === "actors",
      ...surroundings(slot, false),
      resources: `### \`Thing\`, many \`things\`${isHidden ? `, ${how}` : ""}

- Rows at the start: ${how === "given" ? "given when the service starts" : "block `things`"}

${fields}
${how === "given" ? "" : block}
${isHidden ? (slot.isSecret ? code : SEEN(slot)) : ""}`,
      endpoints: LIST.replace("SHAPE", shape) + (isHidden ? "" : PATCH),
    },
    ...(how === "given" ? { startRows: { Thing: rows } } : {}),
    steps: [
      ask("GET", "/things", undefined, { status: 200 }),
      ...(isHidden
        ? []
        : [
            ask("PATCH", "/things/c0", `{"v":${slot.right[1]?.json ?? ""}}`),
            ask("GET", "/things"),
          ]),
      ...RESTARTS.slice(0, 1),
      ask("GET", "/things", undefined, { status: 200 }),
      ...(slot.needs === "rows" ? [ask("DELETE", "/others/o1"), ask("GET", "/things")] : []),
    ],
  };
}

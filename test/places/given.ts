/** Places in which a value is given by a request and told again: inputs and bodies of all kinds. */
import { INPUTS, MEMBERS, table } from "./frame.ts";
import { neededType, type Slot } from "./slot.ts";
import { type Case, surroundings } from "./stored.ts";
import { ask, type CaseStep, type Expected } from "./traffic.ts";
import type { Right } from "./types.ts";

export interface Door {
  /** Rows of the input table, with `TYPE`, `NEEDED` and `RULES`; undefined: none. */
  readonly rows?: readonly string[];
  /** Bullets, with `TYPE`. */
  readonly bullets?: readonly string[];
  /** The value in expressions, and what has to be there before it can be asked for. */
  readonly value: string;
  readonly guards?: readonly string[];
  readonly path?: string;
  readonly isText?: true;
  /** How a value is sent; undefined: it cannot be sent here. */
  send(json: string): Sent | undefined;
  /** Ways to send nothing. */
  readonly nothing: readonly Sent[];
}

interface Sent {
  readonly target?: string;
  readonly body?: string;
  readonly media?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

const ROW = (name: string, where: string): string =>
  `| \`${name}\` | ${where} | TYPE | NEEDED | RULES |`;
const OTHER_ROW = (name: string): string => `| \`${name}\` | body | integer | no | none |`;

/** A value as text: of a string its characters, of a list each item, of `json` the JSON text. */
function texts(json: string): readonly string[] {
  if (json.startsWith(RAW)) return [json.slice(RAW.length)];
  const value: unknown = JSON.parse(json);
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return [json];
  return value.map((one: unknown) => (typeof one === "string" ? one : JSON.stringify(one)));
}

/** Before a JSON text that is sent as it is. */
const RAW = "raw ";

function textOf(json: string): string | undefined {
  const all = json.startsWith("[") ? texts(json).join(",") : texts(json)[0];
  return all !== undefined && /^[\x20-\x7e]*$/.test(all) && all.trim() === all ? all : undefined;
}

const pairs = (json: string): string =>
  texts(json)
    .map((one) => `v=${encodeURIComponent(one)}`)
    .join("&");

const BOUNDARY = "xxBOUNDARYxx";
/** A part of the form: a text, or the bytes of a file under its media type. */
function part(text: string): string {
  const [, type, base64 = ""] = /^data:([^,]+);base64,(.*)$/.exec(text) ?? [];
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="v"`;
  return type === undefined
    ? `${head}\r\n\r\n${text}\r\n`
    : `${head}; filename="f"\r\nContent-Type: ${type}\r\n\r\n${Buffer.from(base64, "base64").toString("latin1")}\r\n`;
}
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

export const DOORS: Readonly<Record<string, Door>> = {
  query: {
    rows: [ROW("v", "query")],
    value: "query.v",
    isText: true,
    send: (json) => ({ target: `/echo?${pairs(json)}` }),
    nothing: [{}, { target: "/echo?" }, { target: "/echo?v=" }, { target: "/echo?v" }],
  },
  "query with a dot": {
    rows: [ROW("v.gte", "query")],
    value: 'query["v.gte"]',
    isText: true,
    send: (json) => ({ target: `/echo?${pairs(json).replaceAll("v=", "v.gte=")}` }),
    nothing: [{}],
  },
  header: {
    rows: [ROW("v", "header")],
    value: "header.v",
    isText: true,
    send: (json) => {
      const text = textOf(json);
      return text === undefined ? undefined : { headers: [["V", text]] };
    },
    nothing: [{}, { headers: [["V", ""]] }],
  },
  "header with a hyphen": {
    rows: [ROW("X-Value", "header")],
    value: 'header["X-Value"]',
    isText: true,
    send: (json) => {
      const text = textOf(json);
      return text === undefined ? undefined : { headers: [["x-value", text]] };
    },
    nothing: [{}],
  },
  cookie: {
    rows: [ROW("v", "cookie")],
    value: "cookie.v",
    isText: true,
    send: (json) => {
      const text = textOf(json);
      return text === undefined || /[;," \\]/.test(text)
        ? undefined
        : { headers: [["Cookie", `a=b; v=${text}`]] };
    },
    nothing: [{}, { headers: [["Cookie", "v="]] }],
  },
  path: {
    rows: [ROW("v", "path")],
    value: "path.v",
    path: "/echo/{v}",
    isText: true,
    send: (json) => {
      const text = texts(json)[0] ?? "";
      return text === "" ? undefined : { target: `/echo/${encodeURIComponent(text)}` };
    },
    nothing: [],
  },
  "body row": {
    rows: [ROW("v", "body"), OTHER_ROW("k")],
    value: "body.v",
    send: (json) => ({ body: `{"v":${json}}` }),
    nothing: [{ body: "{}" }, { body: '{"k":1}' }, { body: "" }, { body: "null" }],
  },
  "dotted body row": {
    rows: [ROW("a.v", "body"), OTHER_ROW("a.k")],
    value: "body.a.v",
    guards: ["has(body.a)"],
    send: (json) => ({ body: `{"a":{"v":${json}}}` }),
    nothing: [
      { body: "{}" },
      { body: '{"a":{}}' },
      { body: '{"a":{"k":1}}' },
      { body: '{"a":null}' },
      { body: "" },
    ],
  },
  "body row below two": {
    rows: [ROW("a.b.v", "body"), OTHER_ROW("a.k")],
    value: "body.a.b.v",
    guards: ["has(body.a)", "has(body.a.b)"],
    send: (json) => ({ body: `{"a":{"b":{"v":${json}}}}` }),
    nothing: [{ body: "{}" }, { body: '{"a":{"b":{}}}' }, { body: '{"a":{"k":1}}' }, { body: "" }],
  },
  "body member": {
    bullets: ["- Body: `v`, TYPE"],
    value: "body.v",
    send: (json) => ({ body: `{"v":${json}}` }),
    nothing: [{ body: "{}" }, { body: "" }],
  },
  "dotted body member": {
    bullets: ["- Body: `a.v`, TYPE"],
    value: "body.a.v",
    guards: ["has(body.a)"],
    send: (json) => ({ body: `{"a":{"v":${json}}}` }),
    nothing: [{ body: "{}" }, { body: '{"a":{}}' }, { body: "" }],
  },
  "whole body": {
    bullets: ["- Body: TYPE"],
    value: "body",
    send: (json) => ({ body: json }),
    nothing: [{ body: "" }],
  },
  form: {
    rows: [ROW("v", "body"), OTHER_ROW("k")],
    bullets: [`- Body format: \`${FORM}\``],
    value: "body.v",
    isText: true,
    send: (json) => ({ body: pairs(json), media: FORM }),
    nothing: [
      { body: "", media: FORM },
      { body: "k=1", media: FORM },
      { body: "v=", media: FORM },
    ],
  },
  "dotted form": {
    rows: [ROW("a.v", "body"), OTHER_ROW("a.k")],
    bullets: [`- Body format: \`${FORM}\``],
    value: "body.a.v",
    guards: ["has(body.a)"],
    isText: true,
    send: (json) => ({ body: pairs(json).replaceAll("v=", "a.v="), media: FORM }),
    nothing: [
      { body: "", media: FORM },
      { body: "a.k=1", media: FORM },
    ],
  },
  "form member": {
    bullets: [`- Body: \`v\`, TYPE`, `- Body format: \`${FORM}\``],
    value: "body.v",
    isText: true,
    send: (json) => ({ body: pairs(json), media: FORM }),
    nothing: [
      { body: "", media: FORM },
      { body: "k=1", media: FORM },
    ],
  },
  multipart: {
    rows: [ROW("v", "body"), OTHER_ROW("k")],
    bullets: [`- Body format: \`${MULTIPART}\``],
    value: "body.v",
    isText: true,
    send: (json) => ({
      body: `${texts(json).map(part).join("")}--${BOUNDARY}--\r\n`,
      media: `${MULTIPART}; boundary=${BOUNDARY}`,
    }),
    nothing: [
      { body: `--${BOUNDARY}--\r\n`, media: `${MULTIPART}; boundary=${BOUNDARY}` },
      {
        body: `${part("1").replace('"v"', '"k"')}--${BOUNDARY}--\r\n`,
        media: `${MULTIPART}; boundary=${BOUNDARY}`,
      },
    ],
  },
};

function document(slot: Slot, door: Door): Case["document"] {
  const needed = slot.columns.create === "required" ? "yes" : "no";
  const fill = (text: string): string =>
    text
      .replace("TYPE", slot.type)
      .replace("NEEDED", needed)
      .replace("RULES", slot.rules.length === 0 ? "none" : slot.rules.join("; "));
  const type = neededType(slot);
  const bullets = (door.bullets ?? []).map(fill);
  const isBullet = bullets.some((one) => one.startsWith("- Body: "));
  const isOptional = isBullet
    ? slot.isAbsentable
    : (needed === "no" && !slot.rules.some((one) => one.startsWith("absent means"))) ||
      slot.isAbsentable;
  const isBody = door.value.startsWith("body");
  const shown = slot.isSecret ? '`{"given": true}`' : `\`Echo\` where \`v\` = \`${door.value}\``;
  // A path alone cannot be absent; a body can as a whole.
  const guard =
    door.value === "body" ? undefined : [...(door.guards ?? []), `has(${door.value})`].join(" && ");
  const steps =
    isOptional && guard !== undefined
      ? `1. When \`${guard}\`, respond \`200\` with ${shown}.\n2. Respond \`200\` with \`{"none": true}\`.`
      : `1. Respond \`200\` with ${shown}.`;
  return {
    resources: slot.isSecret
      ? ""
      : `### \`Echo\`, a shape\n\n- Given \`v\`: ${type}\n\n${table(MEMBERS, [`| \`v\` | ${type} | \`v\` |`])}`,
    stateless: [],
    ...surroundings(slot, false),
    endpoints: `### \`${isBody ? "PUT" : "GET"} ${door.path ?? "/echo"}\`: what was sent

${bullets.join("\n")}

${door.rows === undefined ? "" : table(INPUTS, door.rows.map(fill))}
${steps}
`,
  };
}

/** What the tables say of a wrong value: as text it may be right, as a whole body it has no name. */
function refused({ isText, value }: Door, condition: string): Expected {
  if (isText) return {};
  return value === "body" ? { status: 400 } : { status: 400, condition };
}

export function givenCase(slot: Slot, door: Door): Case {
  const isBody = door.value.startsWith("body");
  const raw = door.isText && /^json( |$)/.test(slot.type) ? RAW : "";
  const send = (sent: Sent | undefined, expected: Expected): CaseStep[] => {
    if (sent === undefined) return [];
    const { target = "/echo", body, ...more } = sent;
    return [ask(isBody ? "PUT" : "GET", target, body, expected, more)];
  };
  const seen = ({ json, shown }: Right): Expected => {
    const known = !slot.isSecret && slot.needs !== "rows" && !slot.isMade;
    // What is sent as text has no null, no empty list and no list of one that is told from its item.
    const isSame = door.isText === undefined || !/null|^\[|^\{/.test(json);
    return known && isSame ? { status: 200, has: [`"v":${shown ?? json}`] } : {};
  };
  return {
    document: document(slot, door),
    steps: [
      ...slot.right.flatMap((one) => send(door.send(raw + one.json), seen(one))),
      ...slot.wrong.flatMap(([json, condition]) => send(door.send(json), refused(door, condition))),
      ...door.nothing.flatMap((one) => send(one, {})),
      ...(slot.needs === "rows"
        ? [
            ...send(door.send('"nobody"'), {}),
            ask("DELETE", "/others/o1"),
            ...send(door.send(slot.right[0]?.json ?? ""), {}),
          ]
        : []),
    ],
  };
}

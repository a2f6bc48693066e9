/** Small edits of a plan, one clause each: what a wrong service might do in its place. */
import type { ItemId, Plan } from "../../plan/index.ts";

/** An object of a plan, seen as what it is in JSON. */
export type Node = Readonly<Record<string, unknown>>;

/** Another value of one member. `item`: what is edited; undefined: what the member is of. */
export type Edit = readonly [member: string, value: unknown, item?: ItemId];

type Editing = (node: Node, plan: Plan) => readonly Edit[];

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Operators of expressions that take the place of one another. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">"],
  "<=": ["<", ">="],
  ">": [">=", "<"],
  ">=": [">", "<="],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
};

const without = (list: readonly unknown[], at: number): readonly unknown[] => list.toSpliced(at, 1);

/** A list of clauses without one of them, which is what is edited. */
function leftOut(member: string, list: readonly unknown[], at: number): Edit {
  const left = list[at];
  const id = isNode(left) && typeof left["id"] === "string" ? left["id"] : undefined;
  return [member, without(list, at), id as ItemId | undefined];
}

const swapped = (list: readonly unknown[], at: number): readonly unknown[] =>
  list.toSpliced(at, 2, list[at + 1], list[at]);

/** The first number of a text, one more. */
const longer = (text: string): string =>
  text.replace(/\d+/, (digits) => String(BigInt(digits) + 1n));

function literal(node: Node): readonly Edit[] {
  const { op, type, value } = node;
  if (op !== "literal" || !isNode(type)) return [];
  if (typeof value === "boolean") return [["value", !value]];
  if (typeof value !== "string") return [];
  const { kind, places } = type;
  if (kind === "integer" && /^-?\d+$/.test(value)) {
    return [1n, -1n].map((by) => ["value", String(BigInt(value) + by)]);
  }
  if (kind === "decimal" && typeof places === "number" && /^\d+\.\d+$/.test(value)) {
    const digits = String(BigInt(value.replace(".", "")) + 1n).padStart(places + 1, "0");
    return [["value", `${digits.slice(0, -places)}.${digits.slice(-places)}`]];
  }
  if (kind !== "string") return [];
  return [["value", /^\d+\s?\p{L}/u.test(value) ? longer(value) : `${value}x`]];
}

/** A name compared with one of a few texts: with another of them. */
function choice(node: Node): readonly Edit[] {
  const args = listOf(node["args"]);
  const of = args.flatMap((one) => {
    const type = isNode(one) && one["op"] !== "literal" ? one["type"] : undefined;
    return isNode(type) ? listOf(type["oneOf"]) : [];
  });
  return args.flatMap((one, at): Edit[] => {
    if (!isNode(one) || one["op"] !== "literal" || of.length === 0) return [];
    const other = of[(of.indexOf(one["value"]) + 1) % of.length];
    return other === one["value"] ? [] : [["args", args.with(at, { ...one, value: other })]];
  });
}

function call(node: Node): readonly Edit[] {
  const { op, fn } = node;
  if (op !== "call" || typeof fn !== "string") return [];
  const others = (FUNCTIONS[fn] ?? []).map((one): Edit => ["fn", one]);
  return [...others, ...choice(node)];
}

/** A condition of several: without one of them. */
function parts(node: Node): readonly Edit[] {
  return Object.entries(node).flatMap(([member, code]): Edit[] => {
    if (!isNode(code)) return [];
    const { op, fn } = code;
    if (op !== "call" || typeof fn !== "string" || !["&&", "||", "!"].includes(fn)) return [];
    return listOf(code["args"]).map((arg) => [member, arg]);
  });
}

/** Another member of the same row that has the same type. */
function get(node: Node, { resources }: Plan): readonly Edit[] {
  const { op, of, member } = node;
  const type = isNode(of) ? of["type"] : undefined;
  if (op !== "get" || !isNode(type) || type["kind"] !== "row") return [];
  const fields = resources.find((one) => one.name === type["resource"])?.fields ?? [];
  const at = fields.findIndex((one) => one.name === member);
  const kind = fields[at]?.type.type.kind;
  const others = [...fields.slice(at + 1), ...fields.slice(0, Math.max(0, at))];
  const other = others.find((one) => one.type.type.kind === kind);
  return at < 0 || other === undefined ? [] : [["member", other.name]];
}

const REFUSING = new Set(["require", "may fire", "check", "check tag", "do"]);

/** Whether a step is there to refuse, or has such a step first where a condition holds. */
function mayRefuse(step: unknown): boolean {
  if (!isNode(step)) return false;
  const [first] = step["kind"] === "when" ? listOf(step["then"]) : [];
  return REFUSING.has(String(step["kind"])) || (first !== undefined && mayRefuse(first));
}

/** Steps: without one, and two that may refuse in the other order. */
function steps(node: Node): readonly Edit[] {
  return ["steps", "then", "prologue"].flatMap((member) => {
    const list = listOf(node[member]);
    const refuses = list.map(mayRefuse);
    return list.flatMap((one, at): Edit[] => [
      ...(isNode(one) && one["kind"] === "emit" ? [] : [leftOut(member, list, at)]),
      ...(refuses[at] && refuses[at + 1] ? [[member, swapped(list, at)] as const] : []),
    ]);
  });
}

/** Lists whose items are clauses of their own: without one. */
function lists(node: Node): readonly Edit[] {
  const found = ["rules", "invariants", "headers", "with", "within", "changes"].flatMap((member) =>
    listOf(node[member]).map((_, at): Edit => leftOut(member, listOf(node[member]), at)),
  );
  const keys = listOf(node["keys"]);
  if (keys.length > 1) {
    found.push(...keys.map((_, at): Edit => ["keys", without(keys, at)]));
  }
  const { kind } = node;
  if (kind === "one of") {
    const values = listOf(node["values"]);
    found.push(...values.map((_, at): Edit => ["values", without(values, at)]));
  }
  return found;
}

/** One more of what a number is. */
function more(code: Node): Node {
  const { type } = code;
  const one = { op: "literal", type: { kind: "integer" }, value: "1" };
  return { op: "call", type, fn: "+", args: [code, one] };
}

/** Lists: without what their rows must hold; pages of one more, and numbers of pages. */
function reads(node: Node): readonly Edit[] {
  const { kind, where, from, atMost } = node;
  if (kind === "let every" && where !== undefined) return [["where", undefined]];
  if (kind !== "page" || !isNode(from) || !isNode(atMost)) return [];
  const [first, most] = [from["code"], atMost["code"]];
  if (!isNode(first) || !isNode(most)) return [];
  const times = { op: "call", type: first["type"], fn: "*", args: [first, most] };
  // So many times nothing is nothing.
  const isFirst = first["op"] === "literal";
  return [
    ["atMost", { ...atMost, code: more(most) }],
    ["from", { ...from, code: more(first) }],
    ...(isFirst ? [] : [["from", { ...from, code: times }] as const]),
  ];
}

function flags(node: Node): readonly Edit[] {
  const names = ["descending", "givenOnly", "retryAfter", "onCreate", "onUpdate"];
  const found = names.filter((one) => typeof node[one] === "boolean");
  if (node["onItsName"] === true) found.push("onItsName");
  return [...found.map((one): Edit => [one, !node[one]]), ...wider(node)];
}

/** Null, or any text, where a client gives the value. */
function wider(node: Node): readonly Edit[] {
  const { type, create, update } = node;
  const given = [create, update].some((one) => isNode(one) && one["is"] !== "no");
  if (!isNode(type) || (!given && node["in"] !== "body")) return [];
  const inner = type["type"];
  const isChoice = isNode(inner) && inner["kind"] === "one of";
  return [
    ["type", { ...type, orNull: type["orNull"] !== true }],
    ...(isChoice ? [["type", { ...type, type: { kind: "string" } }] as const] : []),
  ];
}

function bounds(node: Node): readonly Edit[] {
  if (node["kind"] !== "characters" && node["kind"] !== "items") return [];
  return ["min", "max"].flatMap((one) => {
    const bound = node[one];
    return typeof bound === "number"
      ? [bound - 1, bound + 1].filter((each) => each >= 0).map((each) => [one, each] as const)
      : [];
  });
}

/** A pattern that is looked for in a text, in place of one that is the whole of it. */
function patterns(node: Node): readonly Edit[] {
  const { kind, pattern } = node;
  if (kind !== "matches" || typeof pattern !== "string") return [];
  return [`(?s:.*)(?:${pattern})`, `(?:${pattern})(?s:.*)`].map((one) => ["pattern", one]);
}

const STATUSES: Readonly<Record<number, number>> = { 200: 201, 201: 200, 204: 200 };

/** Statuses, and texts of errors. */
function answers(node: Node): readonly Edit[] {
  const { kind, status, columns } = node;
  if (kind === "respond" && typeof status === "number") {
    return [["status", STATUSES[status] ?? status + 1]];
  }
  if (!isNode(status) || typeof status["value"] !== "number" || columns === undefined) return [];
  return [
    ["status", { ...status, value: status["value"] + 1 }],
    ...listOf(columns).flatMap((one, at): Edit[] => {
      const value = isNode(one) ? one["value"] : undefined;
      if (!isNode(value) || typeof value["value"] !== "string") return [];
      const other = { ...(one as Node), value: { ...value, value: `${value["value"]}x` } };
      return [["columns", listOf(columns).with(at, other)]];
    }),
  ];
}

/** A refusal with another error of the document. */
function refusals(node: Node, { errors }: Plan): readonly Edit[] {
  const { is, error } = node;
  if (is !== "error" || typeof error !== "string") return [];
  const at = errors.findIndex(({ name }) => name === error);
  const other = errors[(at + 1) % errors.length];
  const named: Edit[] = other === undefined || at < 0 ? [] : [["error", other.name]];
  return [...named, ...(node["on"] === undefined ? [] : [["on", undefined] as const])];
}

const GIVEN: Readonly<Record<string, string>> = {
  required: "optional",
  optional: "no",
  no: "optional",
};

function access(node: Node): readonly Edit[] {
  const { create, update, read, needed } = node;
  const found: Edit[] = [];
  for (const [member, given] of Object.entries({ create, update })) {
    const is = isNode(given) ? GIVEN[String(given["is"])] : undefined;
    if (is !== undefined) found.push([member, { is }]);
  }
  if (isNode(read)) {
    if (read["is"] !== "no") found.push(["read", { is: "no" }]);
    if (read["is"] !== "yes") found.push(["read", { is: "yes" }]);
  }
  const rules = listOf(node["rules"]);
  const hasOwn = rules.some((one) => isNode(one) && one["kind"] === "absent means");
  if (!hasOwn && (needed === "yes" || needed === "no")) {
    found.push(["needed", needed === "yes" ? "no" : "yes"]);
  }
  return found;
}

/** Who may: without one, and everybody. */
function actors({ who }: Node, plan: Plan): readonly Edit[] {
  if (!isNode(who)) return [];
  const names = listOf(who["value"]);
  const all = plan.actors.find(({ holds }) => holds.is === "always")?.name;
  const others = plan.actors.map(({ name }) => name).filter((name) => !names.includes(name));
  const lists = [
    ...(names.length > 1 ? names.map((_, at) => without(names, at)) : []),
    ...others.slice(0, 3).map((name) => [...names, name]),
    ...(all === undefined || names.includes(all) ? [] : [[all]]),
  ];
  return names.length === 0 ? [] : lists.map((value) => ["who", { ...who, value }]);
}

function transitions(node: Node, { machines }: Plan): readonly Edit[] {
  const { from, to, name, when } = node;
  const machine = machines.find((one) => one.transitions.some((each) => each.name === name));
  if (!Array.isArray(from) || typeof to !== "string" || machine === undefined) return [];
  const states = machine.states.map((one) => one.name);
  const other = states[(states.indexOf(to) + 1) % states.length];
  return [
    ["to", other],
    ...states
      .filter((one) => !from.includes(one))
      .map((one): Edit => ["from", [...(from as unknown[]), one]]),
    ...(from.length > 1 ? from.map((_, at): Edit => ["from", without(from, at)]) : []),
    ...(when === undefined ? [] : [["when", undefined] as const]),
  ];
}

/** Answers of a document to a question with a few answers. */
const ANSWERS: readonly (readonly string[])[] = [
  ["first", "all"],
  ["caller", "everyone", "address"],
  ["values", "bytes"],
  ["2xx answers", "every answer"],
  ["seconds", "milliseconds"],
];

function answered(node: Node): readonly Edit[] {
  const { is, value } = node;
  if (is !== "stated" || typeof value !== "string") return [];
  const others = ANSWERS.find((one) => one.includes(value)) ?? [];
  const found = others.filter((one) => one !== value).map((one): Edit => ["value", one]);
  return found.length > 0 ? found : halfAndTwice(value).map((one): Edit => ["value", one]);
}

/** Units of durations, each with the next smaller one and how many of these it has. */
const UNITS: Readonly<Record<string, readonly [smaller: string, count: number]>> = {
  s: ["ms", 1_000],
  min: ["s", 60],
  h: ["min", 60],
  day: ["h", 24],
  days: ["h", 24],
};

/** Half of a duration and twice as much; none: it is no duration. */
function halfAndTwice(text: string): readonly string[] {
  const [, digits = "", unit = ""] = /^(\d+) ?(ms|s|min|h|days?)$/.exec(text) ?? [];
  if (digits === "") return [];
  const count = Number(digits);
  const twice = `${2 * count} ${unit === "day" ? "days" : unit}`;
  const [smaller, many] = UNITS[unit] ?? ["", 0];
  const half = count % 2 === 0 ? `${count / 2} ${unit}` : `${(count * many) / 2} ${smaller}`;
  return smaller === "" && count % 2 === 1 ? [twice] : [half, twice];
}

/** What happens by itself, and windows: at other times, or never. */
function times(node: Node): readonly Edit[] {
  const { durationText, on } = node;
  const own = typeof durationText === "string" ? halfAndTwice(durationText) : [];
  const isByTime = isNode(on) && ["time", "every"].includes(String(on["is"]));
  return [
    ...own.map((text): Edit => ["durationText", text]),
    ...(isByTime ? [["on", { is: "step" }] as const] : []),
  ];
}

/** Whether an edit shows when time has passed, and not before. */
export function takesTime(member: unknown, value: unknown): boolean {
  return member === "durationText" || (member === "on" && isNode(value));
}

const EDITINGS: readonly Editing[] = [
  ...[
    literal,
    call,
    parts,
    get,
    steps,
    lists,
    reads,
    flags,
    bounds,
    patterns,
    answers,
    refusals,
    access,
    actors,
  ],
  ...[transitions, answered, times],
];

/** All edits of one object of a plan. */
export function editsOf(node: Node, plan: Plan): readonly Edit[] {
  return EDITINGS.flatMap((editing) => editing(node, plan));
}

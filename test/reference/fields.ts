/** What the rules of a field say of its value: what it starts with, how it is kept. */
import type { Field, Resource, Rule, ValueType } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { compare, Fault, GapMet, isList, isMap, type Kept, type Value } from "./values.ts";
import type { Work } from "./work.ts";

type RuleOf<K extends Rule["kind"]> = Extract<Rule, { kind: K }>;

/** The rule of a kind that a field has. */
export function ruleOf<K extends Rule["kind"]>(field: Field, kind: K): RuleOf<K> | undefined {
  return field.rules.find((rule): rule is RuleOf<K> => rule.kind === kind);
}

/** The gap of a whole cell of rules: any rule may be among them. */
export function unruled({ id, rules }: Field): string | undefined {
  const found = rules.find((rule) => rule.id === `${id}/rules`);
  return found?.kind === "gap" ? found.gap : undefined;
}

/** Why nobody knows by which field clients name rows: it may be one that is not shown. */
export function namelessGap({ fields }: Resource): string | undefined {
  return fields.map((one) => one.gap ?? ruleOf(one, "gap")?.gap).find((gap) => gap !== undefined);
}

/** Nobody gives the field a value, which a rule that is not shown may do. */
export function meetUnruled(field: Field): void {
  const gap = unruled(field);
  if (gap !== undefined) throw new GapMet(gap);
}

export function gapBeside(work: Work, field: Field, subject: string): string | undefined {
  const recorded = work.plan.gaps.find((one) => one.id === `${field.id}/gap ${subject}`)?.id;
  return recorded ?? unruled(field);
}

/** The gap that is met where a row or part has no value in the field, and none is stated. */
export function lackingGap(work: Work, field: Field): string {
  const rule = ruleOf(field, "gap");
  const create = field.create.is === "gap" ? field.create.gap : undefined;
  return (
    gapBeside(work, field, "starts") ?? rule?.gap ?? field.gap ?? create ?? `${field.id}/starts`
  );
}

/** Whether a resource states of its integers that they count up, or bounds within 64 bits. */
function isBounded(work: Work, field: Field): boolean {
  if (field.type.type.kind !== "integer") return false;
  if (!work.plan.resources.some(({ fields }) => fields.includes(field))) return false;
  if (ruleOf(field, "counts up") !== undefined) return true;
  const ends = (["min", "max"] as const).map((end) => {
    const rule = field.rules.find((one) => one.kind === "range" && one[end] !== undefined);
    const code = rule?.kind === "range" ? rule[end] : undefined;
    return code === undefined ? undefined : work.eval({ text: "", code }, []);
  });
  return ends.every((one) => typeof one === "bigint" && one === BigInt.asIntN(64, one));
}

/** A value as the field keeps it: hashed, in its order, at any depth. */
export function kept(work: Work, field: Field, value: Value): Value {
  if (typeof value === "bigint" && isBounded(work, field) && value !== BigInt.asIntN(64, value)) {
    throw new Fault("past 64 bits");
  }
  const held = keptAs(work, field, field.type, value);
  const order = ruleOf(field, "order")?.order;
  if (!isList(held) || order === undefined) return held;
  meet("order of items", order.is === "stated" ? order.value : order.is);
  if (order.is !== "stated" || order.value === "as given") return held;
  const sign = order.value === "ascending" ? 1 : -1;
  return [...held].sort((a, b) => sign * compare(a, b));
}

function keptAs(work: Work, field: Field, { type }: ValueType, value: Value): Value {
  if (value === null || value === undefined) return value;
  meet("stored", type.kind);
  if (type.kind === "secret") return secretKept(work, field, value);
  if (type.kind === "number") return value === 0 ? 0 : value;
  if (type.kind === "list" && isList(value)) {
    return value.map((one) => keptAs(work, field, type.of, one));
  }
  if (!isMap(value)) return value;
  if (type.kind === "map") {
    return new Map([...value].map(([name, one]) => [name, keptAs(work, field, type.of, one)]));
  }
  const name = type.kind === "structure" ? type.name : undefined;
  const part = work.plan.partTypes.find((one) => one.name === name);
  if (part === undefined) return value;
  const held = new Map(value);
  for (const one of part.fields) {
    if (held.has(one.name)) held.set(one.name, kept(work, one, held.get(one.name)));
  }
  if (work.made.has(value)) work.made.add(held);
  return held;
}

function secretKept(work: Work, field: Field, value: Value): Value {
  const gap = gapBeside(work, field, "how it is kept");
  if (gap !== undefined) throw new GapMet(gap);
  const hash = ruleOf(field, "kept as")?.hash;
  meet("kept as", hash?.kind ?? "nothing stated");
  if (hash === undefined || hash.kind === "plain" || typeof value !== "string") return value;
  if (hash.kind !== "sha256") work.outside.random(16);
  const secret: Kept = { hash: hash.kind, plain: value };
  work.made.add(secret);
  return secret;
}

const CODES: Readonly<Record<string, BufferEncoding>> = {
  base64: "base64",
  base64url: "base64url",
  hex: "hex",
};

/** Version 4: so many bits say that it is one. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  const variant = "89ab"[Number.parseInt(hex[16] ?? "", 16) % 4];
  const made = `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`;
  return made.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Whether its first value is read off the row itself. */
export function readsRow(field: Field): boolean {
  const starts = ruleOf(field, "starts");
  return starts !== undefined && JSON.stringify(starts.value.code).includes('"name":"it"');
}

/** What a new row has in a field to which nobody gave a value; undefined: nothing yet. */
export function first(work: Work, resource: string, field: Field, it?: Value): Value {
  const starts = ruleOf(field, "starts");
  if (starts !== undefined) meet("rule", "starts");
  if (starts !== undefined) return work.eval(starts.value, it === undefined ? [] : [["it", it]]);
  const random = ruleOf(field, "random");
  if (random !== undefined) {
    meet("random bytes as", random.form);
    const bytes = Buffer.from(work.random(random.bytes));
    if (random.form === "uuid") return uuidOf(bytes);
    return random.prefix + bytes.toString(CODES[random.form]);
  }
  const { type } = field.type;
  if (type.kind === "state") {
    const machine = work.plan.machines.find(
      (one) => one.resource === resource && one.field === field.name,
    );
    return machine?.states.find((state) => state.initial)?.name;
  }
  if (type.kind === "id") {
    const free = work.outside.idText(work.now, (bytes) => work.random(bytes));
    return (type.prefix ?? "") + free;
  }
  return undefined;
}

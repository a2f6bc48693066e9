/** Reads an object whose members a table states: given, needed, refused and unknown ones. */
import { type Field, fillsItself, type Given, sentName } from "../../plan/index.ts";
import type { Later, Value } from "../ports/index.ts";
import type { Json } from "../wire/json.ts";
import { isJsonObject } from "../wire/json.ts";
import { ABSENT, TOLD, WRONG_TYPE, Wrong } from "../wire/wrong.ts";
import { compileRule } from "./expression.ts";
import type { FailureCollector, RequiredWhen } from "./failure-collector.ts";
import type { Form, Read, ReadSpec } from "./names.ts";

/** One member that an object may have. */
export interface MemberSpec {
  readonly name: string;
  /** Its name as it is sent, where that is another. */
  readonly sentAs?: string | undefined;
  readonly read: Read;
  /** `nested`: an absent object is read as an empty one; what must be in it is missed there. */
  readonly given: "required" | "optional" | "no" | "nested";
  /** Names of what lies inside stand alone, as the table of the resource names them. */
  readonly unnamed?: boolean;
  readonly requiredWhen?: RequiredWhen;
  /** The same, where the condition needs what reading has not. */
  readonly requiredLater?: Later;
  /** What is wrong where one that is required is not there; not given: it is absent. */
  readonly lacking?: Wrong;
  /** The gap met where it is not shown whether a client may or must give it. */
  readonly gap?: Wrong;
}

const NOT_SETTABLE = new Wrong("not settable");
const UNKNOWN_MEMBER = new Wrong("unknown member");
const NOTHING: Json = new Map();

/** The members of a resource or part as a client may give them to make or to change one. */
export function fieldMembers(
  holder: { readonly name: string; readonly fields: readonly Field[] },
  mode: "new" | "changed" | NonNullable<ReadSpec["told"]>,
  form: Form,
  compile: (spec: ReadSpec) => Read,
): readonly MemberSpec[] {
  return holder.fields.map((field) => {
    const given = givenIn(mode, field);
    const rules = mode === "changed" ? whenChanged(field) : field.rules;
    const merged = given.is === "merged";
    const spec = { type: field.type, rules, form, holder: `${holder.name}.${field.name}`, merged };
    // A row at the start and code behind a call name members as the document does.
    const sentAs = mode === "new" || mode === "changed" ? field.sentAs : undefined;
    const known = { name: field.name, sentAs, read: compile(spec), ...givenOf(given) };
    if (field.gap === undefined || known.given === "no") return known;
    return { ...known, gap: new Wrong("refused", { is: "gap", gap: field.gap }) };
  });
}

/** How a member is given; what no client sends must be whole, except what is filled in. */
function givenIn(mode: Parameters<typeof fieldMembers>[1], field: Field): Given {
  const { orAbsent } = field.type;
  switch (mode) {
    case "new":
      return field.create;
    case "changed":
      return field.update;
    case "said":
      return { is: orAbsent || fillsItself(field) ? "optional" : "required" };
    case "whole":
      return { is: orAbsent ? "optional" : "required" };
    case "again":
      return { is: "optional" };
  }
}

/** What absence means when a row is made means nothing when it is changed: it is left as it is. */
function whenChanged(field: Field): Field["rules"] {
  return field.rules.filter((rule) => rule.kind !== "absent means");
}

type Needed = Pick<MemberSpec, "given" | "requiredWhen" | "requiredLater" | "gap">;

function givenOf(given: Given): Needed {
  switch (given.is) {
    case "gap":
      return { given: "no", gap: new Wrong("refused", { is: "gap", gap: given.gap }) };
    case "merged":
      return { given: "optional" };
    case "required when": {
      const holds = compileRule(given.condition.code, "body");
      if (!holds) {
        const later = { code: given.condition.code, name: "body", failsWhen: true } as const;
        return { given: "optional", requiredLater: later };
      }
      return { given: "optional", requiredWhen: (body, around) => holds(body, around) === true };
    }
    case "required":
    case "optional":
    case "no":
      return { given: given.is };
  }
}

/**
 * The reader of an object with these members, in the order of the table; what is sent and not in
 * the table comes after them, in the order sent.
 */
export function compileMembers(
  specs: readonly MemberSpec[],
): (raw: Json, sink: FailureCollector) => ReadonlyMap<string, Value> | Wrong {
  const known = new Set(specs.map(sentName));
  return (raw, sink) => {
    if (!isJsonObject(raw)) return WRONG_TYPE;
    const before = sink.count;
    const values = new Map<string, Value>();
    let knownSent = 0;
    for (const spec of specs) {
      const sent = raw.get(sentName(spec));
      if (sent !== undefined) knownSent++;
      const value = readMember(spec, sent, values, sink);
      if (value !== undefined) values.set(spec.name, value);
    }
    const told = sink.count > before;
    if (knownSent < raw.size) {
      for (const name of raw.keys()) if (!known.has(name)) sink.wrong(UNKNOWN_MEMBER, name);
    }
    return told ? TOLD : values;
  };
}

function waits({ requiredWhen, requiredLater }: MemberSpec): boolean {
  return requiredWhen !== undefined || requiredLater !== undefined;
}

/** Undefined: it is not there, or something was wrong with it and has been told. */
function readMember(
  spec: MemberSpec,
  sent: Json | undefined,
  object: ReadonlyMap<string, Value>,
  sink: FailureCollector,
): Value {
  const { given, requiredWhen } = spec;
  const name = sentName(spec);
  if (spec.gap) {
    sink.wrong(spec.gap, name);
    return undefined;
  }
  if (given === "no") {
    if (sent !== undefined) sink.wrong(NOT_SETTABLE, name);
    return undefined;
  }
  const raw = sent === undefined && given === "nested" ? NOTHING : sent;
  if (raw === undefined && given === "optional" && !waits(spec)) {
    return spec.read(undefined, sink) as Value;
  }
  sink.enter(name, spec.unnamed, spec.name);
  const value = spec.read(raw, sink);
  sink.leave();
  if (value instanceof Wrong) {
    if (value !== TOLD) sink.wrong(value, name);
    return undefined;
  }
  if (value === undefined && given === "required") sink.wrong(spec.lacking ?? ABSENT, name);
  if (value === undefined && requiredWhen) {
    sink.absentIf(() => requiredWhen(object, sink.around), name);
  }
  if (value === undefined && spec.requiredLater) sink.later(ABSENT, spec.requiredLater, name);
  return value;
}

/** What becomes of a stored value when a row that it names is deleted, as its fields state it. */
import {
  type BaseType,
  type Field,
  type ItemId,
  isScalar,
  type Part,
  type Rule,
} from "../../plan/index.ts";
import type { Model } from "../context/model.ts";
import type { Value } from "../ports/index.ts";
import { gapOf, ruleOf } from "./stored.ts";

type WhenGone = Extract<Rule, { kind: "when gone" }>;

/** What was met on the way through one value. */
interface Leaving {
  readonly gone: number;
  /** The part that is gone through, undefined at the row's own fields. */
  part: Value;
  /** The row that keeps the value is to be deleted too. */
  deletes: boolean;
  /** The first rule that refuses, and the part in which it stands; or the gap without a rule. */
  refused: { readonly rule: WhenGone; readonly part: Value } | undefined;
  gap: { readonly id: ItemId; readonly silent: boolean } | undefined;
}

/** Gives the value that is left; `OUT`: it is to be taken out of where it stands. */
type Leave = (value: Value, leaving: Leaving) => Value | typeof OUT;

const OUT = Symbol("out");

/** The gap of a field that does not state what happens. */
function gapAt(model: Model, field: Field): NonNullable<Leaving["gap"]> {
  const subject = "when it is deleted";
  const recorded = gapOf(model, field, subject);
  const rules = field.rules.find((rule) => rule.kind === "gap");
  const shown = recorded ?? (rules?.kind === "gap" ? rules.gap : undefined);
  return { id: shown ?? `${field.id}/${subject}`, silent: shown === undefined };
}

/** Compiles for one resource of which rows go. */
class Leavers {
  readonly #model: Model;
  readonly #resource: string;
  readonly #parts = new Map<string, Leave>();

  constructor(model: Model, resource: string) {
    this.#model = model;
    this.#resource = resource;
  }

  ofField(field: Field): Leave | undefined {
    if (!this.#model.references.named(field.type).has(this.#resource)) return undefined;
    return this.#ofType(field.type.type, this.#atField(field));
  }

  /** What is done to a reference of the field. */
  #atField(field: Field): Leave {
    const rule = ruleOf(field, "when gone");
    if (rule === undefined) {
      const gap = gapAt(this.#model, field);
      return (value, leaving) => {
        if (leaving.refused === undefined) leaving.gap ??= gap;
        return value;
      };
    }
    switch (rule.action) {
      case "set to null":
        return () => null;
      case "taken out":
        return () => OUT;
      case "deleted with it":
        return (value, leaving) => {
          leaving.deletes = true;
          return value;
        };
      case "refused":
        return (value, leaving) => {
          if (leaving.gap === undefined) leaving.refused ??= { rule, part: leaving.part };
          return value;
        };
    }
  }

  #ofType(type: BaseType, act: Leave): Leave | undefined {
    if (isScalar(type)) return undefined;
    switch (type.kind) {
      case "reference":
        if (type.resource !== this.#resource) return undefined;
        return (value, leaving) => (value === leaving.gone ? act(value, leaving) : value);
      case "list": {
        const item = this.#ofType(type.of.type, act);
        return item && ((value, leaving) => leaveList(value as readonly Value[], item, leaving));
      }
      case "map": {
        const member = this.#ofType(type.of.type, act);
        return (
          member &&
          ((value, leaving) => leaveMap(value as ReadonlyMap<string, Value>, member, leaving))
        );
      }
      case "structure": {
        const { plan } = this.#model;
        const part = plan.partTypes.find((one) => one.name === type.name);
        return part && this.#ofPart(part);
      }
    }
  }

  /** A part may hold itself: its members are compiled where the first value comes. */
  #ofPart(part: Part): Leave {
    return (value, leaving) => {
      let leave = this.#parts.get(part.name);
      if (leave === undefined) {
        leave = leavePart(
          part.fields.flatMap((field) => {
            const member = this.ofField(field);
            return member === undefined ? [] : [[field.name, member] as const];
          }),
        );
        this.#parts.set(part.name, leave);
      }
      return leave(value, leaving);
    };
  }
}

const isThere = (value: Value): boolean => value !== null && value !== undefined;

function leaveList(list: readonly Value[], item: Leave, leaving: Leaving): Value {
  const left: Value[] = [];
  let same = true;
  for (const one of list) {
    const found = isThere(one) ? item(one, leaving) : one;
    same &&= found === one;
    if (found !== OUT) left.push(found as Value);
  }
  return same ? list : left;
}

function leaveMap(map: ReadonlyMap<string, Value>, member: Leave, leaving: Leaving): Value {
  const left = new Map<string, Value>();
  let same = true;
  for (const [name, one] of map) {
    const found = isThere(one) ? member(one, leaving) : one;
    same &&= found === one;
    if (found !== OUT) left.set(name, found as Value);
  }
  return same ? map : left;
}

function leavePart(members: readonly (readonly [string, Leave])[]): Leave {
  return (value, leaving) => {
    const part = value as ReadonlyMap<string, Value>;
    const around = leaving.part;
    let left: Map<string, Value> | undefined;
    let isOut = false;
    for (const [name, member] of members) {
      const one = part.get(name);
      leaving.part = part;
      const found = isThere(one) ? member(one, leaving) : one;
      isOut ||= found === OUT;
      if (found !== one) left = new Map(left ?? part).set(name, found as Value);
    }
    leaving.part = around;
    return isOut ? OUT : (left ?? value);
  };
}

/** What is left of a field's value, and what else its references state. */
export type Left = Omit<Leaving, "gone" | "part"> & { readonly value: Value };

/** Compiles it for the references of a field to one resource; undefined: it has none. */
export function compileLeaving(
  model: Model,
  field: Field,
  resource: string,
): ((value: Value, gone: number) => Left) | undefined {
  const leave = new Leavers(model, resource).ofField(field);
  return (
    leave &&
    ((before, gone) => {
      const leaving: Leaving = {
        gone,
        part: undefined,
        deletes: false,
        refused: undefined,
        gap: undefined,
      };
      const value = isThere(before) ? leave(before, leaving) : before;
      return { ...leaving, value: value === OUT ? before : value };
    })
  );
}

/** Tells of each row that a stored value names. */
export type Visit = (value: Value, found: (resource: string, key: number) => void) => void;

/** Compiles the visit of the rows that values of a type name; undefined: they name none. */
export function compileVisit(model: Model, type: BaseType, open = new Map<string, Visit>()): Visit {
  if (isScalar(type)) return () => {};
  switch (type.kind) {
    case "reference":
      return (value, found) => {
        if (typeof value === "number") found(type.resource, value);
      };
    case "list": {
      const item = compileVisit(model, type.of.type, open);
      return (value, found) => {
        for (const one of (value ?? []) as readonly Value[]) item(one, found);
      };
    }
    case "map": {
      const member = compileVisit(model, type.of.type, open);
      return (value, found) => {
        for (const one of ((value ?? new Map()) as ReadonlyMap<string, Value>).values()) {
          member(one, found);
        }
      };
    }
    case "structure":
      return open.get(type.name) ?? visitPart(model, type.name, open);
  }
}

function visitPart(model: Model, name: string, open: Map<string, Visit>): Visit {
  let members: readonly (readonly [string, Visit])[] = [];
  const visit: Visit = (value, found) => {
    const part = (value ?? new Map()) as ReadonlyMap<string, Value>;
    for (const [member, inner] of members) inner(part.get(member), found);
  };
  open.set(name, visit);
  const part = model.plan.partTypes.find((one) => one.name === name);
  members = (part?.fields ?? []).flatMap((field) =>
    model.references.named(field.type).size === 0
      ? []
      : [[field.name, compileVisit(model, field.type.type, open)] as const],
  );
  return visit;
}

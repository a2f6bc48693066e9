/**
 * Merges what a client sends into a value that is stored (RFC 7396), and judges what results: the
 * rules of a map, a part or JSON that is merged are about the value, not about the patch.
 */
import {
  type BaseType,
  type FailureCondition,
  type Field,
  type Rule,
  sentName,
  type ValueType,
} from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { Transaction } from "../context/transaction.ts";
import type { InputFailure, Value } from "../ports/index.ts";
import { compileIn } from "../query/expression.ts";

/** Gives what results; adds what is wrong with it. */
export type Merge = (
  tx: Transaction,
  sent: { readonly before: Value; readonly patch: Value },
  failures: InputFailure[],
) => Value;

/** Adds what is wrong with a value that is there; `path`: the names that lead to it. */
type Judge = (tx: Transaction, value: Value, path: string, failures: InputFailure[]) => void;

type Members = ReadonlyMap<string, Value>;

/** RFC 7396: member by member, null takes a member away; anything but an object replaces. */
function merged(
  services: CompilerServices,
  stated: ValueType | undefined,
  before: Value,
  patch: Value,
): Value {
  if (!(patch instanceof Map)) return patch;
  const made = new Map<string, Value>(before instanceof Map ? before : []);
  const type = stated?.type;
  const part = partOf(services, type);
  for (const [name, value] of patch as Members) {
    const inner =
      type?.kind === "map" ? type.of : part?.fields.find((one) => one.name === name)?.type;
    // A member that must be there is not taken away: null is its value.
    const stays = part !== undefined && inner?.orAbsent === false;
    if (value === null && !stays) made.delete(name);
    else made.set(name, merged(services, inner, made.get(name), value));
  }
  return made;
}

function partOf(services: CompilerServices, type: BaseType | undefined) {
  if (type?.kind !== "structure") return undefined;
  return services.model.plan.partTypes.find((one) => one.name === type.name);
}

const sizeOf = (value: Value): number => (value instanceof Map ? value.size : 1);

/** The condition that a value of so many members meets by a rule of its number. */
function sizeFailure(rule: Rule, size: number): FailureCondition | undefined {
  if (rule.kind === "items") {
    if (size < (rule.min ?? 0)) return "too few items";
    return size > (rule.max ?? size) ? "too many items" : undefined;
  }
  if (size > 0) return undefined;
  if (rule.kind === "not empty") return "empty";
  return rule.kind === "at least one member" ? "no member given" : undefined;
}

function ruleJudge(services: CompilerServices, rule: Rule): Judge | undefined {
  if (rule.kind !== "holds") {
    return (_, value, field, failures) => {
      const condition = sizeFailure(rule, sizeOf(value));
      if (condition !== undefined) failures.push({ condition, field, in: "body" });
    };
  }
  const scope = new Scope(services.model);
  const slot = scope.slot("value");
  const holds = compileIn(scope, rule.condition.code);
  return (tx, value, field, failures) => {
    const activation = new Activation(scope, tx).set(slot, value);
    if (holds(activation) === true) return;
    failures.push({ condition: "refused", field, in: "body", refusal: rule.otherwise });
  };
}

/**
 * The judges of all parts of one plan: a part may hold itself. `isOfRules`: they judge rules, too,
 * and not only whether the members are there that a client must give.
 */
class Judges {
  readonly #services: CompilerServices;
  readonly #isOfRules: boolean;
  readonly #parts = new Map<string, Judge | undefined>();

  constructor(services: CompilerServices, isOfRules: boolean) {
    this.#services = services;
    this.#isOfRules = isOfRules;
  }

  /** The first rule that fails speaks, and none does where something inside is wrong. */
  of({ type, rules }: Pick<Field, "type" | "rules">): Judge {
    const inside = this.#inside(type.type);
    const own = this.#isOfRules
      ? rules.flatMap((rule) => ruleJudge(this.#services, rule) ?? [])
      : [];
    return (tx, value, path, failures) => {
      if (value === null || value === undefined) return;
      const before = failures.length;
      inside?.(tx, value, path, failures);
      for (const judge of own) {
        if (failures.length > before) return;
        judge(tx, value, path, failures);
      }
    };
  }

  #inside(type: BaseType): Judge | undefined {
    if (type.kind === "structure") {
      return (tx, value, path, failures) => {
        if (!this.#parts.has(type.name)) this.#parts.set(type.name, this.#ofPart(type));
        this.#parts.get(type.name)?.(tx, value, path, failures);
      };
    }
    if (type.kind !== "map") return undefined;
    const item = this.of({ type: type.of, rules: [] });
    return (tx, value, path, failures) => {
      for (const [name, one] of value as Members) item(tx, one, `${path}.${name}`, failures);
    };
  }

  #ofPart(type: BaseType): Judge | undefined {
    const fields = partOf(this.#services, type)?.fields ?? [];
    const judges = fields.map((field) => ({
      name: field.name,
      sent: sentName(field),
      isNeeded: field.create.is === "required" && !field.type.orAbsent,
      judge: isMergeable(field.type) ? this.of(field) : undefined,
    }));
    return (tx, value, path, failures) => {
      for (const { name, sent, isNeeded, judge } of judges) {
        const one = (value as Members).get(name);
        const field = `${path}.${sent}`;
        if (one === undefined && isNeeded) {
          failures.push({ condition: "absent", field, in: "body" });
        }
        judge?.(tx, one, field, failures);
      }
    };
  }
}

/** Whether a value of the type is merged member by member, and not replaced as a whole. */
export function isMergeable({ type }: ValueType): boolean {
  return type.kind === "map" || type.kind === "structure" || type.kind === "json";
}

interface AllJudges {
  readonly needs: Judges;
  readonly rules: Judges;
}

const judgesOf = new WeakMap<CompilerServices, AllJudges>();

function judgesIn(services: CompilerServices): AllJudges {
  const known = judgesOf.get(services);
  if (known !== undefined) return known;
  const made = { needs: new Judges(services, false), rules: new Judges(services, true) };
  judgesOf.set(services, made);
  return made;
}

/** What is merged, where it stands and in which transaction. */
interface Finishing {
  readonly services: CompilerServices;
  readonly tx: Transaction;
}

/** Fills the parts that were not there before, and sets what a change of others sets. */
function finished(at: Finishing, type: ValueType | undefined, before: Value, value: Value): Value {
  if (value === before || !(value instanceof Map) || type === undefined) return value;
  const part = partOf(at.services, type.type);
  if (part === undefined && type.type.kind !== "map") return value;
  const made = new Map<string, unknown>();
  for (const [name, one] of value as Members) {
    const inner =
      type.type.kind === "map"
        ? type.type.of
        : part?.fields.find((field) => field.name === name)?.type;
    const held = before instanceof Map ? (before.get(name) as Value) : undefined;
    made.set(name, finished(at, inner, held, one));
  }
  if (part === undefined) return made;
  if (!(before instanceof Map)) return at.services.parts.make(at.tx, part.name, made);
  at.services.parts.changed(at.tx, part.name, before as Members, made);
  return made;
}

/** Compiles the merging of a field. */
export function compileMerge(services: CompilerServices, field: Field): Merge {
  const { needs, rules } = judgesIn(services);
  const [lacks, judge] = [needs.of(field), rules.of(field)];
  return (tx, { before, patch }, failures) => {
    const count = failures.length;
    const sent = sentName(field);
    const value = merged(services, field.type, before, patch);
    lacks(tx, value, sent, failures);
    if (failures.length > count) return value;
    const made = finished({ services, tx }, field.type, before, value);
    judge(tx, made, sent, failures);
    return made;
  };
}

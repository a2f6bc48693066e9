/** Makes of a value what a column holds, by the declared type alone, whichever way it came. */
import {
  type Field,
  type Hash,
  hasNarrowIntegers,
  hiddenRules,
  type ItemId,
  isNarrow,
  isScalar,
  isStated,
  type Rule,
  type ValueType,
} from "../../plan/index.ts";
import type { Model } from "../context/model.ts";
import { Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import { EvaluationFault, normalNumber, orderOf } from "../evaluate/index.ts";
import type { KeptSecret, Row, Value } from "../ports/index.ts";

/** Gives the stored form of a value that is neither null nor absent. */
type Keep = (tx: Transaction, value: Value) => Value;

type RuleOf<K extends Rule["kind"]> = Extract<Rule, { kind: K }>;

/** The rule of a kind that a field has. */
export function ruleOf<K extends Rule["kind"]>(field: Field, kind: K): RuleOf<K> | undefined {
  return field.rules.find((rule): rule is RuleOf<K> => rule.kind === kind);
}

/** The gap of a field about a subject: one that is recorded, or that of all its rules. */
export function gapOf(model: Model, field: Field, subject: string): ItemId | undefined {
  const id = `${field.id}/gap ${subject}`;
  return model.gaps.get(id)?.blocking === true ? id : hiddenRules(field);
}

const SORTED_AS_NUMBERS: ReadonlySet<string> = new Set([
  "integer",
  "decimal",
  "number",
  "timestamp",
  "duration",
  "date",
]);

/** Items in the order in which the field keeps them; undefined: as they are. */
function sorterOf(field: Field): ((list: readonly Value[]) => readonly Value[]) | undefined {
  const order = ruleOf(field, "order")?.order;
  const { type } = field.type;
  if (!isStated(order) || order.value === "as given" || type.kind !== "list") {
    return undefined;
  }
  const { kind } = type.of.type;
  const compare = orderOf(SORTED_AS_NUMBERS.has(kind) ? kind : "string") as (
    a: Value,
    b: Value,
  ) => number;
  const sign = order.value === "descending" ? -1 : 1;
  return (list) => list.toSorted((a, b) => sign * compare(a, b));
}

/** `inside`: the secret stands in a list, a map or a part, and says itself that it is kept. */
function secretKeep(model: Model, field: Field, inside: boolean): Keep | undefined {
  const gap = gapOf(model, field, "how it is kept");
  if (gap !== undefined) {
    return () => {
      throw new Stop({ is: "gap", gap });
    };
  }
  const hash: Hash | undefined = ruleOf(field, "kept as")?.hash;
  if (hash === undefined || hash.kind === "plain") return undefined;
  return (tx, value) => {
    const { hooks } = tx.ambient;
    if (typeof value !== "string") return value;
    if (hooks.hash === undefined) throw new Stop({ is: "unsupported", item: field.id });
    const keptText = hooks.hash(hash, value);
    if (!inside) return keptText;
    const kept: KeptSecret = { keptText };
    tx.noteSecret(kept, value);
    return kept;
  };
}

const NOTHING_THERE = new Set<Value>([null, undefined]);

const through = (keep: Keep, tx: Transaction, value: Value): Value =>
  NOTHING_THERE.has(value) ? value : keep(tx, value);

const narrow: Keep = (_, value) => {
  if (isNarrow(value as bigint)) return value;
  throw new EvaluationFault("overflow", "an integer past 64 bits was given to a field bounded so");
};

/** The stored forms of the types of one plan. */
class Kept {
  readonly model: Model;
  readonly #parts = new Map<string, { keep: Keep | undefined }>();

  constructor(model: Model) {
    this.model = model;
  }

  /** Undefined: values of the type are kept as they are. `secret`: how secrets inside are. */
  ofType({ type }: ValueType, secret: Keep | undefined): Keep | undefined {
    if (type.kind === "secret") return secret;
    if (isScalar(type)) {
      // There is one zero: -0 is sent and compared as 0.
      return type.kind === "number" ? (_, value) => (value === 0 ? 0 : value) : undefined;
    }
    switch (type.kind) {
      case "reference":
        return (_, value) => (typeof value === "object" ? (value as Row).key : value);
      case "list": {
        const item = this.ofType(type.of, secret);
        return (
          item && ((tx, list) => (list as readonly Value[]).map((one) => through(item, tx, one)))
        );
      }
      case "map": {
        const item = this.ofType(type.of, secret);
        return (
          item &&
          ((tx, map) =>
            new Map(
              [...(map as ReadonlyMap<string, Value>)].map(([name, one]) => [
                name,
                through(item, tx, one),
              ]),
            ))
        );
      }
      case "structure":
        return this.#ofPart(type.name);
    }
  }

  /** `inside`: the field of a part. */
  ofField(field: Field, inside: boolean): Keep | undefined {
    if (!inside && hasNarrowIntegers(field)) return narrow;
    const isWhole = field.type.type.kind === "secret";
    const keep = this.ofType(field.type, secretKeep(this.model, field, inside || !isWhole));
    const sorted = sorterOf(field);
    if (sorted === undefined) return keep;
    return (tx, value) => sorted((keep?.(tx, value) ?? value) as readonly Value[]);
  }

  /** A part may hold itself, so that its members are compiled where the first value comes. */
  #ofPart(name: string): Keep | undefined {
    const part = this.model.plan.partTypes.find((one) => one.name === name);
    if (part === undefined) return undefined;
    return (tx, value) => {
      let known = this.#parts.get(name);
      if (known === undefined) {
        known = { keep: undefined };
        this.#parts.set(name, known);
        const members = part.fields.flatMap((field) => {
          const keep = this.ofField(field, true);
          return keep === undefined ? [] : [[field.name, keep] as const];
        });
        if (members.length > 0) known.keep = keepMembers(members);
      }
      return known.keep === undefined ? value : known.keep(tx, value);
    };
  }
}

function keepMembers(members: readonly (readonly [string, Keep])[]): Keep {
  return (tx, value) => {
    const copy = new Map(value as ReadonlyMap<string, Value>);
    for (const [name, keep] of members) {
      if (copy.has(name)) copy.set(name, through(keep, tx, copy.get(name)));
    }
    if (tx.isMade(value as object)) tx.noteMade(copy);
    return copy;
  };
}

const makers = new WeakMap<Model, Kept>();

/**
 * The one place where a value becomes a stored value: rows become keys at any depth, secrets their
 * hashes, lists take their order. What is stored already stays as it is, except a secret that is
 * a whole field.
 */
export function storedOf(model: Model, field: Field): (tx: Transaction, value: Value) => Value {
  let kept = makers.get(model);
  if (kept === undefined) {
    kept = new Kept(model);
    makers.set(model, kept);
  }
  const keep = kept.ofField(field, false);
  return keep === undefined ? (_, value) => value : (tx, value) => through(keep, tx, value);
}

/** Whether two stored values of one field are the same value. */
export function sameStored(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, i) => sameStored(one as Value, b[i] as Value));
  }
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return false;
    for (const [name, one] of a as ReadonlyMap<string, Value>) {
      if (!b.has(name) || !sameStored(one, b.get(name) as Value)) return false;
    }
    return true;
  }
  if ("keptText" in a && "keptText" in b) return a.keptText === b.keptText;
  if ("numberText" in a && "numberText" in b) {
    return normalNumber(String(a.numberText)) === normalNumber(String(b.numberText));
  }
  return false;
}

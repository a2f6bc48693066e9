/** Compares two types by the values that were kept under the first. */
import {
  type Answer,
  type BaseType,
  isScalar,
  type Part,
  type Plan,
  type Precision,
  type ScalarType,
  statedOf,
  type ValueType,
} from "../plan/index.ts";
import { hasFirstValue } from "./first.ts";
import { type Relation, worst } from "./relation.ts";
import { ofRules } from "./rules.ts";
import { isSame } from "./same.ts";

/** Texts of a form of their own: they are kept as a string is. */
const TEXTS: ReadonlySet<string> = new Set(["email", "uri", "uuid", "time zone"]);

const PRECISIONS = ["seconds", "milliseconds", "microseconds"];

/** Says how values that were kept under the types of one plan are read under those of another. */
export class Types {
  private readonly before: Plan;
  private readonly now: Plan;
  /** Pairs of parts that are being compared: a part may contain itself. */
  private readonly pairs = new Set<string>();

  constructor(before: Plan, now: Plan) {
    this.before = before;
    this.now = now;
  }

  relation(before: ValueType, now: ValueType): Relation {
    if ((before.gap === undefined) !== (now.gap === undefined)) return "other";
    return worst([
      this.ofBase(before, now),
      ofOption(before.orNull, now.orNull),
      ofOption(before.orAbsent, now.orAbsent),
    ]);
  }

  private ofBase({ type: before }: ValueType, { type: now }: ValueType): Relation {
    if (isScalar(before) || isScalar(now)) {
      if (before.kind === "schema" || now.kind === "schema") return this.ofSchemas(before, now);
      return isScalar(before) && isScalar(now) ? ofScalars(before, now) : "other";
    }
    if (before.kind === "reference" && now.kind === "reference") {
      return before.resource === now.resource ? "same" : "other";
    }
    if (before.kind === "structure" && now.kind === "structure") {
      return this.ofParts(before.name, now.name);
    }
    const isList = before.kind === "list" && now.kind === "list";
    const isMap = before.kind === "map" && now.kind === "map";
    return isList || isMap ? this.relation(before.of, now.of) : "other";
  }

  /** Values are kept as JSON; where any schema is another one, each is judged again. */
  private ofSchemas(before: BaseType, now: BaseType): Relation {
    if (before.kind === "schema" && now.kind === "json") return "wider";
    if (before.kind === "json" && now.kind === "schema") return "narrower";
    if (before.kind !== "schema" || now.kind !== "schema") return "other";
    const isKept = before.name === now.name && isSame(this.before.schemas, this.now.schemas);
    return isKept ? "same" : "narrower";
  }

  private ofParts(before: string, now: string): Relation {
    const pair = `${before} ${now}`;
    if (this.pairs.has(pair)) return "same";
    this.pairs.add(pair);
    const old = this.before.partTypes.find((one) => one.name === before);
    const part = this.now.partTypes.find((one) => one.name === now);
    const found = old === undefined || part === undefined ? "other" : this.ofMembers(old, part);
    this.pairs.delete(pair);
    return found;
  }

  private ofMembers(before: Part, now: Part): Relation {
    const known = new Map(before.fields.map((one) => [one.name, one]));
    const relations = now.fields.map((field): Relation => {
      const old = known.get(field.name);
      known.delete(field.name);
      if (old === undefined) return hasFirstValue(field) ? "wider" : "other";
      return worst([this.relation(old.type, field.type), ofRules(old, field)]);
    });
    return worst([...relations, known.size === 0 ? "same" : "other"]);
  }
}

function ofOption(before: boolean, now: boolean): Relation {
  if (before === now) return "same";
  return now ? "wider" : "narrower";
}

function ofScalars(before: ScalarType, now: ScalarType): Relation {
  if (before.kind === "string" && TEXTS.has(now.kind)) return "narrower";
  if (now.kind === "string" && TEXTS.has(before.kind)) return "wider";
  if (before.kind !== now.kind) return "other";
  if (before.kind === "decimal" && now.kind === "decimal") {
    return before.places === now.places ? "same" : "other";
  }
  if (before.kind === "one of" && now.kind === "one of") {
    return ofValues(before.values, now.values);
  }
  if (before.kind === "id" && now.kind === "id") {
    return before.prefix === now.prefix ? "same" : "narrower";
  }
  if (before.kind === "timestamp" && now.kind === "timestamp") {
    // A finer moment would be shown as a coarser one.
    const [old, own] = [finenessOf(before.precision), finenessOf(now.precision)];
    if (old === own) return "same";
    return old < own ? "wider" : "other";
  }
  return "same";
}

/** Where it is not shown, whatever shows a moment meets that. */
function finenessOf(precision: Answer<Precision>): number {
  const stated = statedOf(precision);
  return stated === undefined ? 0 : PRECISIONS.indexOf(stated);
}

/** How what was one of some names is read where it is one of others. */
export function ofValues(before: readonly string[], now: readonly string[]): Relation {
  if (before.some((one) => !now.includes(one))) return "narrower";
  return now.length > before.length ? "wider" : "same";
}

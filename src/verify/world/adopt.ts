/** Takes rows into the model that an answer shows, and what it shows of rows that are known. */
import { MARK, type Plan } from "../../plan/index.ts";
import {
  compileValue,
  FailureCollector,
  type Json,
  type Names,
  type Row,
  type Session,
  type Value,
  Wrong,
} from "../../run/index.ts";
import { digest } from "./hooks.ts";
import { storedPlan } from "./openable.ts";
import { isUnknown, type Past, unknown } from "./past.ts";
import type { ShownRow } from "./shown.ts";

interface Model {
  readonly plan: Plan;
  readonly session: Session;
  readonly past: Past;
}

/** Types whose values are shown whole. */
const WHOLE = new Set(["structure", "secret", "schema", "file"]);

/** Takes rows in; whether any was new, or anything of one. */
export class Adopting {
  readonly #model: Model;
  readonly #names: Names;
  isAny = false;

  constructor(model: Model, names: Names) {
    this.#model = model;
    this.#names = names;
  }

  /** The row's key in the model; undefined: it cannot be told which row it is. */
  take({ resource, fields, named }: ShownRow): number | undefined {
    const { plan, session, past } = this.#model;
    const { key } = resource;
    const at = resource.fields.findIndex(({ name }) => name === key);
    const name = key === undefined ? undefined : this.#value(resource, key, fields.get(key));
    if (at < 0 || name === undefined || name === null || isUnknown(name)) return undefined;
    const known = session.all(resource.name).find(({ values }) => values[at] === name);
    // What was made here and is there no more is not taken for new.
    const isGone = typeof name === "string" && past.isMade(resource.name, name);
    if (known === undefined && isGone && !past.hasHoles) return undefined;
    const refs = new Map<string, number>();
    for (const [field, row] of named) {
      const found = this.take(row);
      if (found !== undefined) refs.set(field, found);
    }
    const shown = (field: string): Value => {
      if (refs.has(field)) return refs.get(field);
      if (!fields.has(field)) return unknown();
      return this.#value(resource, field, fields.get(field));
    };
    if (known !== undefined) return this.#know(known, resource, shown);
    const all = storedPlan(plan).resources;
    const kept = all.find((one) => one.name === resource.name) ?? resource;
    const values = kept.fields.map(({ name: field }) => (field === MARK ? null : shown(field)));
    const made = session.insert(resource.name, values);
    past.noteAdopted({ resource: resource.name, key: made });
    this.isAny = true;
    return made;
  }

  #know(row: Row, resource: ShownRow["resource"], shown: (field: string) => Value): number {
    const { session, past } = this.#model;
    past.noteThere(row);
    const values = row.values.map((value, i) => {
      const { name = "" } = resource.fields[i] ?? {};
      if (isUnknown(value)) return shown(name);
      const told = past.isCalled(resource.name, name) ? shown(name) : value;
      return isUnknown(told) ? value : told;
    });
    if (values.every((value, i) => value === row.values[i])) return row.key;
    session.update(row.resource, row.key, values);
    this.isAny = true;
    return row.key;
  }

  /** The value of a field as it is kept; what cannot be told is not known. */
  #value(resource: ShownRow["resource"], name: string, json: Json | undefined): Value {
    const field = resource.fields.find((one) => one.name === name);
    if (field === undefined || field.gap !== undefined) return unknown();
    const { type } = field;
    if (json === undefined) return type.orAbsent ? undefined : unknown();
    if (json === null) return type.orNull ? null : unknown();
    const inner = type.type.kind === "list" || type.type.kind === "map" ? type.type.of : type;
    if (WHOLE.has(inner.type.kind) || inner.type.kind === "reference") return unknown();
    const holder = `${resource.name}.${name}`;
    const spec = { type, rules: [], form: "json", holder, told: "said" } as const;
    const sink = new FailureCollector({ now: 0n, settings: new Map(), digest }, new Set());
    const value = compileValue(spec, this.#names)(json, sink);
    return value instanceof Wrong ? unknown() : value;
  }
}

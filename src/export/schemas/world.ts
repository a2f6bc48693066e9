/** What is looked up while an export is written: names of the plan, gaps with their lines. */
import {
  type Endpoint,
  type Field,
  type Gap,
  type ItemId,
  isStated,
  type Part,
  type Plan,
  type Resource,
  type Schema,
  type Shape,
} from "../../plan/index.ts";
import type { Exportable } from "../types.ts";
import type { Json, JsonObject } from "./json.ts";
import { Kept } from "./kept.ts";

/**
 * What a schema is of. `read`: what the service sends. `new`, `changed`: what a client sends to
 * make something, or to change it. `merged`: what is laid over a value.
 */
export type Mode = "read" | "new" | "changed" | "merged";

/** How values stand in a message: `text`: each as a text, of which none is null. */
export type Form = "json" | "text";

/** The members that a structure has in a mode: a schema of its own beside that of its answers. */
interface Variant {
  readonly name: string;
  readonly mode: Mode;
  readonly form: Form;
}

/** What a resource, part, view or shape is called among the schemas. */
export function ownName(name: string): string {
  return schemaName({ name, mode: "read", form: "json" });
}

/** The name under which a schema stands. */
export function schemaName({ name, mode, form }: Variant): string {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/gu, (one) => `-${one.codePointAt(0)}-`);
  if (mode === "read") return safe;
  return form === "json" ? `${safe}.${mode}` : `${safe}.${mode}.form`;
}

type Deprecation = Plan["versioning"]["deprecations"][number];

export class World {
  readonly plan: Plan;
  readonly from: Exportable;
  readonly kept: Kept;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly parts: ReadonlyMap<string, Part>;
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Endpoints by what they are called: `endpoints/GET /todos`. */
  readonly endpoints: ReadonlyMap<ItemId, Endpoint>;
  readonly #gaps: ReadonlyMap<ItemId, Gap>;
  readonly #deprecations: ReadonlyMap<string, Deprecation>;
  /** Where schemas are found: stands in front of their names. */
  readonly #prefix: string;
  /** Variants that something refers to, by their names. */
  readonly #wanted = new Map<string, Variant>();

  constructor(from: Exportable, prefix: string) {
    const { plan } = from;
    this.plan = plan;
    this.from = from;
    this.kept = new Kept(from.spec);
    this.#prefix = prefix;
    this.#gaps = new Map(plan.gaps.map((one) => [one.id, one]));
    this.#deprecations = new Map(plan.versioning.deprecations.map((one) => [one.item, one]));
    this.endpoints = new Map(plan.endpoints.map((one) => [one.id, one]));
    this.resources = new Map(plan.resources.map((one) => [one.name, one]));
    this.parts = new Map(plan.partTypes.map((one) => [one.name, one]));
    this.shapes = new Map(plan.shapes.map((one) => [one.name, one]));
    this.schemas = new Map((plan.schemas ?? []).map((one) => [one.name, one]));
  }

  /** Whether what an import put apart goes back to its place: JSON Schema refuses some of it. */
  get isRestoring(): boolean {
    return this.#prefix !== "#/$defs/";
  }

  /** A reference to the schema of a resource, a part, a view or a shape. */
  ref(name: string, mode: Mode = "read", form: Form = "json"): JsonObject {
    // Views and shapes are read as they are sent.
    const variant: Variant = { name, mode: this.parts.has(name) ? mode : "read", form };
    const key = schemaName(variant);
    this.#wanted.set(key, variant);
    return { $ref: `${this.#prefix}${key}` };
  }

  /** A reference to a schema by what it is called. */
  referTo(key: string): string {
    return `${this.#prefix}${key}`;
  }

  /** The variants besides `read` that were referred to since this was asked the last time. */
  take(): Variant[] {
    const taken = [...this.#wanted.values()].filter(({ mode }) => mode !== "read");
    this.#wanted.clear();
    return taken;
  }

  /** What stands in place of what is not shown. */
  gap(id: ItemId): JsonObject {
    const gap = this.#gaps.get(id);
    const subject = gap === undefined ? id : `${gap.scope}: ${gap.subject}`;
    return { subject, line: this.from.lineOf(id) };
  }

  /** Marks of the gaps among these items that keep an answer from being given, each once. */
  gapsAmong(ids: Iterable<ItemId>): JsonObject {
    const found = [...new Set(ids)].filter((id) => this.#gaps.get(id)?.blocking === true);
    return found.length === 0 ? {} : { "x-lacuna-gaps": found.map((id) => this.gap(id)) };
  }

  /** The field by which clients name a row of the resource. */
  key(resource: string): Field | undefined {
    const found = this.resources.get(resource);
    return found?.fields.find(({ name }) => name === found.key);
  }

  /** What a failure condition of a value answers at the endpoint, or at all of them. */
  answerTo(condition: string, endpoint?: Endpoint): string | undefined {
    const rows = [...(endpoint?.failures ?? []), ...this.plan.failures];
    return rows.find((row) => row.condition === condition)?.answer.is;
  }

  /** The day on which something is said to be deprecated, with what stands instead. */
  deprecated(item: string): JsonObject {
    const row = this.#deprecations.get(item);
    if (row === undefined) return {};
    const said: [string, Json][] = [];
    if (isStated(row.removed)) said.push(["x-lacuna-removed-on", row.removed.value]);
    if (isStated(row.instead)) said.push(["x-lacuna-instead", row.instead.value]);
    return { deprecated: true, ...Object.fromEntries(said) };
  }
}

/** What readers share: their form, and what a plan says about the names that types use. */
import {
  type Field,
  gapOf,
  type ItemId,
  namelessGap,
  type Part,
  type Plan,
  type Resource,
  type Rule,
  type Shape,
  statedOf,
  type ValueType,
} from "../../plan/index.ts";
import { Schemas } from "../../schema/index.ts";
import type { Trace, Value } from "../ports/index.ts";
import type { Json } from "../wire/json.ts";
import type { Nesting } from "../wire/nested.ts";
import type { Wrong } from "../wire/wrong.ts";
import type { FailureCollector } from "./failure-collector.ts";

/** Reads a raw value; undefined: it was not sent. What lies further in is told the collector. */
export type Read = (raw: Json | undefined, sink: FailureCollector) => Value | Wrong;

/** A request that has found its endpoint, as sent. */
export interface RawRequest {
  /** Decoded parameters of the path. */
  readonly params: ReadonlyMap<string, string>;
  /** What stands after the first `?`, undecoded. */
  readonly query: string;
  /** By lower-case name; lines of one name are joined by `, ` (RFC 9110 section 5.3). */
  readonly headers: ReadonlyMap<string, string>;
  /** The content as text, or in base64; null: no UTF-8; undefined: there is none. */
  readonly body: string | null | undefined;
  readonly bodyBytes: number;
  /** SHA-256 of the content (hex), where the endpoint has an idempotency key. */
  readonly bodyHash?: string;
}

/** How a value stands in a message. `text`: a list is the list of its texts. */
export type Form = "json" | "text";

/** What a reader is compiled from. */
export interface ReadSpec {
  readonly type: ValueType;
  readonly rules: readonly Rule[];
  readonly form: Form;
  /** `Resource.field` of what holds it: tells which states a value of type `state` can be. */
  readonly holder?: string;
  /**
   * Who gives it, where it is no client: then Create says nothing. `said`: a row at the start, or
   * the answer of a call. `whole`: a setting, of which nothing is filled in. `again`: what a call
   * was given, in which secrets may be left out.
   */
  readonly told?: "said" | "whole" | "again";
  /** It is what passes a call, in the form of docs/calls.md. */
  readonly byCode?: true;
  /** A part given to an update that merges: members left out stay as they are. */
  readonly merged?: boolean;
  /** It stands in a part that is merged: null takes it away, where it may be absent. */
  readonly removable?: boolean;
}

/** Look-ups over one plan, made once. */
export interface Names {
  /** How names of forms and queries nest; undefined: they do not, or nobody has said how. */
  readonly nesting: Nesting | undefined;
  /** Nobody has said how: met by names that may nest. */
  readonly nestingGap: ItemId | undefined;
  readonly parts: ReadonlyMap<string, Part>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly shapes: ReadonlyMap<string, Shape>;
  /** `Resource.field` -> names of the states that it can hold. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  readonly schemas: Schemas;
  /** Schema -> the gap that a text meets which stands for one of its values. */
  readonly asText: ReadonlyMap<string, ItemId>;
  readonly events: readonly string[];
  readonly errors: readonly string[];
  /** Gaps that some answer depends on. */
  readonly blocking: ReadonlySet<string>;
  /** Told which rules have judged a value. */
  readonly trace?: Trace | undefined;
}

/** The look-ups of a plan. */
export function namesOf(plan: Plan, trace?: Trace): Names {
  const byName = <T extends { readonly name: string }>(items: readonly T[]): Map<string, T> =>
    new Map(items.map((item) => [item.name, item]));
  const { nesting } = plan.about;
  const { schemas = [] } = plan;
  return {
    nesting: statedOf(nesting),
    nestingGap: gapOf(nesting),
    parts: byName(plan.partTypes),
    resources: byName(plan.resources),
    shapes: byName(plan.shapes),
    states: new Map(
      plan.machines.map((machine) => [
        `${machine.resource}.${machine.field}`,
        machine.states.map((state) => state.name),
      ]),
    ),
    schemas: new Schemas(
      schemas.map(({ name, schema }) => ({ name, text: statedOf(schema), gap: gapOf(schema) })),
    ),
    asText: new Map(
      schemas.flatMap(({ name, asText }) => (asText === undefined ? [] : [[name, asText]])),
    ),
    events: plan.events.map((event) => event.name),
    errors: plan.errors.map((error) => error.name),
    blocking: new Set(plan.gaps.filter((gap) => gap.blocking).map((gap) => gap.id)),
    trace,
  };
}

/** What keeps it from being known by which field clients name a row of `resource`. */
export function keyGap(names: Names, resource: string): ItemId | undefined {
  const found = names.resources.get(resource);
  const named = keyField(names, resource);
  if (named !== undefined) return named.gap;
  return found && namelessGap(found);
}

/** The field by which clients name a row of `resource`; undefined where they cannot. */
export function keyField(names: Names, resource: string): Field | undefined {
  const found = names.resources.get(resource);
  return found?.fields.find((field) => field.name === found.key);
}

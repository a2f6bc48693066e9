/** What all rules share: the resolved service, indexes over it, and how a finding is reported. */
import type { Finding, Severity, Span } from "../../base/index.ts";
import {
  type Endpoint,
  type ErrorDefinition,
  type Field,
  hiddenRules,
  type ItemId,
  type Machine,
  type Part,
  type Resource,
  type Service,
  type Shape,
  type Status,
} from "../../plan/index.ts";
import type { SectionNode, Spec } from "../../spec/index.ts";
import type { Resolution } from "../resolve/index.ts";
import type { GapReport } from "../types.ts";
import { endpointKey, type Placed, placeSteps } from "./places.ts";

export interface RuleContext {
  readonly spec: Spec;
  readonly service: Service;
  readonly origins: ReadonlyMap<ItemId, Span>;
  /** Where expressions are written. */
  readonly places: Resolution["places"];
  /** Conditions whose outcome is always the same. */
  readonly settled: Resolution["settled"];
  /** Values that may go to the ends of their type. */
  readonly wide: Resolution["wide"];
  readonly uses: Resolution["uses"];
  readonly findings: Finding[];
  readonly gaps: Map<ItemId, GapReport>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly machines: ReadonlyMap<string, Machine>;
  readonly errors: ReadonlyMap<string, ErrorDefinition>;
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly parts: ReadonlyMap<string, Part>;
  /** By the method and path as the heading has them. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Sections by the name of the item that their heading states. */
  readonly sections: ReadonlyMap<ItemId, SectionNode>;
  readonly facets: ReadonlyMap<string, Status>;
  /** Every step of the document, nested ones included, with where it stands. */
  readonly steps: readonly Placed[];
  readonly writes: Writes;
  /** Actors that hold without credentials. */
  readonly always: ReadonlySet<string>;
}

/** What steps write, and what bodies may give. */
interface Writes {
  readonly creates: ReadonlyMap<string, readonly Placed[]>;
  /** `Resource.field`, by `Set x.f` alone. */
  readonly sets: ReadonlySet<string>;
  /** `Resource.field` given by `with` in some Create step. */
  readonly withs: ReadonlySet<string>;
  /** `new:Resource` and `changed:Resource` that a Create or Set step takes from a body. */
  readonly bodies: ReadonlySet<string>;
}

export type Rule = (context: RuleContext) => void;

interface Report {
  readonly code: string;
  readonly severity: Severity;
  /** The place itself, or the item that stands there. */
  readonly at: Span | ItemId | undefined;
  readonly message: string;
  readonly hint?: string;
  readonly related?: Finding["related"];
}

const NOWHERE: Span = { start: 0, end: 0 };

/** Where an item stands; the beginning of the text where it is not known. */
function placeOf(c: RuleContext, at: Span | ItemId | undefined): Span {
  const span = typeof at === "string" ? c.origins.get(at) : at;
  return span === undefined ? NOWHERE : { start: span.start, end: span.end };
}

/** Reports a finding at an item or a place. */
export function report(c: RuleContext, { at, ...finding }: Report): void {
  c.findings.push({ ...finding, span: placeOf(c, at) });
}

function writesOf(steps: readonly Placed[]): Writes {
  const creates = new Map<string, Placed[]>();
  const sets = new Set<string>();
  const withs = new Set<string>();
  const bodies = new Set<string>();
  for (const placed of steps) {
    const { step, resource = "" } = placed;
    if (step.kind === "create") {
      const all = creates.get(step.resource);
      if (all === undefined) creates.set(step.resource, [placed]);
      else all.push(placed);
      for (const one of step.with) withs.add(`${step.resource}.${one.name}`);
      if (step.from !== undefined) bodies.add(`new:${step.resource}`);
    } else if (step.kind === "set") sets.add(`${resource}.${step.field}`);
    else if (step.kind === "set from" && step.from.code.type.kind === "object") {
      bodies.add(step.from.code.type.name.split(" with ", 1)[0] ?? "");
    }
  }
  return { creates, sets, withs, bodies };
}

/** Whether a gap hides the type of a field, or all of its rules. */
export function isHiddenField({ id, gap, rules }: Field): boolean {
  return gap !== undefined || hiddenRules({ id, rules }) !== undefined;
}

const byName = <T extends { readonly name: string }>(all: readonly T[]): Map<string, T> =>
  new Map(all.map((one) => [one.name, one]));

/** The context of all rules, with every index built once. */
export function newContext(spec: Spec, resolution: Resolution): RuleContext {
  const { service, origins, places, settled, wide, uses } = resolution;
  const steps = placeSteps(service);
  const sections = spec.parts.flatMap((part) => part.sections);
  return {
    spec,
    service,
    origins,
    places,
    settled,
    wide,
    uses,
    findings: [...resolution.findings],
    gaps: new Map(resolution.gaps),
    resources: byName(service.resources),
    errors: byName(service.errors),
    machines: new Map(service.machines.map((one) => [one.resource, one])),
    shapes: byName(service.shapes),
    parts: byName(service.partTypes),
    steps,
    writes: writesOf(steps),
    endpoints: new Map(service.endpoints.map((one) => [endpointKey(one), one])),
    sections: new Map(sections.map((section) => [section.id, section])),
    facets: new Map(
      resolution.parts.flatMap((part) =>
        part.facets.map((facet) => [facet.name, facet.status] as const),
      ),
    ),
    always: new Set(
      service.actors.filter((actor) => actor.holds.is === "always").map((actor) => actor.name),
    ),
  };
}

/** The door of the resolver: a specification as written becomes a service, name by name. */
import type { Finding, Span } from "../../base/index.ts";
import {
  type ErrorDefinition,
  type Example,
  everyStep,
  type ItemId,
  type Service,
  type Step,
} from "../../plan/index.ts";
import { type SectionNode, type Spec, unfolded } from "../../spec/index.ts";
import type { GapReport, PartReport } from "../types.ts";
import { resolveAbout } from "./about/about.ts";
import { reportParts } from "./about/facets.ts";
import { resolveVersioning } from "./about/versioning.ts";
import { alwaysActors, resolveAuthentication } from "./access/authentication.ts";
import { resolveEndpoints } from "./endpoints/endpoints.ts";
import { resolvePrologue } from "./endpoints/prologue.ts";
import { resolveErrors, resolveReported } from "./failures/errors.ts";
import { failureRows } from "./failures/failures.ts";
import { resolveLimitAnswers, resolveLimits } from "./failures/limits.ts";
import { collect } from "./names/collect.ts";
import {
  newResolver,
  origin,
  type Resolver,
  sectionsOf,
  tablesOf,
  textsOf,
} from "./names/resolver.ts";
import { resolveCalls } from "./outside/calls.ts";
import { resolveDeliveries, resolveEvents } from "./outside/events.ts";
import { resolveGone } from "./resources/gone.ts";
import { resolveResources } from "./resources/resources.ts";
import { resolveShapes } from "./resources/shapes.ts";
import { resolveMachines } from "./states/machines.ts";
import { resolveRoutines } from "./steps/routines.ts";
import { createdBy, replacedBy } from "./steps/writes.ts";

export interface Resolution {
  readonly service: Service;
  readonly parts: readonly PartReport[];
  readonly findings: readonly Finding[];
  readonly gaps: ReadonlyMap<ItemId, GapReport>;
  readonly origins: ReadonlyMap<ItemId, Span>;
  readonly places: Resolver["places"];
  readonly effects: Resolver["effects"];
}

/** Actors whom an endpoint's Who names, without asking. */
function actorsOf(section: SectionNode, every: SectionNode | undefined): string[] | undefined {
  const bullet = [section, every]
    .flatMap((one) => one?.bullets ?? [])
    .find((one) => one.key === "who");
  return bullet?.status === "stated"
    ? textsOf(bullet.match, "actors").map((slot) => slot.text)
    : undefined;
}

/** Whether something that reads rows and views runs without a caller. */
function runsWithoutCaller(r: Resolver, always: ReadonlySet<string>): boolean {
  const [every] = sectionsOf(r, "every endpoint");
  const open = sectionsOf(r, "endpoint").some((section) => {
    const actors = actorsOf(section, every);
    return actors === undefined || actors.some((actor) => always.has(actor));
  });
  const timed = sectionsOf(r, "machine").some((section) =>
    tablesOf(section, "transitions").some((table) =>
      table.rows.some((row) =>
        row.cells.some((cell) => ["time", "every"].includes(unfolded(cell).matches[0]?.form ?? "")),
      ),
    ),
  );
  return open || timed;
}

/** Resources that the steps of some section treat in a way, found before steps are resolved. */
function resourcesBy(r: Resolver, by: (section: SectionNode) => Set<string>): Set<string> {
  return new Set(r.spec.parts.flatMap(({ sections }) => sections.flatMap((one) => [...by(one)])));
}

/** For each resource, whether all steps that make its rows surely have a caller. */
function callersOfCreate(r: Resolver, always: ReadonlySet<string>): void {
  const [every] = sectionsOf(r, "every endpoint");
  for (const part of r.spec.parts) {
    for (const section of part.sections) {
      const actors = section.scope === "endpoint" ? actorsOf(section, every) : undefined;
      const sure = actors !== undefined && !actors.some((actor) => always.has(actor));
      for (const name of createdBy(section)) {
        r.createdByCaller.set(name, sure && (r.createdByCaller.get(name) ?? true));
      }
    }
  }
}

function examples(r: Resolver): Example[] {
  return r.spec.parts.flatMap((part) =>
    part.sections.flatMap((section) =>
      section.fences
        .filter((fence) => fence.block === "example")
        .map((fence) => ({
          id: origin(r, fence.id, fence),
          title: fence.name.text,
          text: fence.content.text,
        })),
    ),
  );
}

function bodiesOf(errors: readonly ErrorDefinition[]): Map<string, string> {
  return new Map(
    errors.flatMap((error) =>
      error.body.is === "stated" ? [[error.name, error.body.value] as const] : [],
    ),
  );
}

function hasInputs(steps: readonly Step[]): boolean {
  return everyStep(steps).some((step) => step.kind === "check" && step.what === "inputs");
}

/** Resolves a specification. Total: what has an error is left out or stands as a gap. */
export function resolveSpec(spec: Spec, readFindings: readonly Finding[]): Resolution {
  const r = newResolver(spec, readFindings);
  const names = collect(r);
  const always = alwaysActors(r);
  r.anonymous = runsWithoutCaller(r, always);
  callersOfCreate(r, always);
  const errors = resolveErrors(r, names);
  const { resources, partTypes } = resolveResources(r, names, resourcesBy(r, replacedBy));
  const calls = resolveCalls(r, names);
  const { schemes, actors } = resolveAuthentication(r, names);
  const machines = resolveMachines(r, names);
  const routines = resolveRoutines(r, names);
  const prologue = resolvePrologue(r, names);
  const endpoints = resolveEndpoints(r, names, always);
  const events = resolveEvents(r, names);
  const deliveries = resolveDeliveries(r, names, events, always);
  resolveGone(r, names, { resources, partTypes });
  const limits = resolveLimits(r, names);
  const [errorSection] = sectionsOf(r, "errors");
  const [every] = sectionsOf(r, "every endpoint");
  const failures = [...failureRows(r, every), ...failureRows(r, errorSection)];
  const shapes = resolveShapes(r, names, bodiesOf(errors));
  const about = resolveAbout(r, names, endpoints);
  const [top] = sectionsOf(r, "states");
  const draft = {
    title: spec.title.text,
    parts: [],
    about,
    resources,
    partTypes,
    shapes,
    machines,
    stateless: (top?.bullets ?? [])
      .filter((bullet) => bullet.key === "no states")
      .flatMap((bullet) => textsOf(bullet.match, "resources").map((slot) => slot.text)),
    routines,
    calls,
    prologue,
    endpoints,
    schemes,
    actors,
    events,
    ...deliveries,
    errors,
    failures,
    failuresReported: resolveReported(r, hasInputs(prologue)),
    limits,
    limitAnswers: resolveLimitAnswers(r, limits),
    versioning: resolveVersioning(r, endpoints.length > 0),
    examples: examples(r),
    gaps: [],
  } satisfies Service;
  const parts = reportParts(r, draft);
  const facets = parts.map((part) => ({
    name: part.name,
    facets: part.facets.map(({ name, status, sentence }) => ({
      name,
      status,
      ...(sentence === undefined ? {} : { sentence }),
    })),
  }));
  const { findings, gaps, origins, places, effects } = r;
  const service = { ...draft, parts: facets };
  return { service, parts, findings, gaps, origins, places, effects };
}

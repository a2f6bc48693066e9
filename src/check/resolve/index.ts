/** The door of the resolver: a specification as written becomes a service, name by name. */
import type { Finding, Span } from "../../base/index.ts";
import {
  type ErrorDefinition,
  type Example,
  everyStep,
  type FailureRow,
  gapOf,
  type ItemId,
  isStated,
  type Service,
  type Step,
} from "../../plan/index.ts";
import {
  type SectionNode,
  type Spec,
  type StepNode,
  statusOf,
  unfolded,
} from "../../spec/index.ts";
import type { GapReport, PartReport, Use } from "../types.ts";
import { resolveAbout } from "./about/about.ts";
import { reportParts } from "./about/facets.ts";
import { resolveVersioning } from "./about/versioning.ts";
import { alwaysActors, resolveAuthentication } from "./access/authentication.ts";
import { withTexts } from "./endpoints/as-text.ts";
import { resolveEndpoints } from "./endpoints/endpoints.ts";
import { TOO_LARGE, withGroups } from "./endpoints/groups.ts";
import { everyHeaders } from "./endpoints/headers.ts";
import { resolvePrologue, sharedInputs } from "./endpoints/prologue.ts";
import { resolveErrors, resolveReported } from "./failures/errors.ts";
import { failureRows } from "./failures/failures.ts";
import { resolveLimitAnswers, resolveLimits } from "./failures/limits.ts";
import { collect } from "./names/collect.ts";
import {
  headSpan,
  newResolver,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  tablesOf,
  textsOf,
} from "./names/resolver.ts";
import { resolveSchemas } from "./names/schemas.ts";
import { resolveCalls } from "./outside/calls.ts";
import { carriedBy } from "./outside/carried.ts";
import { resolveDeliveries } from "./outside/deliveries.ts";
import { resolveEvents } from "./outside/events.ts";
import { resolveGone } from "./resources/gone.ts";
import { resolveResources } from "./resources/resources.ts";
import { resolveShapes } from "./resources/shapes.ts";
import { collectValues } from "./resources/values.ts";
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
  readonly settled: Resolver["settled"];
  readonly wide: Resolver["wide"];
  readonly effects: Resolver["effects"];
  /** Expressions that use named values. */
  readonly uses: readonly Use[];
  /** Failure rows for a class, before it is known what they stand for. */
  readonly classRows: Resolver["classRows"];
}

/**
 * Whether some request without a caller comes to an endpoint's steps, as its Who says. Where that
 * is not shown, none comes to them.
 */
function isOpen(
  section: SectionNode,
  every: SectionNode | undefined,
  always: ReadonlySet<string>,
): boolean {
  const bullet = [section, every]
    .flatMap((one) => one?.bullets ?? [])
    .find((one) => one.key === "who");
  if (bullet?.status !== "stated") return bullet?.status === "none";
  return textsOf(bullet.match, "actors").some((slot) => always.has(slot.text));
}

/** Whether something that reads rows and views runs without a caller. */
function runsWithoutCaller(r: Resolver, always: ReadonlySet<string>): boolean {
  const [every] = sectionsOf(r, "every endpoint");
  const open = sectionsOf(r, "endpoint").some((section) => isOpen(section, every, always));
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

/** Whether a step, or one below it, is not shown. */
function isGapStep({ match, children, cases }: StepNode): boolean {
  const isOwn = ["gap", "when gap", "otherwise gap"].includes(match.form);
  return isOwn || [...children, ...cases.map((one) => one.step)].some(isGapStep);
}

/** For each resource, whether all steps that make its rows surely have a caller. */
function callersOfCreate(r: Resolver, always: ReadonlySet<string>): void {
  const [every] = sectionsOf(r, "every endpoint");
  const hides = sectionsOf(r, "endpoint").some((section) => section.steps.some(isGapStep));
  for (const part of r.spec.parts) {
    for (const section of part.sections) {
      const sure = section.scope === "endpoint" && !isOpen(section, every, always);
      for (const name of createdBy(section)) {
        r.createdByCaller.set(name, sure && (r.createdByCaller.get(name) ?? true));
      }
    }
  }
  // Rows that no step makes may be made where a step is not shown.
  if (!hides) return;
  for (const name of r.declared.get("type")?.keys() ?? []) {
    if (!r.createdByCaller.has(name)) r.createdByCaller.set(name, true);
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

/** The shapes that errors are sent in, and the gap where one of them is not shown. */
function bodiesOf(errors: readonly ErrorDefinition[]) {
  const shapes = errors.flatMap(({ name, body }) =>
    isStated(body) ? [[name, body.value] as const] : [],
  );
  const [gap] = errors.flatMap(({ body }) => gapOf(body) ?? []);
  const empty = new Map<string, Set<string>>();
  for (const { name, columns } of errors) {
    for (const column of columns) {
      if (column.value.is !== "none") continue;
      empty.set(column.name, (empty.get(column.name) ?? new Set()).add(name));
    }
  }
  return { shapes: new Map(shapes), empty, gap };
}

function hasInputs(steps: readonly Step[]): boolean {
  return everyStep(steps).some((step) => step.kind === "check" && step.what === "inputs");
}

/** Records what says `not shown` and that no item of the service has read: text for people. */
function recordOthers(r: Resolver): void {
  const known = new Set([...r.gaps.values()].map(({ span }) => span.start));
  const record = (section: SectionNode, node: Span, id: ItemId, subject: string): void => {
    if (known.has(node.start)) return;
    shownGap(r, section, { id, start: node.start, end: node.end, blocking: false }, subject);
  };
  for (const section of r.spec.parts.flatMap((part) => part.sections)) {
    for (const bullet of section.bullets) {
      if (bullet.status === "not shown") record(section, bullet, bullet.id, bullet.key);
    }
    for (const { columns, rows } of section.tables) {
      for (const { id, cells } of rows) {
        for (const [i, cell] of cells.entries()) {
          if (statusOf(cell) !== "not shown") continue;
          const title = (columns[i]?.slot?.text ?? columns[i]?.title ?? "").toLowerCase();
          record(section, cell, `${id}/${title}`, title);
        }
      }
    }
  }
}

/** Finds out where there is a caller, before expressions are resolved that read it. */
function findCallers(r: Resolver, always: ReadonlySet<string>): void {
  r.anonymous = runsWithoutCaller(r, always);
  callersOfCreate(r, always);
}

/** The failure rows that are not of one endpoint. */
function generalFailures(r: Resolver): FailureRow[] {
  const [errorSection] = sectionsOf(r, "errors");
  const everywhere = [...sectionsOf(r, "every endpoint").slice(0, 1), errorSection];
  return everywhere.flatMap((section) => failureRows(r, section));
}

/** Resources that are said to have no states, each at its own place. */
function stateless(r: Resolver, top: SectionNode | undefined): readonly string[] {
  const bullets = (top?.bullets ?? []).filter((bullet) => bullet.key === "no states");
  const said = bullets.flatMap((bullet) => textsOf(bullet.match, "resources"));
  for (const slot of said) origin(r, `states/no states/${slot.text}`, slot);
  return said.map((slot) => slot.text);
}

/** What the resolver has learned besides the service. */
function known(r: Resolver): Omit<Resolution, "service" | "parts"> {
  const { findings, gaps, origins, places, settled, wide, effects, classRows } = r;
  const uses = [...r.uses.values()];
  return { findings, gaps, origins, places, settled, wide, effects, classRows, uses };
}

/** Resolves a specification. Total: what has an error is left out or stands as a gap. */
export function resolveSpec(spec: Spec, readFindings: readonly Finding[]): Resolution {
  const { spec: written, beyond } = withGroups(spec);
  const r = newResolver(written, readFindings);
  if (beyond !== undefined) report(r, "too-large", headSpan(r, beyond), { message: TOO_LARGE });
  const names = collect(r);
  const always = alwaysActors(r);
  findCallers(r, always);
  collectValues(r, names);
  const errors = resolveErrors(r, names);
  const { resources, partTypes } = resolveResources(r, names, resourcesBy(r, replacedBy));
  const calls = resolveCalls(r, names);
  const { schemes, actors } = resolveAuthentication(r, names);
  const machines = resolveMachines(r, names);
  const routines = resolveRoutines(r, names);
  const prologue = resolvePrologue(r, names);
  const shared = sharedInputs(r, names);
  const endpoints = resolveEndpoints(r, names, { always, shared });
  const events = resolveEvents(r, names);
  const { webhooks, streams } = resolveDeliveries(r, names, events, always);
  resolveGone(r, names, { resources, partTypes });
  const limits = resolveLimits(r, names);
  const shapes = resolveShapes(r, names, {
    bodies: bodiesOf(errors),
    carried: carriedBy(r, events, webhooks),
    shared,
  });
  const bodies = { prologue, routines, endpoints, errors, shapes, webhooks };
  const about = resolveAbout(r, names, bodies);
  const draft = {
    title: spec.title.text,
    parts: [],
    about,
    resources,
    partTypes,
    shapes,
    ...withTexts(r, resolveSchemas(r), { about, endpoints, resources, partTypes }),
    machines,
    stateless: stateless(r, sectionsOf(r, "states")[0]),
    routines,
    calls,
    ...everyHeaders(r, names, shared),
    prologue,
    endpoints,
    schemes,
    actors,
    events,
    webhooks,
    streams,
    errors,
    failures: generalFailures(r),
    failuresReported: resolveReported(r, hasInputs(prologue)),
    limits,
    limitAnswers: resolveLimitAnswers(r, limits),
    versioning: resolveVersioning(r, { endpoints, streams }),
    examples: examples(r),
    gaps: [],
  } satisfies Service;
  recordOthers(r);
  const parts = reportParts(r, draft);
  const facets = parts.map((part) => ({
    name: part.name,
    facets: part.facets.map(({ name, status, sentence }) => ({
      name,
      status,
      ...(sentence === undefined ? {} : { sentence }),
    })),
  }));
  const service = { ...draft, parts: facets };
  return { service, parts, ...known(r) };
}

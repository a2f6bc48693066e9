/** Compares two plans: every change of meaning, and none of wording, with the items of both. */
import { type Gap, keepersOf, type Plan } from "../plan/index.ts";
import {
  about,
  actorList,
  errorList,
  eventList,
  limitAnswers,
  limitList,
  schemeList,
  streamList,
  versioning,
  webhookList,
} from "./edge.ts";
import { endpointList, failureList, headerList } from "./endpoints.ts";
import { partList } from "./fields.ts";
import {
  type Change,
  type Compare,
  each,
  type Members,
  tell,
  tellAdded,
  tellGone,
  told,
  wording,
} from "./found.ts";
import { type KeptChange, keptChanges } from "./kept.ts";
import { callList, machineList, routineList } from "./machines.ts";
import { meaningOf } from "./meaning.ts";
import { paired } from "./pairs.ts";
import { renamed } from "./renamed.ts";
import { resourceList, shapeList } from "./resources.ts";
import { schemaList } from "./schemas.ts";
import { stepList } from "./steps.ts";

type Parts = Plan["parts"];

/** The item by which a sentence on a whole facet is named here. */
export function facetItem(part: string, facet: string): string {
  return `facet/${part}/${facet}`;
}

const UNKNOWN: ReadonlySet<string> = new Set(["not shown", "silent"]);

/** What is said of a whole facet; what is stated of it is told where it is stated. */
const facets: Compare<Parts> = (before, now, on) => {
  for (const [{ name: part, facets: all }, own] of paired(before, now, ({ name }) => name).both) {
    for (const [old, facet] of paired(all, own.facets, ({ name }) => name).both) {
      if (old.status === facet.status) continue;
      const item = facetItem(part, facet.name);
      const at = { ...on, about: part, before: item, now: item };
      const words = { what: facet.name, was: old.status, is: facet.status };
      const [wasGap, isGap] = [UNKNOWN.has(old.status), UNKNOWN.has(facet.status)];
      const isSaid = (one: typeof facet): boolean =>
        one.status === "silent" || one.sentence !== undefined;
      if (wasGap && !isGap && isSaid(old)) tell(at, "gap filled", words);
      if (isGap && !wasGap && isSaid(facet)) tell(at, "gap recorded", words);
      const isAnswered = old.status !== "stated" && facet.status !== "stated";
      if (!wasGap && !isGap && isAnswered) tell(at, "facet answered otherwise", words);
    }
  }
};

/** Gaps to which nothing that runs is bound, but for those of whole facets. */
function freeGaps({ gaps, parts }: Plan, met: ReadonlySet<string>): readonly Gap[] {
  const names = new Set(
    parts.flatMap(({ name, facets: all }) => all.map((one) => `${name} ${one.name}`)),
  );
  return gaps.filter(
    ({ id, part, scope, subject }) =>
      !met.has(id) && !(scope === part && names.has(`${part} ${subject}`)),
  );
}

/** All gaps that something of the plan meets. */
function metGaps(plan: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  const open: unknown[] = Object.entries(plan).flatMap(([key, one]) => (key === "gaps" ? [] : one));
  for (let one = open.pop(); open.length > 0 || one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    for (const [key, value] of Object.entries(one)) {
      if (key.toLowerCase().endsWith("gap") && typeof value === "string") found.add(value);
      else if (key === "gaps") for (const gap of Object.values(value as object)) found.add(gap);
      else if (typeof value === "object") open.push(value);
    }
  }
  return found;
}

/** Where the other document says that a resource has no states, for the gap of that. */
function saidOfStates(side: "before" | "now", { id }: Gap, { stateless }: Plan): Partial<Change> {
  const name = stateless.find((one) => id === `states/${one}`);
  return name === undefined ? {} : { [side]: `states/no states/${name}` };
}

function ownGaps(before: Plan, now: Plan): Compare<readonly Gap[]> {
  return (_, __, on) => {
    const { gone, added } = paired(
      freeGaps(before, metGaps(before)),
      freeGaps(now, metGaps(now)),
      ({ part, scope, subject }) => `${part}/${scope}/${subject}`,
    );
    const at = (gap: Gap): typeof on => ({ ...on, about: gap.scope });
    for (const gap of gone) {
      const told = { what: gap.subject, ...saidOfStates("now", gap, now) };
      tellGone(at(gap), "gap filled", gap.id, told);
    }
    for (const gap of added) {
      const told = { what: gap.subject, ...saidOfStates("before", gap, before) };
      tellAdded(at(gap), "gap recorded", gap.id, told);
    }
  };
}

/** A comparison of one of the parts that have no names of their own. */
function whole<T extends object>(name: string, item: string, members: Members<T>): Compare<T> {
  return (before, now, on) =>
    each(members, before, now, { ...on, about: name, before: item, now: item });
}

function membersOf(before: Plan, now: Plan): Members<Plan> {
  const [first] = now.parts;
  return {
    format: wording,
    formatVersion: wording,
    assumed: wording,
    title: wording,
    parts: facets,
    about: whole(first?.name ?? "", "service", about),
    resources: resourceList,
    partTypes: partList,
    shapes: shapeList({ before, now }),
    schemas: schemaList,
    machines: machineList,
    // A resource that has states has a machine; one that is said to have none has nothing.
    stateless: wording,
    routines: routineList,
    calls: callList,
    prologue: (a, b, on) => stepList(a, b, { ...on, ...EVERY, about: "every endpoint" }),
    headers: (a, b, on) => headerList(a, b, { ...on, ...EVERY, about: "every endpoint" }),
    endpoints: endpointList,
    schemes: schemeList,
    actors: actorList,
    events: eventList,
    webhooks: webhookList,
    streams: streamList,
    errors: errorList,
    failures: (a, b, on) => failureList(a, b, { ...on, ...ERRORS, about: "Errors" }),
    failuresReported: (a, b, on) =>
      told("failures reported changed")(a, b, { ...on, ...ERRORS, about: "Errors" }),
    limits: limitList,
    limitAnswers: whole("Limits", "limits", limitAnswers),
    versioning: whole("Versioning", "versioning", versioning),
    // What is run and compared says nothing that is not said elsewhere.
    examples: wording,
    gaps: ownGaps(before, now),
  };
}

const EVERY = { before: "endpoints/every endpoint", now: "endpoints/every endpoint" } as const;
const ERRORS = { before: "errors", now: "errors" } as const;

/** A change, with what it asks of the rows that a store keeps. */
export interface FoundChange extends Change {
  readonly kept: readonly KeptChange[];
}

/** What a comparison gives. */
interface Comparison {
  readonly changes: readonly FoundChange[];
  /** What differs and is named by no kind of change: a fault of the closed list, in words. */
  readonly unnamed: readonly string[];
}

/** What is said of rows, by the item that it is said of. */
type ByItem = ReadonlyMap<string, readonly KeptChange[]>;

function byItem(kept: readonly KeptChange[], side: "before" | "now"): ByItem {
  const found = new Map<string, KeptChange[]>();
  for (const one of kept) {
    const item = one[side];
    if (item === undefined) continue;
    const own = found.get(item);
    if (own === undefined) found.set(item, [one]);
    else own.push(one);
  }
  return found;
}

/** All that is said of an item, or of one that it is part of. */
function saidOf(items: ByItem, item: string | undefined): readonly KeptChange[] {
  const found: KeptChange[] = [];
  for (let at = item ?? ""; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    found.push(...(items.get(at) ?? []));
  }
  return found;
}

/** Puts what is said of rows that are kept beside the change that causes it. */
function withKept(found: readonly Change[], kept: readonly KeptChange[], now: Plan): Comparison {
  const waiting = new Set(kept);
  const sides = { before: byItem(kept, "before"), now: byItem(kept, "now") };
  const take = (change: FoundChange, causes: readonly KeptChange[]): FoundChange => {
    const caused = causes.filter((one) => waiting.delete(one));
    return caused.length === 0 ? change : { ...change, kept: [...change.kept, ...caused] };
  };
  const own = found.map((change) => {
    const said = [...saidOf(sides.now, change.now), ...saidOf(sides.before, change.before)];
    return take({ ...change, kept: [] }, said);
  });
  const changes = own.map((change) => {
    if (waiting.size === 0 || APART.has(change.kind)) return change;
    const isInside = isCausedBy(change, now);
    return take(change, [...waiting].filter(isInside));
  });
  return { changes, unnamed: [...waiting].map(({ text }) => text) };
}

/** Kinds of changes that cannot touch a row that is kept. */
const APART: ReadonlySet<Change["kind"]> = new Set([
  "input no longer needed",
  "input now needed",
  "use of an input changed",
  "order of members changed",
  "order of checks changed",
  "readers of a member changed",
  "refusal changed",
  "gap recorded",
  "gap filled",
]);

/** Of which resources rows keep what the change is about: values of a part, moments. */
function isCausedBy({ kind, about: of }: Change, plan: Plan): (kept: KeptChange) => boolean {
  if (kind === "precision of timestamps changed") return () => true;
  const [owner = ""] = of.split(".");
  if (!plan.partTypes.some(({ name }) => name === owner)) return () => false;
  const keepers = new Set(keepersOf(plan, owner));
  return ({ resource }) => keepers.has(resource ?? "");
}

const EVERY_ITEM = "endpoints/every endpoint/";

/** What is said of every endpoint is compared at each; it is told once. */
function toldOnce(found: readonly Change[]): readonly Change[] {
  const told = new Map<string, Change>();
  for (const one of found) {
    const items = [one.before, one.now].filter((item) => item !== undefined);
    const isEvery = items.every((item) => item.startsWith(EVERY_ITEM));
    const change = isEvery ? { ...one, about: "every endpoint" } : one;
    const { kind, about: of, what, was, is, before, now } = change;
    told.set(JSON.stringify([kind, of, what, was, is, before, now]), change);
  }
  return [...told.values()];
}

/** All changes of meaning between two plans, in the order of the parts. */
export function changesOf(before: Plan, now: Plan): Comparison {
  const found: Change[] = [];
  const on = { found, about: "", before: "", now: "", names: new Map() };
  const called = renamed(before, now);
  each(membersOf(called, now), called, now, on);
  const { changes, unnamed } = withKept(toldOnce(found), keptChanges(before, now), now);
  if (changes.length > 0 || meaningOf(called) === meaningOf(now)) return { changes, unnamed };
  return { changes, unnamed: [...unnamed, "The two documents mean something else."] };
}

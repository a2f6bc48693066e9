/** Compares resources, their invariants, and the views and shapes in which rows are shown. */
import {
  type Answer,
  isStated,
  type Resource,
  type ResourceInvariant,
  type Service,
  type Shape,
  type ShapeField,
  type StartRows,
  type VersionTag,
} from "../plan/index.ts";
import { fieldList, givenList, typed } from "./fields.ts";
import {
  type Change,
  type Compare,
  each,
  gapBeside,
  type Members,
  type On,
  tell,
  tellAdded,
  tellGap,
  tellGone,
  told,
  under,
  wording,
} from "./found.ts";
import { moved, paired } from "./pairs.ts";
import { refusal } from "./refusals.ts";
import { isSame } from "./same.ts";

const resourceChanged = told("resource changed");

/** Rows are data: their members are named by the document, and none of them is wording. */
const startRows: Compare<Answer<StartRows>> = (before, now, on) => {
  const rows = (answer: Answer<StartRows>): string => {
    if (!isStated(answer)) return answer.is;
    const { value } = answer;
    return value.is === "block" ? JSON.stringify(value.rows) : value.is;
  };
  if (rows(before) === rows(now) || tellGap(before, now, on)) return;
  const item = (answer: Answer<StartRows>, of: string): string => {
    if (!("id" in answer)) return of;
    const isBlock = isStated(answer) && answer.value.is === "block";
    return isBlock ? `${answer.id}/block` : answer.id;
  };
  tell(on, "rows at the start changed", {
    before: item(before, on.before),
    now: item(now, on.now),
  });
};

type Kind = Change["kind"];
type Invariant = ResourceInvariant["kind"];

/** What an invariant says that is there in one document alone, and one that says something else. */
const INVARIANTS: Readonly<Record<Invariant, readonly [added: Kind, gone: Kind, changed: Kind]>> = {
  always: ["rule made stricter", "rule made looser", "rule changed"],
  unique: ["rule made stricter", "rule made looser", "rule changed"],
  missing: ["refusal changed", "refusal changed", "refusal changed"],
  rows: ["rows that are seen changed", "rows that are seen changed", "rows that are seen changed"],
  "changed never": ["rule made stricter", "rule made looser", "rule changed"],
  "deleted never": ["deletion changed", "deletion changed", "deletion changed"],
  "deleted refused": ["deletion changed", "deletion changed", "deletion changed"],
  "kept for": ["deletion changed", "deletion changed", "deletion changed"],
  gap: ["gap recorded", "gap filled", "gap recorded"],
};

function itemOf(one: ResourceInvariant): string {
  return one.kind === "gap" ? one.gap : one.id;
}

/** An invariant as a name: what it is about, where it can be about several things. */
function subjectOf(one: ResourceInvariant): string {
  switch (one.kind) {
    case "always":
      return `always ${one.condition.text}`;
    case "unique":
      return `unique ${one.fields.toSorted().join(" ")}`;
    case "missing":
      return `missing ${one.field}`;
    case "deleted refused":
      return `deleted refused ${one.condition.text}`;
    case "gap":
      return `gap ${one.of}`;
    case "rows":
    case "changed never":
    case "deleted never":
    case "kept for":
      return one.kind;
    default:
      return one satisfies never;
  }
}

/** Invariants are judged in the order of the bullets. */
function isJudged({ kind }: ResourceInvariant): boolean {
  return kind === "always" || kind === "unique";
}

function invariantChanged(before: ResourceInvariant, now: ResourceInvariant, on: On): void {
  const bare = (one: ResourceInvariant): unknown => {
    const fields = one.kind === "unique" ? { fields: one.fields.toSorted() } : {};
    return { ...one, ...fields, otherwise: undefined };
  };
  if (!isSame(bare(before), bare(now))) tell(on, INVARIANTS[now.kind][2], { what: now.kind });
  const of = (one: ResourceInvariant): Parameters<typeof refusal>[0] =>
    "otherwise" in one ? one.otherwise : undefined;
  refusal(of(before), of(now), on);
}

/** A gap of a key goes with the invariant of that key in the other document. */
function keyOf(one: ResourceInvariant): string {
  if (one.kind === "gap") return one.of;
  return one.kind.split(" ")[0] as string;
}

const invariants: Compare<readonly ResourceInvariant[]> = (before, now, on) => {
  const pairs = paired(before, now, subjectOf, ({ kind }) => kind);
  const gaps = paired(pairs.gone, pairs.added, keyOf);
  for (const [old, one] of gaps.both) {
    const at = { before: itemOf(old), now: itemOf(one) };
    if (one.kind === "gap") tell(on, "gap recorded", at);
    else if (old.kind === "gap") tell(on, "gap filled", at);
    else tell(on, INVARIANTS[one.kind][2], { ...at, what: one.kind });
  }
  for (const one of gaps.gone) {
    tellGone(on, INVARIANTS[one.kind][1], itemOf(one), { what: one.kind });
  }
  for (const one of gaps.added) {
    tellAdded(on, INVARIANTS[one.kind][0], itemOf(one), { what: one.kind });
  }
  for (const [old, one] of pairs.both) {
    invariantChanged(old, one, { ...on, before: itemOf(old), now: itemOf(one) });
  }
  const judged = paired(
    before.filter(isJudged),
    now.filter(isJudged),
    subjectOf,
    ({ kind }) => kind,
  );
  for (const [old, one] of moved(before.filter(isJudged), judged)) {
    tell({ ...on, before: old.id, now: one.id }, "order of checks changed", { what: one.kind });
  }
};

const versionTag: Compare<VersionTag | undefined> = (before, now, on) => {
  if (before === undefined || now === undefined) {
    return told("version tag changed")(before, now, on);
  }
  const members: Members<VersionTag> = {
    id: wording,
    field: told("version tag changed"),
    strong: told("version tag changed"),
    absent: refusal,
    other: refusal,
  };
  each(members, before, now, { ...on, before: before.id, now: now.id });
};

const resource: Members<Resource> = {
  id: wording,
  name: wording,
  // Expressions call the rows so, and nobody else.
  many: wording,
  keptInside: resourceChanged,
  fixed: resourceChanged,
  fields: fieldList,
  key: resourceChanged,
  invariants,
  versionTag,
  versionTagGap: gapBeside,
  startRows,
};

/** Compares the resources of two plans. */
export const resourceList: Compare<readonly Resource[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name);
  for (const { id, name } of gone) tellGone({ ...on, about: name }, "resource removed", id);
  for (const { id, name } of added) tellAdded({ ...on, about: name }, "resource added", id);
  for (const [old, one] of both) {
    each(resource, old, one, { ...on, about: one.name, before: old.id, now: one.id });
  }
};

const shapeField: Members<ShapeField> = {
  id: wording,
  name: wording,
  sentAs: told("sent name changed"),
  type: typed("type of a member changed"),
  value: told("value of a member changed"),
  // The same value, read for each resource that an event is about.
  byAbout: wording,
};

const shapeFields: Compare<readonly ShapeField[]> = (before, now, on) => {
  const pairs = paired(before, now, ({ name }) => name);
  const at = (name: string): On => ({ ...on, about: `${on.about}.${name}` });
  for (const { id, name } of pairs.gone) tellGone(at(name), "member removed from an answer", id);
  for (const { id, name } of pairs.added) tellAdded(at(name), "member added to an answer", id);
  for (const [old, one] of pairs.both) {
    each(shapeField, old, one, { ...at(one.name), before: old.id, now: one.id });
  }
  for (const [old, one] of moved(before, pairs)) {
    tell({ ...at(one.name), before: old.id, now: one.id }, "order of members changed");
  }
};

type Taken = Shape["taken"];

/** Which of the fields that both documents have the shape takes over. */
function takenOver(fields: {
  readonly before: readonly string[];
  readonly now: readonly string[];
}): Compare<Taken> {
  return (before, now, on) => {
    if (isSame(before, now)) return;
    const takes = (taken: Taken, all: readonly string[]): readonly string[] => {
      if (taken === undefined) return [];
      return taken.allBut ? all.filter((one) => !taken.fields.includes(one)) : taken.fields;
    };
    const [was, is] = [takes(before, fields.before), takes(now, fields.now)];
    const known = (one: string): boolean => fields.before.includes(one) && fields.now.includes(one);
    const gone = was.filter((one) => known(one) && !is.includes(one));
    const added = is.filter((one) => known(one) && !was.includes(one));
    for (const what of gone) tell(on, "member removed from an answer", { what });
    for (const what of added) tell(on, "member added to an answer", { what });
    const order = (own: readonly string[], other: readonly string[]): string =>
      own.filter((one) => known(one) && other.includes(one)).join(" ");
    if (order(was, is) !== order(is, was)) tell(on, "order of members changed");
  };
}

type Names = ReadonlyMap<string, readonly string[]>;

/** Names of the fields of each resource. */
function fieldNames({ resources }: Service): Names {
  return new Map(resources.map(({ name, fields }) => [name, fields.map((one) => one.name)]));
}

function shapeMembers(
  before: Shape,
  now: Shape,
  names: Record<keyof Plans, Names>,
): Members<Shape> {
  const all = {
    before: names.before.get(before.viewOf ?? "") ?? [],
    now: names.now.get(now.viewOf ?? "") ?? [],
  };
  return {
    id: wording,
    name: wording,
    viewOf: told("shape changed"),
    taken: under("fields", takenOver(all)),
    given: givenList("shape changed"),
    fields: shapeFields,
    contentType: told("content type changed"),
    gap: gapBeside,
  };
}

/** What a comparison has to look up elsewhere. */
interface Plans {
  readonly before: Service;
  readonly now: Service;
}

/** Compares the views and shapes of two plans. */
export function shapeList(plans: Plans): Compare<readonly Shape[]> {
  const names = { before: fieldNames(plans.before), now: fieldNames(plans.now) };
  return (before, now, on) => {
    const { both, gone, added } = paired(before, now, ({ name }) => name);
    for (const { id, name } of gone) tellGone({ ...on, about: name }, "shape removed", id);
    for (const { id, name } of added) tellAdded({ ...on, about: name }, "shape added", id);
    for (const [old, one] of both) {
      const at = { ...on, about: one.name, before: old.id, now: one.id };
      each(shapeMembers(old, one, names), old, one, at);
    }
  };
}

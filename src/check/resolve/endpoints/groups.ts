/**
 * Writes out the groups of a specification: what stands below `### Every endpoint below` stands in
 * each of its endpoints from then on, as the items that it is. Nothing else knows of groups.
 */
import type {
  BulletNode,
  RowNode,
  SectionNode,
  Spec,
  TableNode,
  TextSlot,
} from "../../../spec/index.ts";
import { unfolded } from "../../../spec/index.ts";
import { slotOf } from "../names/resolver.ts";

/** The segments of a path: `/` has none. */
function segmentsIn(path: string): readonly string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** The path of the heading of a group. */
export function groupPath(group: SectionNode): TextSlot {
  return slotOf(group.heading, "path") as TextSlot;
}

/** Segments of the path of an endpoint. */
function endpointSegments(section: SectionNode): readonly string[] {
  const { text } = slotOf(section.heading, "endpoint") as TextSlot;
  return segmentsIn(text.slice(text.indexOf(" ") + 1));
}

/** A group at the path of an endpoint; `other`: a parameter that the two call otherwise. */
export interface Around {
  readonly group: SectionNode;
  readonly other?: { readonly there: string; readonly here: string };
}

const sectionsIn = (spec: Spec, scope: SectionNode["scope"]): readonly SectionNode[] =>
  spec.parts.flatMap((part) => part.sections.filter((one) => one.scope === scope));

/** Paths that differ in the names of parameters alone have one form. */
const formOf = (segments: readonly string[]): string =>
  segments.map((one) => one.replace(/\{\w*/, "{")).join("/");

function aroundOf(group: SectionNode, path: readonly string[]): Around {
  const segments = segmentsIn(groupPath(group).text);
  const at = segments.findIndex((there, index) => there !== path[index]);
  const [there, here] = [segments[at], path[at]];
  return there === undefined || here === undefined ? { group } : { group, other: { there, here } };
}

/** The groups around each endpoint, the inner ones first. */
export function groupsAround(spec: Spec): ReadonlyMap<SectionNode, readonly Around[]> {
  const groups = Map.groupBy(sectionsIn(spec, "group"), (group) =>
    formOf(segmentsIn(groupPath(group).text)),
  );
  if (groups.size === 0) return new Map();
  const found = sectionsIn(spec, "endpoint").map((endpoint) => {
    const path = endpointSegments(endpoint);
    const around = Array.from({ length: path.length + 1 }, (_, cut) => path.length - cut).flatMap(
      (length) => groups.get(formOf(path.slice(0, length))) ?? [],
    );
    return [endpoint, around.map((group) => aroundOf(group, path))] as const;
  });
  return new Map(found);
}

/** What a bullet answers: another with the same stands instead of it. */
function answered(bullet: BulletNode): string {
  const slot = bullet.key === "path" ? "param" : bullet.key === "header" ? "name" : "";
  return `${bullet.key} ${slotOf(bullet.match, slot)?.text.toLowerCase() ?? ""}`;
}

/** What a row is about: the words of its first cell. */
function aboutOf({ cells: [first] }: RowNode): string {
  const slots = first === undefined ? {} : (unfolded(first).matches[0]?.slots ?? {});
  const [slot] = Object.values(slots);
  return slot?.kind === "text" ? slot.text : "";
}

/** The tables of a group without the rows for which a nearer one stands. */
function tablesBeside(near: readonly TableNode[], far: readonly TableNode[]): TableNode[] {
  const known = new Set(
    near.flatMap(({ table, rows }) => rows.map((row) => `${table} ${aboutOf(row)}`)),
  );
  return far.map((one) => ({
    ...one,
    rows: one.rows.filter((row) => !known.has(`${one.table} ${aboutOf(row)}`)),
  }));
}

/** An endpoint with what the groups around it say; `groups`: the inner ones first. */
function written(endpoint: SectionNode, groups: readonly SectionNode[]): SectionNode {
  let { bullets, tables, steps } = endpoint;
  for (const group of groups) {
    const known = new Set(bullets.map(answered));
    bullets = [...group.bullets.filter((one) => !known.has(answered(one))), ...bullets];
    tables = [...tables, ...tablesBeside(tables, group.tables)];
    steps = [...group.steps, ...steps];
  }
  return { ...endpoint, bullets, tables, steps, groups };
}

/** How many statements groups may write into all endpoints together. */
const WRITTEN_OUT_MAX = 100_000;

/** How many statements a group writes into each of its endpoints. */
function weightOf({ bullets, tables, steps }: SectionNode): number {
  let weight = bullets.length;
  for (const { rows } of tables) weight += rows.length;
  const open = [...steps];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    weight += 1;
    for (const child of step.children) open.push(child);
    for (const one of step.cases) open.push(one.step);
  }
  return weight;
}

function emptied(group: SectionNode): SectionNode {
  return { ...group, bullets: [], tables: [], steps: [] };
}

interface WrittenOut {
  readonly spec: Spec;
  /** The first endpoint into which nothing is written, since it would be too much in all. */
  readonly beyond: SectionNode | undefined;
}

/** The specification in which endpoints have what their groups say, and groups nothing. */
export function withGroups(spec: Spec): WrittenOut {
  const around = groupsAround(spec);
  if (around.size === 0) return { spec, beyond: undefined };
  const weights = new Map(sectionsIn(spec, "group").map((group) => [group, weightOf(group)]));
  let left = WRITTEN_OUT_MAX;
  let beyond: SectionNode | undefined;
  const section = (one: SectionNode): SectionNode => {
    if (one.scope === "group") return emptied(one);
    const groups = (around.get(one) ?? []).flatMap(({ group, other }) => (other ? [] : [group]));
    for (const group of groups) left -= weights.get(group) ?? 0;
    if (left < 0) beyond ??= one;
    return groups.length === 0 || left < 0 ? one : written(one, groups);
  };
  const parts = spec.parts.map((part) => ({ ...part, sections: part.sections.map(section) }));
  return { spec: { ...spec, parts }, beyond };
}

/** What is said of an endpoint into which no more is written. */
export const TOO_LARGE =
  `What stands below paths is written out into endpoints as ${WRITTEN_OUT_MAX} statements at ` +
  "most: here it is more.";

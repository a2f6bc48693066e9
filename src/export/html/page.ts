/** What every piece of the page is made from: the document, its lines, gaps and named places. */
import { type LineTable, lineTable, positionOf, type Span } from "../../base/index.ts";
import type { Endpoint, ItemId, Machine, Plan } from "../../plan/index.ts";
import type { PartNode, SectionNode, Spec } from "../../spec/index.ts";
import type { Exportable } from "../types.ts";
import { type OpenQuestion, Questions } from "./questions.ts";
import { Ids } from "./text.ts";

/** A part or a section as a place of the page. */
export interface Place {
  readonly id: string;
  readonly part: PartNode;
  /** Undefined: the part itself. */
  readonly section?: SectionNode;
}

/** A row of a table that can be linked to. */
interface RowPlace {
  readonly id: string;
  readonly item: ItemId;
}

export interface Page {
  readonly file: string;
  readonly from: Exportable;
  readonly spec: Spec;
  readonly plan: Plan;
  readonly text: string;
  readonly ids: Ids;
  readonly questions: Pick<Questions, "all" | "within" | "of">;
  /** By the offset at which the heading stands. */
  readonly places: ReadonlyMap<number, Place>;
  /** By the line of the row. */
  readonly rows: ReadonlyMap<number, RowPlace>;
  /** The place of what a code span names. */
  readonly names: ReadonlyMap<string, string>;
  /** The place of an item that has one of its own. */
  readonly items: ReadonlyMap<ItemId, string>;
  readonly endpoints: ReadonlyMap<ItemId, Endpoint>;
  readonly machines: ReadonlyMap<ItemId, Machine>;
  /** Whether it is so long that a browser notices each element: it has fewer, and waits to draw. */
  readonly isLarge: boolean;
  lineAt(offset: number): number;
}

const LARGE = 1_000_000;

/** Sections whose first code span is a name that other code spans use. */
const NAMING: ReadonlySet<string> = new Set([
  ...["resource", "part", "view", "shape", "endpoint", "routine", "value", "call"],
  ...["webhook", "stream", "schema"],
]);

interface Found {
  readonly places: Map<number, Place>;
  readonly names: Map<string, string>;
  readonly items: Map<ItemId, string>;
}

function headingEnd(text: string, start: number): number {
  const end = text.slice(start).search(/[\r\n]/);
  return end < 0 ? text.length : start + end;
}

function placeSections(spec: Spec, ids: Ids, found: Found): void {
  for (const part of spec.parts) {
    // The span of a part is that of its title; the heading begins with its marks.
    const start = spec.text.lastIndexOf("##", part.start);
    const id = ids.take(part.id);
    found.places.set(start, { id, part });
    found.items.set(part.id, id);
    for (const section of part.sections) {
      if (section.heading === undefined) continue;
      const own = ids.take(section.id.replace("/", "-"));
      found.places.set(section.start, { id: own, part, section });
      found.items.set(section.id, own);
      if (!NAMING.has(section.scope)) continue;
      const heading = spec.text.slice(section.start, headingEnd(spec.text, section.start));
      const name = /`([^`]+)`/.exec(heading)?.[1]?.trim();
      if (name !== undefined && !found.names.has(name)) found.names.set(name, own);
    }
  }
}

/** Rows of tables that others point at: errors, events, actors, limits, transitions. */
function placeRows(from: Exportable, ids: Ids, found: Found): Map<number, RowPlace> {
  const { plan } = from;
  const rows = new Map<number, RowPlace>();
  const add = (item: ItemId, word: string, name: string, isNamed: boolean): void => {
    const line = from.lineOf(item);
    if (line === undefined || rows.has(line)) return;
    const id = ids.take(`${word}-${name}`);
    rows.set(line, { id, item });
    found.items.set(item, id);
    if (isNamed && !found.names.has(name)) found.names.set(name, id);
  };
  for (const one of plan.errors) add(one.id, "error", one.name, true);
  for (const one of plan.events) add(one.id, "event", one.name, true);
  for (const one of plan.actors) add(one.id, "actor", one.name, false);
  for (const one of plan.limits) add(one.id, "limit", one.name, false);
  for (const { resource, transitions } of plan.machines) {
    for (const one of transitions) add(one.id, "transition", `${resource}-${one.name}`, false);
  }
  return rows;
}

/** Reads all places once. Linear in the document. */
export function pageOf(from: Exportable): Page {
  const { spec, plan, file, checked } = from;
  const { text } = spec;
  const table: LineTable = lineTable(text);
  const ids = new Ids();
  for (const own of ["top", "contents", "search", "open-questions", "main"]) ids.take(own);
  const found: Found = { places: new Map(), names: new Map(), items: new Map() };
  placeSections(spec, ids, found);
  const rows = placeRows(from, ids, found);
  const questions = new Questions(checked);
  const lineAt = (offset: number): number => positionOf(table, offset).line;
  const endpoints = new Map(plan.endpoints.map((one) => [one.id, one]));
  const machines = new Map(plan.machines.map((one) => [one.id, one]));
  const known = { file, from, spec, plan, text, ids, questions, rows, endpoints, machines };
  return { ...known, isLarge: text.length > LARGE, lineAt, ...found };
}

/** The place of a question in the page. */
export const questionId = ({ number }: OpenQuestion): string => `gap-${number}`;

/** The place of a line in the page. */
export const lineId = (line: number): string => `L${line}`;

/** The line at which an item stands; undefined: it has none. */
export function lineOfItem(page: Page, item: ItemId): number | undefined {
  const span: Span | undefined = page.from.checked.origins.get(item);
  return span === undefined || span.file !== undefined ? undefined : page.lineAt(span.start);
}

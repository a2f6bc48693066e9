/** Resolves the event table. */
import type { Type } from "../../../expr/index.ts";
import type { Answer, Event } from "../../../plan/index.ts";
import type { Match, TextSlot, WrittenCell } from "../../../spec/index.ts";
import { cellGap, cellIn, rowsOf, type TableRow } from "../names/cells.ts";
import type { Collected, Place } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { resolve, withNames } from "../names/expression.ts";
import {
  firstMatch,
  isAmong,
  known,
  origin,
  type Resolver,
  sectionsOf,
  slotOf,
} from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";
import { shapeTakes } from "../steps/answering.ts";
import type { Flow } from "../steps/flow.ts";

function eventData({ r, names, section }: Place, it: Type, match: Match | undefined) {
  const shape = slotOf(match, "shape") as TextSlot;
  const view = withNames(commonNames(r, "none"), [["it", it]]);
  const flow: Flow = { section, names, kind: "effect", view, ended: false };
  const takes = shapeTakes(r, flow, shape);
  r.effects.shows.add(shape.text);
  const of = resolve(r, slotOf(match, "of") as TextSlot, view, takes).expression;
  return { shape: shape.text, of };
}

function sentTo(r: Resolver, cell: WrittenCell) {
  return cell.matches.map((match) => {
    const to = match.form as "webhook" | "stream";
    const name = slotOf(match, "name") as TextSlot;
    known(r, to, name);
    return { to, name: name.text };
  });
}

function event(names: Collected, at: TableRow): Event | undefined {
  const { r, section, row } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const aboutCell = cellIn(at, "About");
  const about = slotOf(aboutCell?.matches[0], "resource");
  if (about !== undefined) isAmong(r, about, "resource", names.resources);
  const id = origin(r, row.id, name);
  const it: Type =
    about === undefined
      ? hiddenType(cellGap(at, aboutCell, "about"))
      : { kind: "row", resource: about.text };
  const read = <T>(title: string, value: (cell: WrittenCell) => T): Answer<T> => {
    const cell = cellIn(at, title);
    if (cell === undefined || cell.status === "not shown") {
      return { is: "gap", gap: cellGap(at, cell, title.toLowerCase()) };
    }
    return cell.status === "stated"
      ? { is: "stated", id, value: value(cell) }
      : { is: cell.status, id };
  };
  const data = (): Event["data"] => {
    const isShown = (cellIn(at, "Data")?.status ?? "not shown") !== "not shown";
    return about === undefined && isShown
      ? { is: "gap", gap: cellGap(at, aboutCell, "about") }
      : read("Data", (cell) => eventData({ r, names, section }, it, cell.matches[0]));
  };
  return {
    id,
    name: name.text,
    about: about?.text ?? "",
    data: data(),
    sentTo: read("Sent to", (cell) => sentTo(r, cell)),
  };
}

/** Resolves the event tables; each event's data is shown in a shape. */
export function resolveEvents(r: Resolver, names: Collected): Event[] {
  const rows = rowsOf(r, sectionsOf(r, "events"), "events");
  return rows.flatMap((at) => event(names, at) ?? []);
}

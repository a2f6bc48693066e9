/** Resolves events, webhooks and streams. */
import type { Type } from "../../../expr/index.ts";
import type {
  Answer,
  Event,
  Expression,
  ItemId,
  Step,
  Stream,
  Webhook,
} from "../../../plan/index.ts";
import type { Match, SectionNode, TextSlot, WrittenCell } from "../../../spec/index.ts";
import { callerState, whoOf } from "../access/who.ts";
import { answer } from "../names/asking.ts";
import { type Collected, nameOf } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { BOOLEAN, resolve, type View, withNames } from "../names/expression.ts";
import { pathMembers, splitEndpoint } from "../names/path.ts";
import {
  bulletsOf,
  cellOf,
  firstMatch,
  known,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  type TableRow,
  tablesOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";
import { shapeTakes } from "../steps/answering.ts";
import { type Flow, innerStep } from "../steps/flow.ts";
import { resolveSteps } from "../steps/steps.ts";

function cellGap(r: Resolver, at: TableRow, title: string): { is: "gap"; gap: string } {
  const what = title.toLowerCase();
  const { start, end } = cellOf(at.table, at.row, title) ?? at.row;
  const node = { id: `${at.row.id}/${what}`, start, end };
  return { is: "gap", gap: shownGap(r, at.section, node, what) };
}

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

function event(r: Resolver, names: Collected, at: TableRow): Event | undefined {
  const { section, table, row } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const about = slotOf(cellOf(table, row, "About")?.matches[0], "resource");
  if (about !== undefined && !names.resources.has(about.text)) {
    unknownName(r, about, "resource", names.resources.keys());
  }
  const id = origin(r, row.id, name);
  const it: Type =
    about === undefined
      ? hiddenType(cellGap(r, at, "About").gap)
      : { kind: "row", resource: about.text };
  const data = cellOf(table, row, "Data");
  const sent = cellOf(table, row, "Sent to");
  const dataAnswer: Event["data"] =
    data === undefined || data.status === "not shown"
      ? cellGap(r, at, "Data")
      : about === undefined
        ? cellGap(r, at, "About")
        : data.status !== "stated"
          ? { is: data.status, id }
          : {
              is: "stated",
              id,
              value: eventData({ r, names, section }, it, data.matches[0]),
            };
  const sentAnswer: Event["sentTo"] =
    sent === undefined || sent.status === "not shown"
      ? cellGap(r, at, "Sent to")
      : sent.status !== "stated"
        ? { is: sent.status, id }
        : { is: "stated", id, value: sentTo(r, sent) };
  return { id, name: name.text, about: about?.text ?? "", data: dataAnswer, sentTo: sentAnswer };
}

/** Resolves the event tables; each event's data is shown in a shape. */
export function resolveEvents(r: Resolver, names: Collected): Event[] {
  return sectionsOf(r, "events").flatMap((section) =>
    tablesOf(section, "events").flatMap((table) =>
      table.rows.flatMap((row) => event(r, names, { section, table, row }) ?? []),
    ),
  );
}

interface Place {
  readonly r: Resolver;
  readonly names: Collected;
  readonly section: SectionNode;
}

function ask<T>(
  place: Place,
  question: string,
  label: string,
  read: (match: Match) => T | undefined,
): Answer<T> {
  return answer<T>(place.r, {
    question,
    key: label.toLowerCase(),
    label,
    read,
    sections: [place.section],
  });
}

/** Steps done over `receiver` by a bullet's `then`. */
function receiverSteps(place: Place, view: View, match: Match, id: string): Step[] {
  const inner = match.slots.then;
  if (inner?.kind !== "step") return [];
  const flow: Flow = {
    section: place.section,
    names: place.names,
    kind: "effect",
    view,
    ended: false,
  };
  return resolveSteps(place.r, [innerStep(inner.match, `${id}/then`)], flow).steps;
}

/** The resources that events sent to this webhook or stream are about. */
function abouts(
  r: Resolver,
  to: "webhook" | "stream",
  name: string,
  events: readonly Event[],
): string[] {
  return [
    ...new Set(
      events
        .filter(
          (one) =>
            one.sentTo.is === "stated" &&
            one.sentTo.value.some((sent) => sent.to === to && sent.name === name),
        )
        .map((one) => one.about),
    ),
  ].filter((about) => r.objects.has(`row:${about}`));
}

/** The gap of an event of which it is not shown what it is about, or where it is sent. */
function hiddenAbout(events: readonly Event[]): ItemId | undefined {
  for (const { about, data, sentTo } of events) {
    if (about === "" && data.is === "gap") return data.gap;
    if (sentTo.is === "gap") return sentTo.gap;
  }
  return undefined;
}

/** A condition over `it`, judged for each resource that the events are about. */
interface Condition {
  readonly first: Expression;
  /** Where they are about several resources. */
  readonly byAbout?: Readonly<Record<string, Expression>>;
}

function conditionOver(
  r: Resolver,
  slot: TextSlot,
  { resources, events }: { resources: readonly string[]; events: readonly Event[] },
  view: View,
): Condition {
  const [about, ...others] = resources;
  const hidden = about === undefined ? hiddenAbout(events) : undefined;
  const seen = (about: string | undefined): View =>
    about !== undefined
      ? withNames(view, [["it", { kind: "row", resource: about }]])
      : hidden === undefined
        ? view
        : withNames(view, [["it", hiddenType(hidden)]]);
  const { expression, checked } = resolve(r, slot, seen(about), BOOLEAN);
  if (about === undefined || others.length === 0 || checked.code === undefined) {
    return { first: expression };
  }
  const more = others.map((one) => [one, resolve(r, slot, seen(one), BOOLEAN).expression] as const);
  return { first: expression, byAbout: Object.fromEntries([[about, expression], ...more]) };
}

/** What the bullets of a webhook see: the row that receives. */
function receiverView(r: Resolver, said: Webhook["receivers"], resource: string): View {
  const known: Type = { kind: "row", resource };
  const receiver = said.is === "gap" ? hiddenType(said.gap) : resource === "" ? undefined : known;
  const names = commonNames(r, "none");
  return receiver === undefined ? names : withNames(names, [["receiver", receiver]]);
}

function webhook(
  r: Resolver,
  names: Collected,
  section: SectionNode,
  events: readonly Event[],
): Webhook {
  const place: Place = { r, names, section };
  const name = nameOf(section).text;
  let resource = "";
  const eventType: Type = { kind: "string", oneOf: names.events };
  const receivers = ask(place, "receivers", "Receivers", (match) => {
    const slot = slotOf(match, "resource") as TextSlot;
    if (!names.resources.has(slot.text)) {
      unknownName(r, slot, "resource", names.resources.keys());
    }
    resource = slot.text;
    const view = withNames(commonNames(r, "none"), [
      ["receiver", { kind: "row", resource }],
      ["event", eventType],
    ]);
    const about = abouts(r, "webhook", name, events);
    const where = slotOf(match, "where") as TextSlot;
    const { first, byAbout } = conditionOver(r, where, { resources: about, events }, view);
    return { resource, where: first, ...(byAbout === undefined ? {} : { byAbout }) };
  });
  const view = receiverView(r, receivers, resource);
  const expr = (match: Match, slot: string, type?: Type) =>
    resolve(r, slotOf(match, slot) as TextSlot, view, type).expression;
  return {
    id: origin(r, section.id, nameOf(section)),
    name,
    receivers,
    address: ask(place, "address", "Address", (match) =>
      expr(match, "address", { kind: "string" }),
    ),
    sends: ask(place, "sent as", "Sent as", (match) => {
      const shape = slotOf(match, "shape") as TextSlot;
      if (!names.shapes.has(shape.text)) unknownName(r, shape, "shape", names.shapes.keys());
      return { method: textOf(match, "method"), shape: shape.text };
    }),
    signature: ask(place, "signature", "Signature", (match) => ({
      form: "Standard Webhooks v1" as const,
      secret: expr(match, "secret"),
    })),
    delivered: ask(place, "delivered", "Delivered when", (match) => ({
      within: textOf(match, "time"),
    })),
    attempts: ask(place, "attempts", "Attempts", (match) =>
      textsOf(match, "durations").map((slot) => slot.text),
    ),
    afterLast: answer<readonly Step[]>(r, {
      question: "after last",
      key: "after the last attempt",
      label: "After the last attempt",
      sections: [section],
      read: (match, bullet) => receiverSteps(place, view, match, bullet.id),
    }),
    onStatus: bulletsOf([section], "answer")
      .filter((one) => one.status === "stated")
      .map((bullet) => ({
        status: Number(textOf(bullet.match, "status")),
        then: receiverSteps(place, view, bullet.match, origin(r, bullet.id, bullet)),
      })),
    guarantee: ask(place, "guarantee", "Guarantee", (match) => textOf(match, "guarantee")),
    order: ask(place, "order of arrival", "Order of arrival", () => "as they happened"),
  };
}

function stream(place: Place, events: readonly Event[], always: ReadonlySet<string>): Stream {
  const { r, names, section } = place;
  const name = nameOf(section).text;
  const who = whoOf(r, [section], "stream who");
  const parameters = `path:${name}`;
  const path = ask(place, "stream path", "Path", (match) => {
    const slot = slotOf(match, "endpoint") as TextSlot;
    const split = splitEndpoint(r, slot);
    if (split !== undefined && split.method !== "GET") {
      report(r, "bad-endpoint", slot, { message: "A stream is opened by GET." });
    }
    r.objects.set(parameters, pathMembers(r, slot, split?.path ?? []));
    return slot.text;
  });
  const view = withNames(commonNames(r, callerState(who, always)), [
    ["event", { kind: "string", oneOf: names.events }],
    ...(r.objects.has(parameters) ? [["path", { kind: "object", name: parameters }] as const] : []),
  ]);
  const about = abouts(r, "stream", name, events);
  let byAbout: Condition["byAbout"];
  return {
    id: origin(r, section.id, nameOf(section)),
    name,
    path,
    who,
    sees: ask(place, "sees", "Sees", (match) => {
      const slot = slotOf(match, "condition") as TextSlot;
      const sees = conditionOver(r, slot, { resources: about, events }, view);
      byAbout = sees.byAbout;
      return sees.first;
    }),
    ...(byAbout === undefined ? {} : { seesByAbout: byAbout }),
    resume: ask(place, "resume", "Resume", (match) => ({ kept: textOf(match, "time") })),
    ends: ask(place, "ends", "Ends", (match) => textOf(match, "time")),
  };
}

/** Resolves webhooks and streams. */
export function resolveDeliveries(
  r: Resolver,
  names: Collected,
  events: readonly Event[],
  always: ReadonlySet<string>,
): { webhooks: Webhook[]; streams: Stream[] } {
  return {
    webhooks: sectionsOf(r, "webhook").map((section) => webhook(r, names, section, events)),
    streams: sectionsOf(r, "stream").map((section) =>
      stream({ r, names, section }, events, always),
    ),
  };
}

/** Resolves events, webhooks and streams. */
import type { Type } from "../../../expr/index.ts";
import {
  type Answer,
  type Event,
  type Expression,
  type ItemId,
  isStated,
  type Step,
  type Stream,
  statedOf,
  type Webhook,
} from "../../../plan/index.ts";
import type { BulletNode, Match, TextSlot, WrittenCell } from "../../../spec/index.ts";
import { callerState, whoOf } from "../access/who.ts";
import { answer, answers, text } from "../names/asking.ts";
import { cellGap, cellIn, rowsOf, type TableRow } from "../names/cells.ts";
import { type Collected, nameOf, type Place } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { BOOLEAN, resolve, type View, withNames } from "../names/expression.ts";
import { pathMembers, splitEndpoint } from "../names/path.ts";
import {
  bulletsOf,
  firstMatch,
  isAmong,
  known,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  textOf,
  textsOf,
} from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";
import { shapeTakes } from "../steps/answering.ts";
import { type Flow, innerStep } from "../steps/flow.ts";
import { resolveSteps } from "../steps/steps.ts";

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
            isStated(one.sentTo) &&
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

/** The resources that events are about, and the events. */
interface About {
  readonly resources: readonly string[];
  readonly events: readonly Event[];
}

function conditionOver(
  r: Resolver,
  slot: TextSlot,
  { resources, events }: About,
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
function receiverView(r: Resolver, said: Webhook["receivers"]): View {
  const names = commonNames(r, "none");
  if (said.is === "gap") return withNames(names, [["receiver", hiddenType(said.gap)]]);
  const resource = statedOf(said)?.resource;
  return resource === undefined
    ? names
    : withNames(names, [["receiver", { kind: "row", resource }]]);
}

/** The rows that receive: a condition over `receiver`, `it` and `event`. */
function receiversOf({ r, names }: Place, about: About, match: Match) {
  const resource = slotOf(match, "resource") as TextSlot;
  isAmong(r, resource, "resource", names.resources);
  const view = withNames(commonNames(r, "none"), [
    ["receiver", { kind: "row", resource: resource.text }],
    ["event", { kind: "string", oneOf: names.events }],
  ]);
  const { first, byAbout } = conditionOver(r, slotOf(match, "where") as TextSlot, about, view);
  return { resource: resource.text, where: first, ...(byAbout === undefined ? {} : { byAbout }) };
}

/** The request of a message: its method, and the shape of its body. */
function messageOf({ r, names }: Place, match: Match) {
  const shape = slotOf(match, "shape") as TextSlot;
  isAmong(r, shape, "shape", names.shapes);
  return { method: textOf(match, "method"), shape: shape.text };
}

function webhook(place: Place, events: readonly Event[]): Webhook {
  const { r, section } = place;
  const name = nameOf(section);
  const about = { resources: abouts(r, "webhook", name.text, events), events };
  const receivers = answer(place, "receivers", (match) => receiversOf(place, about, match));
  const view = receiverView(r, receivers);
  const expr = (match: Match, slot: string, type?: Type) =>
    resolve(r, slotOf(match, slot) as TextSlot, view, type).expression;
  return {
    id: origin(r, section.id, name),
    name: name.text,
    receivers,
    ...answers<Webhook, "receivers">(place, {
      address: ["address", (match) => expr(match, "address", { kind: "string" })],
      sends: ["sent as", (match) => messageOf(place, match)],
      signature: [
        "signature",
        (match) => ({ form: "Standard Webhooks v1", secret: expr(match, "secret") }),
      ],
      delivered: ["delivered", (match) => ({ within: textOf(match, "time") })],
      attempts: ["attempts", (match) => textsOf(match, "durations").map((slot) => slot.text)],
      afterLast: ["after last", (match, { id }) => receiverSteps(place, view, match, id)],
      guarantee: ["guarantee", text("guarantee")],
      order: ["order of arrival", () => "as they happened"],
    }),
    onStatus: bulletsOf([section], "answer").flatMap((bullet) => afterStatus(place, view, bullet)),
  };
}

/** The steps of an `Answer` bullet; where they are not shown, a gap stands for them. */
function afterStatus(place: Place, view: View, bullet: BulletNode): Webhook["onStatus"] {
  const { match, id: written } = bullet;
  const status = Number(textOf(match, "status"));
  const id = origin(place.r, written, bullet);
  switch (bullet.status) {
    case "stated":
      return [{ status, then: receiverSteps(place, view, match, id) }];
    case "not shown": {
      const gap = shownGap(place.r, place.section, bullet, `what follows an answer \`${status}\``);
      return [{ status, then: [{ id, kind: "gap", gap }] }];
    }
    case "none":
    case "free":
      return [];
  }
}

/** The path at which a stream is opened; registers its parameters as members of `path`. */
function streamPath(r: Resolver, parameters: string, match: Match): string {
  const slot = slotOf(match, "endpoint") as TextSlot;
  const split = splitEndpoint(r, slot);
  if (split !== undefined && split.method !== "GET") {
    report(r, "bad-endpoint", slot, { message: "A stream is opened by GET." });
  }
  r.objects.set(parameters, pathMembers(r, slot, split?.path ?? []));
  return slot.text;
}

function stream(place: Place, events: readonly Event[], always: ReadonlySet<string>): Stream {
  const { r, names, section } = place;
  const name = nameOf(section);
  const who = whoOf(place, "stream who");
  const parameters = `path:${name.text}`;
  const path = answer(place, "stream path", (match) => streamPath(r, parameters, match));
  const view = withNames(commonNames(r, callerState(who, always)), [
    ["event", { kind: "string", oneOf: names.events }],
    ...(r.objects.has(parameters) ? [["path", { kind: "object", name: parameters }] as const] : []),
  ]);
  const about = { resources: abouts(r, "stream", name.text, events), events };
  let byAbout: Condition["byAbout"];
  const said = answers<Stream, "path" | "who">(place, {
    sees: [
      "sees",
      (match) => {
        const sees = conditionOver(r, slotOf(match, "condition") as TextSlot, about, view);
        byAbout = sees.byAbout;
        return sees.first;
      },
    ],
    resume: ["resume", (match) => ({ kept: textOf(match, "time") })],
    ends: ["ends", text("time")],
  });
  return {
    id: origin(r, section.id, name),
    name: name.text,
    path,
    who,
    ...said,
    ...(byAbout === undefined ? {} : { seesByAbout: byAbout }),
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
    webhooks: sectionsOf(r, "webhook").map((section) => webhook({ r, names, section }, events)),
    streams: sectionsOf(r, "stream").map((section) =>
      stream({ r, names, section }, events, always),
    ),
  };
}

/** Resolves streams: where they are opened, by whom, and what is seen there. */
import {
  type Binding,
  type Event,
  type ItemId,
  isStated,
  itemOf,
  type Stream,
  statedOf,
} from "../../../plan/index.ts";
import type { BulletNode, Match, TextSlot } from "../../../spec/index.ts";
import { callerState, whoOf } from "../access/who.ts";
import { bindings as bindingsOf, hiddenBinding } from "../endpoints/bindings.ts";
import { type AskedAt, answer, answers, text } from "../names/asking.ts";
import { nameOf, type Place } from "../names/collect.ts";
import { type CallerState, commonNames } from "../names/common.ts";
import { type View, withNames } from "../names/expression.ts";
import { pathMembers, splitEndpoint } from "../names/path.ts";
import {
  bulletsOf,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";
import { aboutOf, type Condition, conditionOver } from "./about.ts";

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

/** Whether a bullet with the key `Path` names the row of a parameter. */
const isBinding = ({ match }: BulletNode): boolean => slotOf(match, "param") !== undefined;

/** The rows that the path names, as those of an endpoint. */
function rowsOf(
  { r, names, section }: Place,
  parameters: string,
  caller: CallerState,
): Pick<Stream, "bindings" | "bindingGap"> {
  const bullets = bulletsOf([section], "path").filter(isBinding);
  if (bullets.length === 0) return {};
  const [every] = sectionsOf(r, "every endpoint");
  const path = new Map(r.objects.get(parameters));
  const [query, header, cookie, body] = [new Map(), new Map(), new Map(), new Map()];
  const found = bindingsOf(
    { r, names, section, every, id: section.id, key: nameOf(section).text },
    { path, query, header, cookie, body, unplaced: new Set() },
    bullets,
    { caller, typed: new Set() },
  );
  const gap = hiddenBinding(bullets);
  return { bindings: found, ...(gap === undefined ? {} : { bindingGap: gap }) };
}

/** The events behind which it ends: each must be sent to it. */
function endsBehind(
  { r, section }: AskedAt,
  stream: string,
  events: readonly Event[],
): Pick<Stream, "endsBehind"> {
  const [bullet] = bulletsOf([section], "ends");
  const named = textsOf(bullet?.match, "events");
  if (named.length === 0) return {};
  const sent = new Set(
    events
      .filter(
        ({ sentTo }) =>
          !isStated(sentTo) ||
          sentTo.value.some((one) => one.to === "stream" && one.name === stream),
      )
      .map((one) => one.name),
  );
  for (const one of named) {
    if (!sent.has(one.text)) unknownName(r, one, `event that is sent to \`${stream}\``, sent);
  }
  return { endsBehind: named.map((one) => one.text) };
}

/** How often something is sent where nothing happens; nothing is asked where it is not stated. */
function heartbeat(at: AskedAt): Pick<Stream, "heartbeat"> {
  const [bullet] = bulletsOf([at.section], "heartbeat");
  if (bullet === undefined) return {};
  const id = origin(at.r, bullet.id, bullet);
  switch (bullet.status) {
    case "stated":
      return { heartbeat: { is: "stated", id, value: textOf(bullet.match, "time") } };
    case "not shown":
      return { heartbeat: { is: "gap", gap: shownGap(at.r, at.section, bullet, "Heartbeat") } };
    case "none":
    case "free":
      return { heartbeat: { is: bullet.status, id } };
  }
}

/** No time is stated after which it ends. */
const untimed = (id: ItemId): Stream["ends"] => ({ is: "none", id });

/** What `Sees` sees. */
function viewOf(
  { r, names }: Place,
  caller: CallerState,
  parameters: string,
  { bindings = [], bindingGap }: { bindings?: readonly Binding[]; bindingGap?: string },
): View {
  const common = commonNames(r, caller);
  const open = bindingGap === undefined ? common : { ...common, open: bindingGap };
  return withNames(open, [
    ["event", { kind: "string", oneOf: names.events }],
    ...(r.objects.has(parameters) ? [["path", { kind: "object", name: parameters }] as const] : []),
    ...bindings.map((one) => [one.as, { kind: "row", resource: one.resource }] as const),
  ]);
}

/** Resolves one stream. */
export function resolveStream(
  place: Place,
  events: readonly Event[],
  always: ReadonlySet<string>,
): Stream {
  const { r, section } = place;
  const name = nameOf(section);
  const who = whoOf(place, "stream who");
  const caller = callerState(who, always);
  const parameters = `path:${name.text}`;
  const read = (match: Match): string => streamPath(r, parameters, match);
  const path = answer(place, "stream path", read, { only: (bullet) => !isBinding(bullet) });
  const rows = rowsOf(place, parameters, caller);
  const view = viewOf(place, caller, parameters, rows);
  const about = { resources: aboutOf(r, "stream", name.text, events), events };
  let byAbout: Condition["byAbout"];
  const said = answers<Stream, "path" | "who" | "heartbeat">(place, {
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
    ends: statedOf(said.ends) === "" ? untimed(itemOf(said.ends) ?? section.id) : said.ends,
    ...rows,
    ...endsBehind(place, name.text, events),
    ...heartbeat(place),
  };
}

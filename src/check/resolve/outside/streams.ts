/** Resolves streams: where they are opened, by whom, and what is seen there. */
import type { Event, Stream } from "../../../plan/index.ts";
import type { Match, TextSlot } from "../../../spec/index.ts";
import { callerState, whoOf } from "../access/who.ts";
import { answer, answers, text } from "../names/asking.ts";
import { nameOf, type Place } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { withNames } from "../names/expression.ts";
import { pathMembers, splitEndpoint } from "../names/path.ts";
import { origin, type Resolver, report, slotOf, textOf } from "../names/resolver.ts";
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

/** Resolves one stream. */
export function resolveStream(
  place: Place,
  events: readonly Event[],
  always: ReadonlySet<string>,
): Stream {
  const { r, names, section } = place;
  const name = nameOf(section);
  const who = whoOf(place, "stream who");
  const parameters = `path:${name.text}`;
  const path = answer(place, "stream path", (match) => streamPath(r, parameters, match));
  const view = withNames(commonNames(r, callerState(who, always)), [
    ["event", { kind: "string", oneOf: names.events }],
    ...(r.objects.has(parameters) ? [["path", { kind: "object", name: parameters }] as const] : []),
  ]);
  const about = { resources: aboutOf(r, "stream", name.text, events), events };
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

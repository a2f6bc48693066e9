/** Resolves webhooks: who receives, what is sent, how it is signed and tried again. */
import type { Type } from "../../../expr/index.ts";
import { type Event, type Step, statedOf, type Webhook } from "../../../plan/index.ts";
import type { BulletNode, Match, TextSlot } from "../../../spec/index.ts";
import { answer, answers, text } from "../names/asking.ts";
import { nameOf, type Place } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { resolve, type View, withNames } from "../names/expression.ts";
import {
  bulletsOf,
  isAmong,
  origin,
  type Resolver,
  shownGap,
  slotOf,
  textOf,
  textsOf,
} from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";
import { type Flow, innerStep } from "../steps/flow.ts";
import { resolveSteps } from "../steps/steps.ts";
import { type About, aboutOf, conditionOver } from "./about.ts";
import { headersOf, signatureOf } from "./signing.ts";

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

/** Resolves one webhook. */
export function resolveWebhook(place: Place, events: readonly Event[]): Webhook {
  const { r, section } = place;
  const name = nameOf(section);
  const about = { resources: aboutOf(r, "webhook", name.text, events), events };
  const receivers = answer(place, "receivers", (match) => receiversOf(place, about, match));
  const view = receiverView(r, receivers);
  const expr = (match: Match, slot: string, type?: Type) =>
    resolve(r, slotOf(match, slot) as TextSlot, view, type).expression;
  const said = answers<Webhook, "receivers">(place, {
    address: ["address", (match) => expr(match, "address", { kind: "string" })],
    sends: ["sent as", (match) => messageOf(place, match)],
    signature: ["signature", (match) => signatureOf(place, view, match)],
    delivered: ["delivered", (match) => ({ within: textOf(match, "time") })],
    attempts: ["attempts", (match) => textsOf(match, "durations").map((slot) => slot.text)],
    afterLast: ["after last", (match, { id }) => receiverSteps(place, view, match, id)],
    guarantee: ["guarantee", text("guarantee")],
    order: ["order of arrival", () => "as they happened"],
  });
  const headers = headersOf(place, view, said.signature);
  return {
    id: origin(r, section.id, name),
    name: name.text,
    receivers,
    ...said,
    ...(headers === undefined ? {} : { headers }),
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

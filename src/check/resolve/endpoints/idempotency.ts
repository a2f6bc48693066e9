/** Resolves the idempotency key of an endpoint and the questions that it raises. */
import type { Answer, Idempotency } from "../../../plan/index.ts";
import { type AskedAt, answers, silent, text } from "../names/asking.ts";
import { commonNames } from "../names/common.ts";
import { refusalAt, resolve } from "../names/expression.ts";
import { bulletsOf, origin, shownGap, slotOf, textOf } from "../names/resolver.ts";
import { headerView } from "./headers.ts";
import type { Objects, Place } from "./request.ts";

const TEXT = { kind: "string" } as const;

/** The idempotency key; undefined where the endpoint has none. */
export function idempotency(
  place: Place,
  objects: Objects,
  shared: Parameters<typeof headerView>[1],
): Idempotency | undefined {
  const { r, section, every } = place;
  const [bullet] = bulletsOf([section, every], "idempotency key");
  if (bullet === undefined || bullet.status === "none") return undefined;
  const name = textOf(bullet.match, "header");
  const id = origin(r, bullet.id, bullet);
  const header: Answer<string> =
    bullet.status === "stated"
      ? { is: "stated", id, value: name }
      : { is: "gap", gap: shownGap(r, section, bullet, "idempotency key") };
  if (!objects.header.has(name) && bullet.status === "stated") {
    silent(r, { question: "key needed", section, id: `${place.id}/key needed`, span: bullet });
  }
  const raisedBy = section.bullets.includes(bullet) ? section : every;
  const at: AskedAt = { r, section, every, raisedBy, span: bullet };
  const refusal = refusalAt(r, section, commonNames(r));
  const [per] = bulletsOf([section, every], "key per");
  const isWide = per?.status === "stated" && textOf(per.match, "scope") !== "";
  const [same] = bulletsOf([section, every], "same key and same body");
  const mark = slotOf(same?.match, "mark");
  const value = slotOf(same?.match, "value");
  const view = headerView(r, shared);
  return {
    id,
    header,
    ...(mark === undefined || value === undefined
      ? {}
      : { mark: { name: mark.text, value: resolve(r, value, view, TEXT).expression } }),
    ...(isWide ? { scope: "every endpoint" as const } : {}),
    ...answers<Idempotency, "header" | "mark">(at, {
      running: [
        "running",
        (match, one) => (match.slots["refusal"] === undefined ? "wait" : refusal(match, one)),
      ],
      kept: ["key kept", text("time")],
      per: ["key per", text("per")],
      sameBody: ["same body", () => "first answer again"],
      otherBody: ["other body", refusal],
      keeps: ["answers kept", text("which")],
      compares: ["bodies compared", text("what")],
    }),
  };
}

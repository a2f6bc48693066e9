/** Resolves the idempotency key of an endpoint and the questions that it raises. */
import type { Span } from "../../../base/index.ts";
import type { Answer, Idempotency, Refusal } from "../../../plan/index.ts";
import type { SectionNode } from "../../../spec/index.ts";
import { answer, silent } from "../names/asking.ts";
import { refusalSlot, resolveRefusal } from "../names/expression.ts";
import { bulletsOf, origin, shownGap, textOf } from "../names/resolver.ts";
import { type Objects, type Place, refusalPlace } from "./request.ts";

/** Where the bullet stands that raises the questions of a key. */
interface Raised {
  readonly raisedBy: SectionNode | undefined;
  readonly span: Span;
}

function refusalAnswer(
  place: Place,
  question: string,
  label: string,
  raised: Raised,
): Answer<Refusal> {
  return answer<Refusal>(place.r, {
    ...raised,
    question,
    key: label.toLowerCase(),
    label,
    sections: [place.section, place.every],
    read: (match, bullet) => {
      const slot = refusalSlot(match, "refusal");
      return slot === undefined
        ? undefined
        : resolveRefusal(place.r, slot, refusalPlace(place, bullet));
    },
  });
}

/** The idempotency key; undefined where the endpoint has none. */
export function idempotency(place: Place, objects: Objects): Idempotency | undefined {
  const { r } = place;
  const sections = [place.section, place.every] as const;
  const [bullet] = bulletsOf(sections, "idempotency key");
  if (bullet === undefined || bullet.status === "none") return undefined;
  const own = sections.find((section) => section?.bullets.includes(bullet));
  const raised: Raised = { raisedBy: own, span: bullet };
  const text = <T extends string>(question: string, label: string, slot: string): Answer<T> =>
    answer<T>(r, {
      ...raised,
      question,
      key: label.toLowerCase(),
      label,
      sections,
      read: (match) => textOf(match, slot) as T,
    });
  const name = textOf(bullet.match, "header");
  const id = origin(r, bullet.id, bullet);
  const header: Answer<string> =
    bullet.status === "stated"
      ? { is: "stated", id, value: name }
      : { is: "gap", gap: shownGap(r, place.section, bullet, "idempotency key") };
  if (!objects.header.has(name) && bullet.status === "stated") {
    silent(r, {
      question: "key needed",
      section: place.section,
      id: `${place.id}/key needed`,
      span: bullet,
    });
  }
  const running = answer<Refusal | "wait">(r, {
    ...raised,
    question: "running",
    key: "same key while the first runs",
    label: "Same key while the first runs",
    sections,
    read: (match, one) => {
      const slot = refusalSlot(match, "refusal");
      return slot === undefined ? "wait" : resolveRefusal(r, slot, refusalPlace(place, one));
    },
  });
  return {
    id,
    header,
    running,
    kept: text("key kept", "Key kept", "time"),
    per: text("key per", "Key per", "per"),
    sameBody: answer(r, {
      ...raised,
      question: "same body",
      key: "same key and same body",
      label: "Same key and same body",
      sections,
      read: () => "first answer again" as const,
    }),
    otherBody: refusalAnswer(place, "other body", "Same key and other body", raised),
    keeps: text("answers kept", "Answers kept under a key", "which"),
    compares: text("bodies compared", "Bodies are the same when", "what"),
  };
}

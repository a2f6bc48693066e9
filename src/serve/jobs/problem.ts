/** Answers of the host's own, in the form of RFC 9457: an item that is not served, a blank part. */
import { gapField, type ItemId, type NamedGap, namedGap, type Plan } from "../../plan/index.ts";
import { gapNote, type Note, type Reply } from "./job.ts";

const HEADERS: readonly string[] = ["Content-Type", "application/problem+json"];

function problem(members: Readonly<Record<string, unknown>>): Reply {
  const body = JSON.stringify({ title: "Not Implemented", status: 501, ...members });
  return { status: 501, headers: HEADERS, body };
}

/** A stated construct that this version does not serve yet: refused by name. */
export function unsupported(item: ItemId): Reply {
  const reply = problem({ detail: `Not served yet: ${item}.`, unsupported: item });
  return { ...reply, notes: [{ what: "unsupported", text: item }] };
}

/** The answer of a request that met a gap. `place`: `file:line:column`, or nothing. */
export function gapMet(gap: NamedGap, place: string): Reply {
  const { id, part, sentence, silent } = gap;
  const detail = silent
    ? `The document is silent here: ${sentence}`
    : `The document does not show this: ${sentence}`;
  const named = { id, part, sentence, place, ...(silent ? { silent } : {}) };
  const reply = problem({ detail, gap: named });
  const headers = [...reply.headers, ...gapField({ id, place })];
  return { ...reply, headers, notes: [gapNote({ id, place })] };
}

/** What is left to say of a fault when even the stated answer to it cannot be made. */
export function faultInside(...faults: readonly Note[]): Reply {
  const id = "failures/fault inside";
  const sentence = "What is answered when the service fails inside?";
  const gap = { id, part: "Errors", sentence, place: "" };
  const reply = problem({ detail: "The service failed inside.", gap });
  return { ...reply, notes: [...faults, gapNote(gap)] };
}

/** The answer of a request that met the gap of that id. */
export function gapNamed(
  { plan, placeOf }: { readonly plan: Plan; placeOf(id: ItemId): string },
  id: ItemId,
): Reply {
  const gaps = new Map(plan.gaps.map((gap) => [gap.id, gap]));
  const named = namedGap(gaps, plan.parts, id);
  return gapMet(named, placeOf(named.id));
}

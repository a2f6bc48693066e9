/** The answer of a request that met a gap, or something not served yet: 501, RFC 9457. */
import { gapField, type ItemId, namedGap } from "../../plan/index.ts";
import type { Model } from "../context/model.ts";
import type { GapMet, Response } from "../ports/index.ts";

/** What is known about a gap; what no gap is recorded for is silent. */
export function gapMet(model: Model, id: ItemId): GapMet {
  const { id: named, part, sentence, silent } = namedGap(model.gaps, model.plan.parts, id);
  return { id: named, place: placeOf(model, named), part, sentence, silent };
}

/** Where an item stands; for one without a place of its own the nearest around it that has one. */
function placeOf({ options: { origins } }: Model, id: ItemId): string {
  for (let around = id; around !== ""; around = around.slice(0, around.lastIndexOf("/"))) {
    const origin = origins?.[around];
    if (origin !== undefined) return `${origin.file}:${origin.line}:${origin.column}`;
    if (!around.includes("/")) break;
  }
  return "";
}

/** 501 with the gap that was met: its sentence and where it stands. */
export function gapResponse(gap: GapMet): Response {
  const detail = gap.silent
    ? `The document is silent about what this answer depends on: ${gap.sentence}`
    : `The document does not show what this answer depends on: ${gap.sentence}`;
  const { id, part, sentence, place, silent } = gap;
  const named = { id, part, sentence, place, ...(silent ? { silent } : {}) };
  return {
    status: 501,
    headers: [["Content-Type", "application/problem+json"], gapField(gap)],
    body: JSON.stringify({ title: "Not stated", status: 501, detail, gap: named }),
  };
}

/** 501 for a call behind which the operator has put no code. */
export function noCodeResponse(call: string): Response {
  const detail =
    `No code is behind the call ${call}: serve the document with --code, or in ` +
    "tests with --stand-in";
  return {
    status: 501,
    headers: [["Content-Type", "application/problem+json"]],
    body: JSON.stringify({ title: "No code", status: 501, detail, call }),
  };
}

/** 501 for a construct that is stated and not served yet. */
export function unsupportedResponse(item: ItemId): Response {
  const body = {
    title: "Not served",
    status: 501,
    detail: `The document states this, and it is not served yet: ${item}`,
    unsupported: item,
  };
  return {
    status: 501,
    headers: [["Content-Type", "application/problem+json"]],
    body: JSON.stringify(body),
  };
}

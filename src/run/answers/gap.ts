/** The answer of a request that met a gap, or something not served yet: 501, RFC 9457. */
import type { ItemId } from "../../plan/index.ts";
import type { Model } from "../context/model.ts";
import type { GapMet, Response } from "../ports/index.ts";

/** What is known about a gap; an unknown id is a silent item of its own. */
export function gapMet(model: Model, id: ItemId, silent: boolean): GapMet {
  const gap = model.gaps.get(id);
  const origin = model.options.origins?.[id];
  const place = origin === undefined ? "" : `${origin.file}:${origin.line}:${origin.column}`;
  return {
    id,
    place,
    part: gap?.part ?? "",
    sentence: gap?.sentence ?? id,
    silent: gap?.silent ?? silent,
  };
}

function problem(detail: string, member: string, value: object | string): Response {
  const body = { title: "Not stated", status: 501, detail, [member]: value };
  return {
    status: 501,
    headers: [["Content-Type", "application/problem+json"]],
    body: JSON.stringify(body),
  };
}

/** 501 with the gap that was met: its sentence and where it stands. */
export function gapResponse(gap: GapMet): Response {
  const detail = gap.silent
    ? `The document is silent about what this answer depends on: ${gap.sentence}`
    : `The document does not show what this answer depends on: ${gap.sentence}`;
  const { id, part, sentence, place, silent } = gap;
  return problem(detail, "gap", { id, part, sentence, place, ...(silent ? { silent } : {}) });
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

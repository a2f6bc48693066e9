/** Resolves the table of answers that an endpoint may give. */
import type { Answer, AnswerExample, StatedAnswer, ValueType } from "../../../plan/index.ts";
import type { Match } from "../../../spec/index.ts";
import { cellAnswer, cellGap, cellIn, rowsOf, type TableRow } from "../names/cells.ts";
import { firstMatch, origin, textOf } from "../names/resolver.ts";
import { valueType } from "../names/types.ts";
import type { Place } from "./request.ts";

/** The blocks `json example`; one whose words are none is left out, and told by a rule. */
export function answerExamples({ r, section }: Place): AnswerExample[] {
  return section.fences.flatMap((fence) => {
    const [status = "", media] = fence.name.text.split(" ");
    if (fence.block !== "answer example" || !/^\d{3}$/.test(status)) return [];
    const id = origin(r, fence.id, fence);
    const body = fence.content.text.trim();
    return [{ id, status: Number(status), ...(media?.includes("/") && { media }), body }];
  });
}

/** `200`, `4xx` or `any other`. */
function statusOf(match: Match | undefined): string {
  if (match?.form === "class") return textOf(match, "class");
  return match?.form === "status" ? textOf(match, "status") : "any other";
}

/** The type of a Body cell. */
function bodyOf(place: Place, at: TableRow): Answer<ValueType> {
  const cell = cellIn(at, "Body");
  const id = `${at.row.id}/body`;
  if (cell?.status === "none") return { is: "none", id };
  const slot = cell?.matches[0]?.slots.type;
  if (cell === undefined || slot?.kind !== "type") {
    return { is: "gap", gap: cellGap({ ...at, blocking: false }, cell, "body") };
  }
  const value = valueType(place.r, place.names, slot);
  return { is: "stated", id: origin(place.r, id, cell), value };
}

/** The answers in the order of their rows; undefined: the endpoint has no such table. */
export function answers(place: Place): StatedAnswer[] | undefined {
  const rows = rowsOf(place.r, [place.section], "answers");
  if (rows.length === 0) return undefined;
  return rows.map((row): StatedAnswer => {
    const at: TableRow = { ...row, blocking: false };
    return {
      id: origin(place.r, at.row.id, at.row),
      status: statusOf(firstMatch(at.row)),
      media: cellAnswer(at, "Media type", (match) => textOf(match, "media")),
      body: bodyOf(place, at),
      meaning: cellAnswer(at, "Meaning", (match) => textOf(match, "text")),
    };
  });
}

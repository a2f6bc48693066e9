/** Resolves the last part: the version, compatibility, history and deprecations. */
import { nearest, type Span } from "../../../base/index.ts";
import { changeKinds } from "../../../language/index.ts";
import { type Answer, type ItemId, statedOf, type Versioning } from "../../../plan/index.ts";
import type { Match, SectionNode } from "../../../spec/index.ts";
import { answer, keyOf, NOT_ASKED, type Read, text } from "../names/asking.ts";
import { cellAnswer, cellIn, rowsOf, type TableRow } from "../names/cells.ts";
import {
  firstMatch,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  textOf,
} from "../names/resolver.ts";

const changeNames: readonly string[] = changeKinds.map(({ name }) => name);

function textIn(at: TableRow, title: string, slot: string): string {
  return textOf(cellIn(at, title)?.matches[0], slot);
}

/** The name of a row of the history; its item has a place of its own. */
function placed(r: Resolver, at: TableRow): ItemId {
  const cell = cellIn(at, "Item");
  origin(r, `${at.row.id}/item`, slotOf(cell?.matches[0], "text") ?? at.row);
  return origin(r, at.row.id, firstOf(at));
}

function compatibility(at: TableRow): Versioning["rules"][number] {
  const slot = slotOf(firstMatch(at.row), "change");
  const change = slot?.text ?? "";
  if (slot !== undefined && !changeNames.includes(change)) {
    const near = nearest(change, changeNames);
    report(at.r, "unknown-condition", slot, {
      message: `'${change}' is no change of the closed list.`,
      hint: near === undefined ? `The list: ${changeNames.join(", ")}.` : `Nearest: ${near}.`,
    });
  }
  const verdict = cellAnswer(at, "Compatible", ({ form }) =>
    form === "yes" ? "compatible" : "breaking",
  );
  return { id: origin(at.r, at.row.id, slot ?? at.row), change, verdict };
}

/** Where a row is pointed at: the text of its first cell. */
function firstOf(at: TableRow): Span {
  const match = firstMatch(at.row);
  return slotOf(match, "text") ?? at.row.cells[0] ?? at.row;
}

/** What a bullet says of the version, or where there is none, the sentence on the whole facet. */
function schemeAnswer<T>(
  r: Resolver,
  question: "version" | "chosen by",
  read: Read<T>,
  terms: { readonly raised: boolean; readonly isIdle?: boolean },
): Answer<T> {
  const [section] = sectionsOf(r, "versioning");
  if (section === undefined) return NOT_ASKED;
  const said = section.sentences.find((sentence) => sentence.facet === "versioning scheme");
  const written = section.bullets.some((bullet) => bullet.key === keyOf(question));
  if (said === undefined || written) {
    return answer({ r, section }, question, read, terms);
  }
  if (!terms.raised) return NOT_ASKED;
  if (said.status === "not shown") {
    return { is: "gap", gap: shownGap(r, section, said, "versioning scheme") };
  }
  return { is: said.status === "free" ? "free" : "none", id: origin(r, said.id, said) };
}

function chosenBy(match: Match): { by: "path" | "header" | "query"; name: string } {
  const by =
    match.form === "chosen by path"
      ? "path"
      : match.form === "chosen by header"
        ? "header"
        : "query";
  return {
    by,
    name: textOf(match, "prefix") || textOf(match, "header") || textOf(match, "name"),
  };
}

/** Resolves versioning. `raised`: whether there is an endpoint, which raises its questions. */
export function resolveVersioning(r: Resolver, raised: boolean): Versioning {
  const [section] = sectionsOf(r, "versioning");
  const rows = (table: string): TableRow[] =>
    rowsOf(r, [section], table).map((at) => ({ ...at, blocking: false }));
  const chosen = schemeAnswer(r, "chosen by", chosenBy, { raised });
  // Only who names a version in a header or a query is answered by which one this is.
  const isIdle = chosen.is !== "gap" && [undefined, "path"].includes(statedOf(chosen)?.by);
  return {
    version: schemeAnswer(r, "version", text("version"), { raised, isIdle }),
    chosenBy: chosen,
    rules: rows("compatibility").map(compatibility),
    changes: rows("history").map((at) => ({
      id: placed(r, at),
      version: textIn(at, "Version", "text"),
      item: textIn(at, "Item", "text"),
      change: textIn(at, "Change", "text"),
      breaks: cellAnswer(at, "Breaks callers", ({ form }) => form as "yes" | "no"),
    })),
    deprecations: rows("deprecations").map((at) => ({
      id: origin(r, at.row.id, firstOf(at)),
      item: textIn(at, "Item", "text"),
      on: cellAnswer(at, "Deprecated on", text("date")),
      removed: cellAnswer(at, "Removed on", text("date")),
      instead: cellAnswer(at, "Instead", text("text")),
    })),
    ...(section === undefined ? {} : { oldVersions: oldVersions(r, section) }),
  };
}

function oldVersions(r: Resolver, section: SectionNode): Answer<string> {
  // Who serves this version serves it alone: how long those before it were served is told, no more.
  const terms = { raised: false, bullet: "Old versions", isIdle: true };
  return answer({ r, section }, "version", text("time"), terms);
}

/** Resolves the last part: the version, compatibility, history and deprecations. */

import { nearest, type Span } from "../../../base/index.ts";
import { type Code, daysOfDate, partsOf } from "../../../expr/index.ts";
import { changeKinds } from "../../../language/index.ts";
import {
  type Answer,
  type EndFields,
  EVERY_ENDPOINT,
  type ItemId,
  statedOf,
  type Versioning,
} from "../../../plan/index.ts";
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

interface Answered {
  readonly endpoints: readonly { readonly id: ItemId }[];
  readonly streams: readonly { readonly name: string }[];
}

/** Whether something is shown or done by what `service.version` is, which is not known. */
function isVersionRead(r: Resolver): boolean {
  const type = r.objects.get("service")?.get("version")?.type;
  if (type?.kind !== "unknown") return false;
  const meets = (code: Code): boolean =>
    (code.op === "gap" && code.gap === type.gap) || partsOf(code).some(meets);
  return [...r.places.keys()].some(({ code }) => meets(code));
}

/** Resolves versioning. An endpoint raises its questions. */
export function resolveVersioning(r: Resolver, { endpoints, streams }: Answered): Versioning {
  const raised = endpoints.length > 0;
  const names = endpoints.map(({ id }) => id.replace("endpoints/", ""));
  const served = new Set([...names, ...streams.map(({ name }) => name)]);
  const [section] = sectionsOf(r, "versioning");
  const rows = (table: string): TableRow[] =>
    rowsOf(r, [section], table).map((at) => ({ ...at, blocking: false }));
  const chosen = schemeAnswer(r, "chosen by", chosenBy, { raised });
  // Only who names a version in a header or a query is answered by which one this is.
  const isNamed = chosen.is === "gap" || ![undefined, "path"].includes(statedOf(chosen)?.by);
  const isIdle = !isNamed && !isVersionRead(r);
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
    ...ending(r, section, served),
    ...(section === undefined ? {} : { oldVersions: oldVersions(r, section) }),
  };
}

/** What will go, and which fields of answers tell of it. */
function ending(
  r: Resolver,
  section: SectionNode | undefined,
  served: ReadonlySet<string>,
): Pick<Versioning, "deprecations" | "endFields"> {
  const rows = rowsOf(r, [section], "deprecations").map((at) => {
    const item = textIn(at, "Item", "text");
    return { at, item, isAnswered: item === EVERY_ENDPOINT ? served.size > 0 : served.has(item) };
  });
  const isIdle = !rows.some(({ isAnswered }) => isAnswered);
  const terms = { raised: false, bullet: "Sent with deprecated endpoints", isIdle };
  const endFields = section && answer({ r, section }, "version", text<EndFields>("fields"), terms);
  const sent = statedOf(endFields) ?? "";
  return {
    ...(endFields === undefined || endFields.is === "not asked" ? {} : { endFields }),
    deprecations: rows.map(({ at, item, isAnswered }) => {
      const date = (title: string, field: EndFields): Answer<string> =>
        cellAnswer({ ...at, blocking: isAnswered && sent.includes(field) }, title, (match) => {
          const slot = slotOf(match, "date");
          if (slot !== undefined && daysOfDate(slot.text) === undefined) {
            const hint = "Write a day of the calendar, such as 2026-10-01.";
            report(r, "wrong-type", slot, { message: `\`${slot.text}\` is no date.`, hint });
          }
          return slot?.text ?? "";
        });
      return {
        id: origin(r, at.row.id, firstOf(at)),
        item,
        on: date("Deprecated on", "Deprecation"),
        removed: date("Removed on", "Sunset"),
        instead: cellAnswer({ ...at, blocking: false }, "Instead", text("text")),
      };
    }),
  };
}

function oldVersions(r: Resolver, section: SectionNode): Answer<string> {
  // What is answered by one document alone does not hang on it.
  const terms = { raised: false, bullet: "Old versions", isIdle: true };
  return answer({ r, section }, "version", text("time"), terms);
}

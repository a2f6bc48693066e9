/** Resolves the last part: the version, compatibility, history and deprecations. */
import { nearest, type Span } from "../../../base/index.ts";
import { changeKinds } from "../../../language/index.ts";
import type { Answer, Versioning } from "../../../plan/index.ts";
import type { RowNode, SectionNode, TableNode, WrittenCell } from "../../../spec/index.ts";
import { answer } from "../names/asking.ts";
import {
  cellOf,
  firstMatch,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  tablesOf,
  textOf,
} from "../names/resolver.ts";

interface Row {
  readonly r: Resolver;
  readonly section: SectionNode;
  readonly table: TableNode;
  readonly row: RowNode;
}

function rowsOf(r: Resolver, section: SectionNode | undefined, table: string): Row[] {
  if (section === undefined) return [];
  return tablesOf(section, table).flatMap((one) =>
    one.rows.map((row) => ({ r, section, table: one, row })),
  );
}

function word<T extends string>(at: Row, title: string, slot?: string): Answer<T> {
  const cell: WrittenCell | undefined = cellOf(at.table, at.row, title);
  const id = `${at.row.id}/${title.toLowerCase()}`;
  const match = cell?.matches[0];
  if (cell?.status === "none" || cell?.status === "free") return { is: cell.status, id };
  if (cell === undefined || match === undefined) {
    const { start, end } = cell ?? at.row;
    const node = { id, start, end, blocking: false };
    return { is: "gap", gap: shownGap(at.r, at.section, node, title.toLowerCase()) };
  }
  const value = slot === undefined ? match.form : textOf(match, slot);
  return { is: "stated", id: origin(at.r, id, cell), value: value as T };
}

function textIn(at: Row, title: string, slot: string): string {
  return textOf(cellOf(at.table, at.row, title)?.matches[0], slot);
}

function compatibility(at: Row): Versioning["rules"][number] {
  const slot = slotOf(firstMatch(at.row), "change");
  const change = slot?.text ?? "";
  if (slot !== undefined && !changeKinds.includes(change)) {
    const near = nearest(change, changeKinds);
    report(at.r, "unknown-condition", slot, {
      message: `'${change}' is no change of the closed list.`,
      hint: near === undefined ? `The list: ${changeKinds.join(", ")}.` : `Nearest: ${near}.`,
    });
  }
  const said = word<"yes" | "no">(at, "Compatible");
  const verdict: Answer<"compatible" | "breaking"> =
    said.is === "stated"
      ? { ...said, value: said.value === "yes" ? "compatible" : "breaking" }
      : said;
  return { id: origin(at.r, at.row.id, slot ?? at.row), change, verdict };
}

/** Where a row is pointed at: the text of its first cell. */
function firstOf(at: Row): Span {
  const match = firstMatch(at.row);
  return slotOf(match, "text") ?? at.row.cells[0] ?? at.row;
}

/** Resolves versioning. `raised`: whether there is an endpoint, which raises its questions. */
export function resolveVersioning(r: Resolver, raised: boolean): Versioning {
  const [section] = sectionsOf(r, "versioning");
  const missing = (id: string) => ({ is: "none" as const, id: `versioning/${id}` });
  const version: Versioning["version"] =
    section === undefined
      ? missing("this version")
      : answer(r, {
          question: "version",
          key: "this version",
          label: "This version",
          sections: [section],
          raised: raised && !saidFacet(section),
          read: (match) => textOf(match, "version"),
        });
  const chosenBy: Versioning["chosenBy"] =
    section === undefined
      ? missing("chosen by")
      : answer(r, {
          question: "chosen by",
          key: "chosen by",
          label: "Chosen by",
          sections: [section],
          raised: raised && !saidFacet(section),
          read: (match) => {
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
          },
        });
  return {
    version,
    chosenBy,
    rules: rowsOf(r, section, "compatibility").map(compatibility),
    changes: rowsOf(r, section, "history").map((at) => ({
      id: origin(r, at.row.id, firstOf(at)),
      version: textIn(at, "Version", "text"),
      item: textIn(at, "Item", "text"),
      change: textIn(at, "Change", "text"),
      breaks: word<"yes" | "no">(at, "Breaks callers"),
    })),
    deprecations: rowsOf(r, section, "deprecations").map((at) => ({
      id: origin(r, at.row.id, firstOf(at)),
      item: textIn(at, "Item", "text"),
      on: word(at, "Deprecated on", "date"),
      removed: word(at, "Removed on", "date"),
      instead: word(at, "Instead", "text"),
    })),
    ...(section === undefined ? {} : oldVersions(r, section)),
  };
}

/** `Versioning scheme: not shown.` answers both questions. */
function saidFacet(section: SectionNode): boolean {
  return section.sentences.some((sentence) => sentence.facet === "versioning scheme");
}

function oldVersions(r: Resolver, section: SectionNode): Pick<Versioning, "oldVersions"> {
  return {
    oldVersions: answer<string>(r, {
      question: "version",
      key: "old versions",
      label: "Old versions",
      sections: [section],
      raised: false,
      read: (match) => textOf(match, "time"),
    }),
  };
}

/** What every format of `diff` is made from: changes with their lines, judged, and the history. */
import {
  changesOf,
  type FoundChange,
  facetItem,
  type Verdict,
  verdictOf,
  worst,
} from "../../change/index.ts";
import { type Audience, changeKinds, type NamedChange } from "../../language/index.ts";
import { type ItemId, type Plan, statedOf } from "../../plan/index.ts";
import { type HistoryRow, historyLines } from "./history.ts";
import { type Both, type Place, placesOf, type Side } from "./places.ts";

/** A change, judged, with its lines. */
export interface Entry extends Both {
  readonly kind: FoundChange["kind"];
  readonly about: string;
  readonly what?: string;
  readonly was?: string;
  readonly is?: string;
  /** The title of the part of the document. */
  readonly part: string;
  readonly for: readonly Audience[];
  readonly verdict: Verdict["is"];
  /** What it asks of rows that a store keeps; undefined: nothing. */
  readonly rows?: "wider" | "narrower" | "other";
  /** Of files in OpenAPI: how many operations it reaches, and the first of them. */
  readonly operations?: number;
  readonly first?: string;
}

/** Changes of one kind that nobody judges, and why. */
export interface Unjudged {
  readonly why: Extract<Verdict, { is: "not judged" }>["why"] | "no table";
  readonly kinds: readonly string[];
  /** Where the first document says so. */
  readonly at?: Place;
}

export interface Diff {
  /** The files as they were named. */
  readonly files: { readonly before: string; readonly now: string };
  /** The file whose table judges; undefined: the first one's own does, if any. */
  readonly judge?: string;
  /** Titles of parts, in their order. */
  readonly parts: readonly string[];
  readonly entries: readonly Entry[];
  /** Kinds that are counted and not listed, except where they break callers. */
  readonly quiet: ReadonlySet<string>;
  readonly unjudged: readonly Unjudged[];
  /** Numbers of operations are lower bounds: there were too many ways to go. */
  readonly isCut?: boolean;
  /** Lines for the history that the second document lacks; none: nothing to write. */
  readonly history: readonly string[];
  /** What no kind of change names: a fault of this program. */
  readonly unnamed: readonly string[];
}

/** What is said of each kind of change. */
export const kindsByName: ReadonlyMap<string, NamedChange> = new Map(
  changeKinds.map((one) => [one.name, one]),
);

/** The title of the part in which an item stands, by the first piece of its name. */
function partIn({ parts }: Plan, item: ItemId): string {
  const [id, name] = item.split("/");
  if (id === "facet") return name ?? "";
  const at = PARTS.indexOf(id ?? "");
  return parts[at]?.name ?? "";
}

/** The first pieces of the names of items, in the order of the parts. */
const PARTS: readonly string[] = [
  "service",
  "resources",
  "states",
  "endpoints",
  "authentication",
  "events",
  "errors",
  "limits",
  "versioning",
];

/** The words behind a kind: of what it is, and from what to what. */
export function detailOf({ what, was, is }: Pick<Entry, "what" | "was" | "is">): string {
  const named = what === undefined ? "" : ` (${what})`;
  return was === undefined || is === undefined ? named : `${named}: ${was} → ${is}`;
}

/** Kinds that are not judged, by why; `place` finds where the table of `judge` says so. */
export function unjudgedOf(
  verdicts: readonly (readonly [{ readonly kind: FoundChange["kind"] }, Verdict])[],
  judge: Plan,
  place: (item: ItemId) => Place | undefined,
): readonly Unjudged[] {
  const groups = new Map<string, { why: Unjudged["why"]; at?: Place; kinds: Set<string> }>();
  for (const [{ kind }, verdict] of verdicts) {
    if (verdict.is !== "not judged") continue;
    const { why, by } = verdict;
    const item = by ?? facetItem(versioningOf(judge), "compatibility rules");
    const at = place(item);
    const key = `${why} ${at?.line ?? ""}`;
    const group = groups.get(key) ?? { why, ...(at && { at }), kinds: new Set<string>() };
    groups.set(key, group);
    group.kinds.add(kind);
  }
  return [...groups.values()].map(({ kinds, ...rest }) => ({ ...rest, kinds: [...kinds] }));
}

function versioningOf({ parts }: Plan): string {
  return parts.at(-1)?.name ?? "";
}

/** Changes of what is said of changes: a history of them would never end. */
const OF_HISTORY: ReadonlySet<string> = new Set([
  "version changed",
  "history changed",
  "compatibility changed",
  "deprecation changed",
]);

const BREAKS: Readonly<Record<Verdict["is"], HistoryRow["breaks"]>> = {
  breaking: "yes",
  compatible: "no",
  free: "not shown",
  "not judged": "not shown",
};

/** Text of a Change cell: plain words. */
function cellText(entry: Entry): string {
  return `${entry.kind}${detailOf(entry)}`.replaceAll("`", "").replaceAll("|", "\\|");
}

/** What the second document's history does not say of its own version yet. */
function historyOf(entries: readonly Entry[], before: Plan, now: Plan): readonly HistoryRow[] {
  const version = statedOf(now.versioning.version);
  const old = new Set(before.versioning.changes.map((one) => `${one.version} ${one.item}`));
  const told = new Set(
    now.versioning.changes
      .filter((one) => one.version === version && !old.has(`${one.version} ${one.item}`))
      .map((one) => one.item),
  );
  const rows = new Map<string, HistoryRow>();
  for (const entry of entries) {
    const isForCallers = entry.for.some((one) => one !== "runs");
    if (!isForCallers || OF_HISTORY.has(entry.kind) || told.has(entry.about)) continue;
    const change = cellText(entry);
    const breaks = BREAKS[entry.verdict];
    rows.set(`${entry.about} ${change}`, { version, item: entry.about, change, breaks });
  }
  return [...rows.values()];
}

/** Compares two documents; `judge` is the one whose table judges, in place of the first. */
export function diffOf(before: Side, now: Side, judge?: Side): Diff {
  const [old, own] = [before.planned.plan, now.planned.plan];
  const table = judge ?? before;
  const places = placesOf(before, now);
  const { changes, unnamed } = changesOf(old, own);
  const verdicts = changes.map(
    (change) => [change, verdictOf(change.kind, table.planned.plan)] as const,
  );
  const entries = verdicts.map(([change, verdict]): Entry => {
    const { kind, kept, before: from, now: to, ...said } = change;
    const rows = worst(kept.map(({ relation }) => relation));
    return {
      kind,
      ...said,
      part: partIn(own, to ?? from ?? ""),
      for: kindsByName.get(kind)?.for ?? [],
      verdict: verdict.is,
      ...(rows === "same" ? {} : { rows }),
      ...places({ ...(from && { before: from }), ...(to && { now: to }) }),
    };
  });
  const ofTable = placesOf(table, now);
  const rows = historyOf(entries, old, own);
  return {
    files: { before: before.report.file, now: now.report.file },
    ...(judge === undefined ? {} : { judge: judge.report.file }),
    parts: own.parts.map(({ name }) => name),
    entries,
    quiet: new Set(),
    unjudged: unjudgedOf(verdicts, table.planned.plan, (item) => ofTable({ before: item }).before),
    history: historyLines(rows, own.versioning.changes.length > 0),
    unnamed,
  };
}

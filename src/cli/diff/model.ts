/** What every format of `diff` is made from: changes with their lines, judged, and the history. */
import {
  changesOf,
  type FoundChange,
  facetItem,
  type Verdict,
  verdictOf,
  worst,
} from "../../change/index.ts";
import { type Audience, changeKinds } from "../../language/index.ts";
import { type ItemId, type Plan, statedOf } from "../../plan/index.ts";
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
}

/** Changes of one kind that nobody judges, and why. */
export interface Unjudged {
  readonly why: Extract<Verdict, { is: "not judged" }>["why"];
  readonly kinds: readonly string[];
  /** Where the first document says so. */
  readonly at?: Place;
}

export interface Diff {
  readonly before: Side;
  readonly now: Side;
  readonly entries: readonly Entry[];
  readonly unjudged: readonly Unjudged[];
  /** Rows of the history that the second document lacks; none: nothing to write. */
  readonly history: readonly HistoryRow[];
  /** What no kind of change names: a fault of this program. */
  readonly unnamed: readonly string[];
}

export interface HistoryRow {
  readonly version: string | undefined;
  readonly item: string;
  readonly change: string;
  readonly breaks: "yes" | "no" | "not shown";
}

const about = new Map(changeKinds.map((one) => [one.name, one]));

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

function unjudgedOf(
  verdicts: readonly (readonly [FoundChange, Verdict])[],
  before: Side,
  place: (item: ItemId) => Place | undefined,
): readonly Unjudged[] {
  const groups = new Map<string, { why: Unjudged["why"]; at?: Place; kinds: Set<string> }>();
  for (const [{ kind }, verdict] of verdicts) {
    if (verdict.is !== "not judged") continue;
    const { why, by } = verdict;
    const item = by ?? facetItem(versioningOf(before), "compatibility rules");
    const at = place(item);
    const key = `${why} ${at?.line ?? ""}`;
    const group = groups.get(key) ?? { why, ...(at && { at }), kinds: new Set<string>() };
    groups.set(key, group);
    group.kinds.add(kind);
  }
  return [...groups.values()].map(({ kinds, ...rest }) => ({ ...rest, kinds: [...kinds] }));
}

function versioningOf({ planned }: Side): string {
  return planned.plan.parts.at(-1)?.name ?? "";
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

/** Compares two documents. */
export function diffOf(before: Side, now: Side): Diff {
  const [old, own] = [before.planned.plan, now.planned.plan];
  const places = placesOf(before, now);
  const { changes, unnamed } = changesOf(old, own);
  const verdicts = changes.map((change) => [change, verdictOf(change.kind, old)] as const);
  const entries = verdicts.map(([change, verdict]): Entry => {
    const { kind, kept, before: from, now: to, ...said } = change;
    const rows = worst(kept.map(({ relation }) => relation));
    return {
      kind,
      ...said,
      part: partIn(own, to ?? from ?? ""),
      for: about.get(kind)?.for ?? [],
      verdict: verdict.is,
      ...(rows === "same" ? {} : { rows }),
      ...places({ ...(from && { before: from }), ...(to && { now: to }) }),
    };
  });
  return {
    before,
    now,
    entries,
    unjudged: unjudgedOf(verdicts, before, (item) => places({ before: item }).before),
    history: historyOf(entries, old, own),
    unnamed,
  };
}

/** Which of several documents a request chooses, and until when an older one is served. */
import {
  type Answer,
  durationOf,
  gapOf,
  type ItemId,
  isStated,
  type Plan,
} from "../../plan/index.ts";
import type { Storage } from "../jobs/storage.ts";
import { chosenIn, Versions } from "./versions.ts";

/** By what requests name the version of a plan: its prefix, or its text; undefined: by nothing. */
export function versionName({ versioning: { chosenBy, version } }: Plan): string | undefined {
  if (!isStated(chosenBy)) return undefined;
  if (chosenBy.value.by === "path") return chosenBy.value.name;
  return isStated(version) ? version.value : undefined;
}

/** How long a version is served when the next one is there. */
export type OldTime =
  /** Nothing says when it ends. */
  | { readonly is: "open" }
  | { readonly is: "for"; readonly micros: bigint }
  /** `document`: the index of the one that does not show it. */
  | { readonly is: "gap"; readonly gap: ItemId; readonly document: number };

/** What each document from that one on says of how long old versions are kept. */
export function saidOfOld(plans: readonly Plan[], at: number): readonly Answer<string>[] {
  return plans.slice(at).map(({ versioning }) => versioning.oldVersions ?? { is: "not asked" });
}

/** How long the version at that place is served, the oldest first; all say the same of it. */
export function oldTimeOf(plans: readonly Plan[], at: number): OldTime {
  const said = saidOfOld(plans, at);
  const stated = said.find(isStated);
  if (stated !== undefined) {
    return { is: "for", micros: durationOf(stated.value) };
  }
  const hidden = said.findIndex((one) => one.is === "gap");
  const gap = gapOf(said[hidden]);
  return gap === undefined ? { is: "open" } : { is: "gap", gap, document: at + hidden };
}

const NOTE = "versions";

/** Since when each version was served, in microseconds, by the name of the version. */
type Since = Readonly<Record<string, string>>;

function sinceIn({ notes }: Pick<Storage, "notes">): Since {
  return JSON.parse(notes.read(NOTE) ?? "{}") as Since;
}

/**
 * Notes that the versions of these plans are served from now on, where that is not noted. A time
 * that is still to come was noted by a clock that was wrong.
 */
export function noteVersions(storage: Storage, plans: readonly Plan[], now: bigint): void {
  const known = sinceIn(storage);
  const names = plans.flatMap((one) => versionName(one) ?? []);
  const late = names.filter((name) => known[name] === undefined || BigInt(known[name]) > now);
  if (late.length === 0) return;
  const added = Object.fromEntries(late.map((name) => [name, String(now)]));
  storage.begin("write");
  storage.notes.keep(NOTE, JSON.stringify({ ...known, ...added }));
  storage.commit();
}

/** What of a request names a version. */
interface Named {
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A version that is served besides the newest. */
interface Older {
  readonly name: string;
  readonly segments: readonly string[];
  /** From when on it is not served any more. Default: it always is. */
  readonly until: bigint | undefined;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((one) => one !== "");
}

/** Whether the path begins with the segments, each percent-decoded as routes are. */
function beginsWith(path: string, segments: readonly string[]): boolean {
  const own = path.slice(1).split("/", segments.length);
  return segments.every((one, at) => {
    const sent = own[at];
    if (sent === one || sent === undefined || !sent.includes("%")) return sent === one;
    try {
      return decodeURIComponent(sent) === one;
    } catch {
      return false;
    }
  });
}

/** The choice among the documents of a store. */
export class Choice {
  /** When each of the older versions ends, the oldest first; undefined: never. */
  readonly ends: readonly (bigint | undefined)[];
  private readonly older: readonly Older[];
  private readonly isByPath: boolean;
  private readonly versions: Versions;

  /** `plans`: the oldest first, the newest last. */
  constructor(plans: readonly Plan[], storage: Pick<Storage, "notes">) {
    const newest = plans.at(-1) as Plan;
    const since = sinceIn(storage);
    this.versions = new Versions(newest);
    const { chosenBy } = newest.versioning;
    this.isByPath = isStated(chosenBy) && chosenBy.value.by === "path";
    this.older = plans.slice(0, -1).map((plan, at) => {
      const name = versionName(plan) ?? "";
      const next = since[versionName(plans[at + 1] as Plan) ?? ""];
      const time = oldTimeOf(plans, at);
      const ends = time.is === "for" && next !== undefined;
      const until = ends ? BigInt(next) + time.micros : undefined;
      return { name, segments: segmentsOf(name), until };
    });
    this.ends = this.older.map(({ until }) => until);
  }

  /** The index of the older version that the request names; undefined: the newest answers it. */
  of({ path, query, headers }: Named, now: bigint): number | undefined {
    const { header, parameter } = this.versions;
    const sent = this.isByPath ? undefined : chosenIn({ header, parameter }, headers, query);
    const found = this.older.findIndex(({ name, segments }) =>
      this.isByPath ? beginsWith(path, segments) : sent === name,
    );
    if (found < 0) return undefined;
    const until = this.older[found]?.until;
    return until !== undefined && until <= now ? undefined : found;
  }
}

/** The changes between two files in OpenAPI or Swagger, judged by a table that is given. */
import { type Verdict, verdictOf } from "../../change/index.ts";
import { parts } from "../../language/index.ts";
import { type Area, compare, type Description, type FileChange } from "../../openapi/index.ts";
import { type Diff, type Entry, kindsByName, type Unjudged, unjudgedOf } from "./model.ts";
import { type Place, placesOf, type Side } from "./places.ts";

/** A description with the file that was named. */
export interface DescribedSide {
  readonly file: string;
  readonly description: Description;
}

/** The index of the part in which a change would stand. */
const PARTS: Readonly<Record<Area, number>> = {
  service: 0,
  schemas: 1,
  endpoints: 3,
  security: 4,
  events: 5,
};

/** Kinds of which there are many, and that say nothing of what may be sent or is answered. */
const QUIET: ReadonlySet<string> = new Set([
  "wording changed",
  "annotation changed",
  "named schema added",
  "named schema removed",
  "unused schema changed",
]);

/** The order in which people read verdicts. */
const ORDER: readonly Entry["verdict"][] = ["breaking", "not judged", "free", "compatible"];

/** Characters of a line that are shown before and behind a place. */
const SHOWN_BEFORE = 80;
const SHOWN_BEHIND = 160;

function placeIn({ file, description }: DescribedSide, at: FileChange["now"]): Place | undefined {
  if (at === undefined) return undefined;
  const { files } = description;
  const { line, column } = files.positionOf(at.file, at.start);
  const { text = "", name = file } = files.all[at.file] ?? {};
  const from = at.start - Math.min(column - 1, SHOWN_BEFORE);
  const [shown = ""] = text.slice(from, at.start + SHOWN_BEHIND).split(/\r?\n/);
  return { file: at.file === 0 ? file : name, line, column, text: shown.trim() };
}

const NO_TABLE = { is: "not judged", why: "no table" } as const;

/** Compares two descriptions; without a table nothing is judged. */
export function describedDiff(before: DescribedSide, now: DescribedSide, judge?: Side): Diff {
  const { changes, isCut } = compare(before.description, now.description);
  const titles = parts.map(({ title }) => title);
  const verdicts = changes.map(
    (change) =>
      [
        change,
        judge === undefined ? NO_TABLE : verdictOf(change.kind, judge.planned.plan),
      ] as const,
  );
  const entries = verdicts.map(([change, verdict]): Entry => {
    const { area, before: from, now: to, ...said } = change;
    const [old, own] = [placeIn(before, from), placeIn(now, to)];
    return {
      ...said,
      part: titles[PARTS[area]] ?? "",
      for: kindsByName.get(change.kind)?.for ?? [],
      verdict: verdict.is,
      ...(old === undefined ? {} : { before: old }),
      ...(own === undefined ? {} : { now: own }),
    };
  });
  return {
    files: { before: before.file, now: now.file },
    ...(judge === undefined ? {} : { judge: judge.report.file }),
    parts: titles,
    // The sort is stable: places stay in the order of the files.
    entries: entries.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict)),
    quiet: QUIET,
    isCut,
    unjudged: unjudged(verdicts, judge),
    history: [],
    unnamed: [],
  };
}

function unjudged(
  verdicts: readonly (readonly [FileChange, Verdict | typeof NO_TABLE])[],
  judge: Side | undefined,
): readonly Unjudged[] {
  if (judge !== undefined) {
    const place = placesOf(judge, judge);
    const judged = verdicts as readonly (readonly [FileChange, Verdict])[];
    return unjudgedOf(judged, judge.planned.plan, (item) => place({ before: item }).before);
  }
  const kinds = [...new Set(verdicts.map(([{ kind }]) => kind))];
  return kinds.length === 0 ? [] : [{ why: "no table", kinds }];
}

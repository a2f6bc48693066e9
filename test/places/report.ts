/** Tells what became of the cells: counts, and why `check` refused. */
import type { Cell, Verdict } from "./judge.ts";

export function isWrong(verdict: Verdict): verdict is Extract<Verdict, { is: "wrong" }> {
  return verdict.is === "wrong";
}

function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

const placeOf = ({ name }: Cell): string => name.split(" / ")[0] ?? "";

/** A line for each place, the kinds of wrong cells, and the refusals with an example of each. */
export function countLines(verdicts: readonly (readonly [Cell, Verdict])[]): readonly string[] {
  const of = (is: string): (readonly [Cell, Verdict])[] =>
    verdicts.filter(([, one]) => one.is === is);
  const byPlace = [...new Set(verdicts.map(([cell]) => placeOf(cell)))].map((place) => {
    const count = (is: string): number => of(is).filter(([cell]) => placeOf(cell) === place).length;
    return `${place}: served ${count("served")}, refused ${count("refused")}, wrong ${count("wrong")}`;
  });
  const refusals = new Map<string, { count: number; example: string }>();
  for (const [cell, verdict] of verdicts) {
    if (verdict.is !== "refused") continue;
    const before = refusals.get(verdict.code);
    refusals.set(verdict.code, {
      count: (before?.count ?? 0) + 1,
      example: before?.example ?? `${cell.name}: ${verdict.message}`,
    });
  }
  const kinds = counted(verdicts.flatMap(([, one]) => (isWrong(one) ? [one.kind] : [])));
  return [
    ...byPlace,
    ...[...refusals].map(
      ([code, { count, example }]) => `refused as ${code}: ${count}, such as ${example}`,
    ),
    ...kinds.map(([kind, count]) => `wrong, ${kind}: ${count}`),
    `${verdicts.length} cells: ${of("served").length} served and equal, ${of("refused").length} refused, ${of("wrong").length} wrong`,
  ];
}

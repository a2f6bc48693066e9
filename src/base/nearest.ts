/** Finds the known word nearest to an unknown one, for "did you mean" hints. */

const LENGTH_MAX = 80;

/** Edit distance (Damerau, adjacent transpositions), cut off above `limit`: O(limit * length). */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** How many candidates may be compared in one document in search of the nearest. */
const COMPARED_MAX = 250_000;

/** What is left of the comparisons that one document may take. */
export interface Budget {
  left: number;
}

/** The budget of one document. */
export function newBudget(): Budget {
  return { left: COMPARED_MAX };
}

/** Whether so many candidates may still be looked at; takes them off the budget. */
export function spend(budget: Budget, count: number): boolean {
  if (budget.left <= 0) return false;
  budget.left -= count;
  return true;
}

/** As `nearest`, as long as looking for it stays cheap; then nothing, without a look at them. */
export function nearestWithin(
  budget: Budget,
  word: string,
  candidates: Iterable<string>,
): string | undefined {
  if (budget.left <= 0) return undefined;
  const all = [...candidates];
  return spend(budget, all.length) ? nearest(word, all) : undefined;
}

const lettersOf = (word: string): string => [...word].sort().join("");

/**
 * The candidate nearest to `word`, or undefined where none is near enough to be meant. Of those as
 * near, one with the same letters; else the first.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > LENGTH_MAX) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let limit = Math.max(1, Math.floor(word.length / 3));
  let isSame = false;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const distance = editDistance(lower, other, limit);
    if (distance > limit) continue;
    if (distance === 0) return candidate;
    const hasSame = lettersOf(other) === lettersOf(lower);
    if (best !== undefined && distance === limit && (isSame || !hasSame)) continue;
    [best, isSame, limit] = [candidate, hasSame, distance];
  }
  return best;
}

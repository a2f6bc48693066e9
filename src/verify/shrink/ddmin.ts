/** Delta debugging: the fewest of some things that still do what all of them do. */

/** Says whether some of the things, in their order, still do it. */
type Test<T> = (some: readonly T[]) => boolean | Promise<boolean>;

function parts<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
  const size = all.length / count;
  return Array.from({ length: count }, (_, i) =>
    all.slice(Math.round(i * size), Math.round((i + 1) * size)),
  );
}

/**
 * Some of the things that do it, of which none can be left out: the algorithm `ddmin` of A. Zeller
 * and R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002. None
 * at all is tried first. That all of them do it is taken for granted.
 */
export async function ddmin<T>(all: readonly T[], test: Test<T>): Promise<readonly T[]> {
  if (all.length === 0 || (await test([]))) return [];
  let left = all;
  let count = 2;
  while (left.length >= 2) {
    const smaller = await smallerOf(left, count, test);
    if (smaller !== undefined) {
      [left, count] = [smaller.left, Math.max(2, smaller.count)];
    } else if (count < left.length) count = Math.min(left.length, count * 2);
    else break;
  }
  return left;
}

async function smallerOf<T>(
  all: readonly T[],
  count: number,
  test: Test<T>,
): Promise<{ readonly left: readonly T[]; readonly count: number } | undefined> {
  const some = parts(all, count);
  for (const part of some) {
    if (part.length < all.length && (await test(part))) return { left: part, count: 2 };
  }
  for (const part of count === 2 ? [] : some) {
    const rest = all.filter((one) => !part.includes(one));
    if (await test(rest)) return { left: rest, count: count - 1 };
  }
  return undefined;
}

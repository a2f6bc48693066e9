/** Counts what of the plan's vocabulary the reference has come across while somebody listens. */

const counts = new Map<string, number>();
let listening = false;

/** Notes that something of a kind was met; nothing happens while nobody listens. */
export function meet(kind: string, what: string): void {
  if (!listening) return;
  const mark = `${kind}: ${what}`;
  counts.set(mark, (counts.get(mark) ?? 0) + 1);
}

/** Listens while something runs. */
export function listen<T>(run: () => T): T {
  const before = listening;
  listening = true;
  try {
    return run();
  } finally {
    listening = before;
  }
}

/** How often each mark (`kind: what`) was met so far. */
export function reached(): ReadonlyMap<string, number> {
  return counts;
}

/** Pieces of the plan that are come to: steps, cases, transitions, refusals, failure rows. */
let passing: ((piece: object) => void) | undefined;

/** Tells that a piece of the plan was come to; nothing happens while nobody follows. */
export function pass(piece: object): void {
  passing?.(piece);
}

/** Tells of each piece that is come to while something runs. */
export function follow<T>(tell: (piece: object) => void, run: () => T): T {
  const before = passing;
  passing = tell;
  try {
    return run();
  } finally {
    passing = before;
  }
}

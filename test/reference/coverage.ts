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

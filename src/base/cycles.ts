/** Finds what leads to itself among names that lead to names. */

/**
 * Names that lead to others without end: those that are left when names that lead to none of the
 * rest are taken away, again and again. Linear; a name that leads into a cycle is among them.
 */
export function endless(next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const left = new Map([...next].map(([name, done]) => [name, done.length] as const));
  const before = new Map<string, string[]>();
  for (const [name, done] of next) {
    for (const other of done) {
      const all = before.get(other);
      if (all === undefined) before.set(other, [name]);
      else all.push(name);
    }
  }
  const unknown = [...before.keys()].filter((name) => !next.has(name));
  const open = [...unknown, ...[...left].filter(([, count]) => count === 0).map(([name]) => name)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    left.delete(name);
    for (const other of before.get(name) ?? []) {
      const count = (left.get(other) ?? 0) - 1;
      left.set(other, count);
      if (count === 0) open.push(other);
    }
  }
  return new Set(left.keys());
}

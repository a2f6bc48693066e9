/** Comparisons by which an index can be used that holds the beginnings of values alone. */
import type { Dialect } from "./dialect.ts";
import type { Scalar } from "./lowering.ts";

/** A value with its SQL, which for a given one depends on what it is compared with. */
interface Side {
  readonly scalar: Scalar;
  readonly sql: string;
}

/** The beginnings of both, where an index may hold them; undefined: it holds them whole. */
export function beginnings(dialect: Dialect, a: Side, b: Side): [string, string] | undefined {
  const isKnown = [a, b].every(({ scalar }) => scalar.is === "given" || scalar.isHeld === true);
  const of = a.scalar.is === "sql" ? a.scalar : b.scalar;
  if (!isKnown || of.is === "given") return undefined;
  const [x, y] = [dialect.beginning(a.sql, of.kind), dialect.beginning(b.sql, of.kind)];
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** What holds of beginnings where an order holds of the whole. */
const OF_BEGINNINGS: Readonly<Record<string, string>> = { "<": "<=", ">": ">=" };

/** `a = b`, `a < b` and their like. */
export function compared(dialect: Dialect, a: Side, operator: string, b: Side): string {
  const whole = `${a.sql} ${operator} ${b.sql}`;
  const by = beginnings(dialect, a, b);
  if (by === undefined) return `(${whole})`;
  return `(${by[0]} ${OF_BEGINNINGS[operator] ?? operator} ${by[1]} AND ${whole})`;
}

/** Bounds of numbers: united and intersected; knows no expression. */
import type { Bound } from "./types.ts";

const larger = (a: bigint | undefined, b: bigint | undefined) =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const smaller = (a: bigint | undefined, b: bigint | undefined) =>
  a === undefined || (b !== undefined && b < a) ? b : a;

/** What is known where both hold. */
export function bothBounds(a: Bound, b: Bound): Bound {
  const least = larger(a.least, b.least);
  const most = smaller(a.most, b.most);
  const nonZero = a.nonZero || b.nonZero;
  return {
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
    ...(nonZero ? { nonZero } : {}),
  };
}

/** What is known where one of them holds. */
export function eitherBound(a: Bound, b: Bound): Bound {
  const least =
    a.least === undefined || b.least === undefined ? undefined : smaller(a.least, b.least);
  const most = a.most === undefined || b.most === undefined ? undefined : larger(a.most, b.most);
  return {
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
    ...(neverZeroBound(a) && neverZeroBound(b) ? { nonZero: true } : {}),
  };
}

/** Whether a number so bounded is surely not zero. */
export function neverZeroBound({ least, most, nonZero }: Bound): boolean {
  return nonZero === true || (least ?? 0n) > 0n || (most ?? 0n) < 0n;
}

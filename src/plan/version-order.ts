/** Which of two versions comes later, where both are numbers joined by dots. */

/** The numbers of a version such as `1.4.0`; undefined for any other text. */
function numbersOf(version: string): number[] | undefined {
  return /^v?\d+(\.\d+)*$/.test(version)
    ? version.replace("v", "").split(".").map(Number)
    : undefined;
}

/** Whether a version comes after another; false where one of them is no such number. */
export function isLaterVersion(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  if (a === undefined || b === undefined) return false;
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    if (x !== y) return x > y;
  }
  return false;
}

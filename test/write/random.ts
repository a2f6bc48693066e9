/** Random layouts of documents for tests: the same statements, written untidily. */
import { randomFrom, testSeed } from "../random.ts";

/** Numbers below a bound, the same in every run. */
export function seeded(): { readonly seed: number; next(below: number): number } {
  const unit = randomFrom(testSeed);
  return { seed: testSeed, next: (below) => Math.floor(unit() * below) };
}

/** A document that reads the same, with other blank lines, spaces and table padding. */
export function untidy(text: string, next: (below: number) => number): string {
  let isFenced = false;
  const out: string[] = [];
  for (const line of text.split("\n")) {
    if (/^(```|~~~)/.test(line)) isFenced = !isFenced;
    const isFence = isFenced || /^(```|~~~)/.test(line);
    if (isFence || line.startsWith(">")) out.push(line);
    else if (line === "") out.push(...Array.from({ length: 1 + next(3) }, () => ""));
    else if (line.startsWith("|")) {
      out.push(
        line.replaceAll(/(?<!\\)\|/g, (bar, at: number) => {
          const before = at === 0 ? "" : " ".repeat(next(3));
          return at === line.length - 1
            ? `${before}${bar}`
            : `${before}${bar}${" ".repeat(next(3))}`;
        }),
      );
    } else if (line.startsWith("- ")) out.push(`-${" ".repeat(1 + next(3))}${line.slice(2)}`);
    else out.push(line);
  }
  return out.join("\n") + "\n".repeat(next(3));
}

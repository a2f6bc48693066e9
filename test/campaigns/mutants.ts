/** Makes mutants of the normative text of a document: one small edit each, from a seed or all. */

export interface Mutant {
  readonly kind: "delete" | "swap" | "misspell" | "drop cell" | "change number";
  readonly line: number;
  readonly text: string;
  /** The line before and after. */
  readonly before: string;
  readonly after: string;
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** Runs of characters without spaces. */
function runsOf(line: string): Run[] {
  return [...line.matchAll(/\S+/g)].map((run) => ({
    start: run.index,
    end: run.index + run[0].length,
  }));
}

function misspell(word: string): string | undefined {
  const letters = [...word.matchAll(/[A-Za-z]{2,}/g)][0];
  if (letters === undefined) return undefined;
  const at = letters.index + Math.floor((letters[0].length - 1) / 2);
  const [a, b] = [word[at] as string, word[at + 1] as string];
  return a === b
    ? `${word.slice(0, at)}q${word.slice(at + 1)}`
    : word.slice(0, at) + b + a + word.slice(at + 2);
}

type Edit = readonly [Mutant["kind"], string];

function wordEdits(line: string, runs: readonly Run[]): Edit[] {
  const edits: Edit[] = [];
  runs.forEach((run, i) => {
    const word = line.slice(run.start, run.end);
    edits.push(["delete", line.slice(0, run.start) + line.slice(run.end)]);
    const next = runs[i + 1];
    if (next !== undefined) {
      const other = line.slice(next.start, next.end);
      edits.push([
        "swap",
        line.slice(0, run.start) +
          other +
          line.slice(run.end, next.start) +
          word +
          line.slice(next.end),
      ]);
    }
    const wrong = misspell(word);
    if (wrong !== undefined) {
      edits.push(["misspell", line.slice(0, run.start) + wrong + line.slice(run.end)]);
    }
    const digit = /\d/.exec(word);
    if (digit !== null) {
      const at = run.start + digit.index;
      const other = String((Number(line[at]) + 1) % 10);
      edits.push(["change number", line.slice(0, at) + other + line.slice(at + 1)]);
    }
  });
  return edits;
}

function cellEdits(line: string): Edit[] {
  if (!line.startsWith("|")) return [];
  const bars = [...line.matchAll(/(?<!\\)\|/g)].map((bar) => bar.index);
  return bars
    .slice(0, -1)
    .map((bar, i): Edit => ["drop cell", line.slice(0, bar) + line.slice(bars[i + 1])]);
}

/** Lines that state something: no notes, no examples, nothing above the first part. */
function normative(lines: readonly string[]): number[] {
  const found: number[] = [];
  let inParts = false;
  let fence: "none" | "example" | "data" = "none";
  lines.forEach((line, i) => {
    if (line.startsWith("## ")) inParts = true;
    if (line.startsWith("```")) {
      fence = fence !== "none" ? "none" : line.startsWith("```http") ? "example" : "data";
      return;
    }
    const states = fence === "data" || (fence === "none" && !line.startsWith(">"));
    if (inParts && states && line.trim() !== "" && !/^\|[-|: ]+\|$/.test(line)) found.push(i);
  });
  return found;
}

/**
 * About `count` mutants of all documents, by the names of these; each kind is among them.
 * @param random uniform numbers in [0, 1)
 */
export function sampleOf(
  texts: readonly (readonly [name: string, text: string])[],
  count: number,
  random: () => number,
): ReadonlyMap<string, readonly Mutant[]> {
  const all = texts.flatMap(([name, text]) =>
    [...mutantsOf(text)].map((mutant) => [name, mutant] as const),
  );
  const ofKind = new Map(all.map(([, mutant]) => [mutant.kind, mutant]));
  const chosen = all.filter(
    ([, mutant]) => random() < count / all.length || ofKind.get(mutant.kind) === mutant,
  );
  return new Map(
    texts.map(([name]) => [name, chosen.flatMap(([of, one]) => (of === name ? [one] : []))]),
  );
}

/** Every mutant of the document; each differs from it. */
export function* mutantsOf(document: string): Generator<Mutant> {
  const lines = document.split("\n");
  for (const at of normative(lines)) {
    const before = lines[at] as string;
    for (const [kind, after] of [...wordEdits(before, runsOf(before)), ...cellEdits(before)]) {
      if (after.trim() === before.trim()) continue;
      yield {
        kind,
        line: at + 1,
        before,
        after,
        // Made where it is read: most mutants are only counted.
        get text() {
          return [...lines.slice(0, at), after, ...lines.slice(at + 1)].join("\n");
        },
      };
    }
  }
}

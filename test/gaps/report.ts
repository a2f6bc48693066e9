/** Prints what a campaign has found: faults at once, counts per document and in all. */
import type { ClauseKind } from "./clauses.ts";
import { type Outcome, outcomes } from "./judge.ts";

/** What a process of the campaign tells: a clause that is judged, or that a document is done. */
export type Line =
  | {
      readonly is: "clause";
      readonly subject: string;
      readonly kind: ClauseKind;
      readonly line: number;
      readonly where: string;
      readonly before: string;
      readonly outcome: Outcome;
      readonly why: string;
    }
  | { readonly is: "end"; readonly subject: string };

type Judged = Extract<Line, { is: "clause" }>;
type Tally = Map<string, number>;

const FAULTY: ReadonlySet<Outcome> = new Set(["contagious", "filled", "misnamed"]);

const PROGRESS_MS = 10_000;

const add = (tally: Tally, key: string): unknown => tally.set(key, (tally.get(key) ?? 0) + 1);

function textOf({ subject, kind, line, where, before, outcome, why }: Judged): string {
  const was = before.replaceAll(/\s+/g, " ").slice(0, 70);
  const what = kind === "answer" ? "taken away" : "not shown";
  return `${outcome} ${subject}:${line} ${where} (${what}) | ${was} | ${why}`;
}

interface Options {
  readonly seed: number;
  /** Clauses without a fault are printed, too. */
  readonly lists: boolean;
}

/** Takes the lines of all processes. */
export class Report {
  private readonly options: Options;
  private readonly started = performance.now();
  private readonly all: Tally = new Map();
  /** Reasons for which no difference can be seen. */
  private readonly reasons: Tally = new Map();
  private readonly documents = new Map<string, { readonly tally: Tally }>();
  private told = 0;

  constructor(options: Options) {
    this.options = options;
  }

  private get seconds(): number {
    return Math.round((performance.now() - this.started) / 1000);
  }

  private of(subject: string): { readonly tally: Tally } {
    const found = this.documents.get(subject) ?? { tally: new Map() };
    this.documents.set(subject, found);
    return found;
  }

  take(line: Line): void {
    const own = this.of(line.subject);
    if (line.is === "end") {
      this.ended(line.subject, own.tally);
      return;
    }
    add(this.all, line.outcome);
    add(own.tally, line.outcome);
    if (line.outcome === "unseen") add(this.reasons, line.why);
    const isFaulty = FAULTY.has(line.outcome);
    if (isFaulty || this.options.lists) console.log(textOf(line));
    if (isFaulty) {
      const { subject, line: at } = line;
      console.log(
        `  again: SEED=${this.options.seed} npm run test:gaps -- --only ${subject} --line ${at}`,
      );
    }
    this.progress(line.subject);
  }

  private progress(subject: string): void {
    if (performance.now() - this.started < (this.told + 1) * PROGRESS_MS) return;
    this.told = Math.floor((performance.now() - this.started) / PROGRESS_MS);
    console.error(`... ${subject}: ${this.counts(this.all)} (${this.seconds} s)`);
  }

  private counts(tally: Tally): string {
    const found = outcomes.filter((one) => tally.has(one));
    return found.map((one) => `${tally.get(one)} ${one}`).join(", ") || "no clauses";
  }

  private ended(subject: string, tally: Tally): void {
    console.log(`${subject}: ${this.counts(tally)} (${this.seconds} s)`);
  }

  /** Judged so far. */
  get clauses(): number {
    return [...this.all.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Prints the whole; gives the exit code. */
  end(): 0 | 1 {
    for (const [why, count] of this.reasons) console.log(`no difference: ${count}: ${why}`);
    const counts = outcomes.map((one) => `${this.all.get(one) ?? 0} ${one}`).join(", ");
    console.log(`${this.clauses} clauses: ${counts} (${this.seconds} s)`);
    return [...FAULTY].some((one) => this.all.has(one)) ? 1 : 0;
  }
}

/** What a suite said of a service, and how that is printed; must not know any suite. */

const FAILURES_MAX = 20;

export interface Outcome {
  readonly suite: string;
  /** Undefined: it did not run, and `reason` says why. */
  readonly counts?: readonly {
    readonly what: string;
    readonly passed: number;
    readonly all: number;
  }[];
  readonly reason?: string;
  /** What failed, in the suite's own words. */
  readonly failures?: readonly string[];
}

/** An outcome of a suite that cannot run here. */
export function skipped(suite: string, reason: string): Outcome {
  return { suite, reason };
}

/** Whether it ran and something failed, or nothing was counted. */
export function failed({ counts, failures = [] }: Outcome): boolean {
  if (counts === undefined) return false;
  return (
    failures.length > 0 ||
    counts.length === 0 ||
    counts.some(({ passed, all }) => all === 0 || passed !== all)
  );
}

/** One line for the suite, and one for each failure. */
export function lines(outcome: Outcome): string {
  const { suite, counts, reason, failures = [] } = outcome;
  if (counts === undefined) return `${suite}: ${reason}\n`;
  const said = counts.map(({ what, passed, all }) => `${passed} of ${all} ${what}`).join(", ");
  const verdict = failed(outcome) ? "FAILED" : "passed";
  const shown = failures
    .slice(0, FAILURES_MAX)
    .map((each) => `  ${each}\n`)
    .join("");
  const rest = failures.length - FAILURES_MAX;
  return `${suite}: ${verdict}, ${said}\n${shown}${rest > 0 ? `  … and ${rest} more\n` : ""}`;
}

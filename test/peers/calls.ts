/** Calls of an official client, each with what the real API gives; knows no service. */
import { inspect } from "node:util";
import type { Outcome } from "./outcome.ts";

/** Where what was got lacks or differs from what is wanted; undefined: nowhere. */
function difference(got: unknown, wanted: unknown, path = ""): string | undefined {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) return `${path}: ${inspect(got)} is no list`;
    if (got.length !== wanted.length) return `${path}: ${got.length} items, not ${wanted.length}`;
    for (const [i, one] of wanted.entries()) {
      const found = difference(got[i], one, `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof wanted === "object" && wanted !== null) {
    for (const [name, one] of Object.entries(wanted)) {
      const inner = (got as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      const found = difference(inner, one, path === "" ? name : `${path}.${name}`);
      if (found !== undefined) return found;
    }
    // Where nothing is wanted inside, nothing more is to be there.
    const isEmpty = Object.keys(wanted).length === 0 && path !== "";
    return isEmpty && Object.keys(got ?? {}).length > 0 ? `${path}: ${inspect(got)}` : undefined;
  }
  return Object.is(got, wanted)
    ? undefined
    : `${path}: got ${inspect(got)}, not ${inspect(wanted)}`;
}

// biome-ignore lint/suspicious/noExplicitAny: clients are driven as they are published.
type Got = any;

/** Counts calls, and notes which of them gave something else than the real API gives. */
export class Calls {
  private count = 0;
  private readonly failures: string[] = [];

  /** A call that succeeds, with at least these members. */
  call = async (name: string, run: () => Promise<unknown>, wanted: unknown): Promise<Got> => {
    this.count++;
    try {
      const got = await run();
      const found = difference(got, wanted);
      if (found !== undefined) this.failures.push(`${name}: ${found}`);
      return got;
    } catch (fault) {
      this.failures.push(`${name}: ${String(fault)}`);
      return {};
    }
  };

  /** A call that is refused with an error that has at least these members. */
  refused = async (name: string, run: () => Promise<unknown>, wanted: unknown): Promise<void> => {
    this.count++;
    try {
      this.failures.push(`${name}: gave ${inspect(await run(), { depth: 1 })}`);
    } catch (fault) {
      const found = difference(fault, wanted);
      if (found !== undefined) this.failures.push(`${name}: ${found} (${String(fault)})`);
    }
  };

  /** A row of calls; one that nothing judges and that fails ends it. */
  async within(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (fault) {
      this.count++;
      this.failures.push(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault));
    }
  }

  /** Something that is true of what was got. */
  holds(name: string, is: boolean): void {
    this.count++;
    if (!is) this.failures.push(`${name}: does not hold`);
  }

  outcome(suite: string): Outcome {
    const { count, failures } = this;
    const counts = [{ what: "calls", passed: count - failures.length, all: count }];
    return { suite, counts, failures };
  }
}

/** Which place of a cause is told, what it is called, and what is asked about it. */
import type { Description, Operation } from "../model/index.ts";
import { type Place, valueAt } from "../tree/index.ts";
import { Names, operationName } from "./names.ts";
import type { Cause, Counted } from "./types.ts";

const thousands = new Intl.NumberFormat("en-US");

/** Operations that only read. */
export const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]);

/** How much can be sent: parameters, and members of a body. */
function inputsOf({ parameters, body }: Operation, { refs }: Description): number {
  const schema = refs.map(body?.content[0]?.schema);
  const members = refs.map(schema?.get("properties"))?.keys.length ?? 0;
  return parameters.length + members + (body === undefined ? 0 : 1);
}

/**
 * The place of each operation among those that tell most: deprecated ones last, those that write
 * before those that delete, and these before those that read, those with more inputs first, else as
 * in the file.
 */
export function ranksOf(description: Description): ReadonlyMap<Operation, number> {
  const weighed = description.operations.map((it) => ({
    it,
    late: valueAt(it.node, "deprecated") === true ? 1 : 0,
    reads: READS.has(it.method) ? 2 : it.method === "DELETE" ? 1 : 0,
    inputs: inputsOf(it, description),
  }));
  const sorted = weighed.toSorted(
    (a, b) => a.late - b.late || a.reads - b.reads || b.inputs - a.inputs,
  );
  return new Map(sorted.map(({ it }, rank) => [it, rank]));
}

/** Questions that operations tell most of which only read. */
const READ: ReadonlySet<string> = new Set(["list-order", "parameter-default-absent"]);

/** Characters of a path above which what is in its middle is left out of a question. */
const PATH_MAX = 48;

function shortened(path: string): string {
  if (path.length <= PATH_MAX) return path;
  const segments = path.split("/");
  return segments.length < 6
    ? path
    : [...segments.slice(0, 3), "…", ...segments.slice(-2)].join("/");
}

/** The name as it stands in a question, with how many more there are. */
function asked(subject: string, count: number): string {
  const short = subject.replaceAll(/(?<=`[A-Z]* ?)\/[^`]*/g, shortened);
  return count < 2 ? short : `${short} (and ${thousands.format(count - 1)} more)`;
}

/** Chooses what is told of causes, one behind the other. */
export class Teller {
  readonly names: Names;
  private readonly ranks: ReadonlyMap<Operation, number>;
  /** Operations of AsyncAPI are called as they stand in the file. */
  private readonly isAsync: boolean;
  private readonly told = new Set<Operation>();

  constructor(description: Description, ranks: ReadonlyMap<Operation, number>) {
    this.names = new Names(description);
    this.ranks = ranks;
    this.isAsync = description.async !== undefined;
  }

  /**
   * Of a question the operation that tells most comes first, if no question before it has named it;
   * of what is to be mended the first in the file.
   */
  tell(counted: Counted): Cause {
    const { owners: all, isOfOperations, subject, question, ...cause } = counted;
    const owners = this.isAsync ? undefined : all;
    const at = cause.severity === "gap" ? this.best(owners ?? [], READ.has(cause.code)) : 0;
    const place = cause.places[at];
    const owner = owners?.[at];
    const isAlone = isOfOperations === true && owner !== undefined;
    const called =
      subject ?? (isAlone ? operationName(owner) : this.nameOf(place ?? cause.places[0], owner));
    return {
      ...cause,
      ...(question === undefined
        ? {}
        : { question: question.replace("@", asked(called, cause.count)) }),
      subject: called,
      places: at === 0 ? cause.places : [place as Place, ...cause.places.toSpliced(at, 1)],
    };
  }

  private nameOf(place: Place | undefined, owner: Operation | undefined): string {
    return place === undefined ? "the file" : this.names.of(place, owner);
  }

  private best(owners: readonly (Operation | undefined)[], byReading: boolean): number {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const [index, owner] of owners.entries()) {
      if (owner === undefined) continue;
      const worse =
        Number(this.told.has(owner)) + 2 * Number(byReading && !READS.has(owner.method));
      const rank = (this.ranks.get(owner) ?? 0) + worse * this.ranks.size;
      if (rank < least) [best, least] = [index, rank];
    }
    const owner = owners[best];
    if (owner !== undefined) this.told.add(owner);
    return best;
  }
}

/** The requests by which a document is judged, with its own answers; each is asked alone. */
import { textOf } from "../gaps/compare.ts";
import type { Session } from "../gaps/play.ts";
import type { Ready } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { Bench, Bound, NO_ANSWER } from "./bench.ts";
import type { Listing, Target } from "./listing.ts";
import { crossed, type Known, type Variant, variantsOf } from "./variants.ts";

/** A request on the rows that there are before a step of a session. */
export interface Probe {
  readonly what: string;
  readonly request: RawRequest;
  readonly seed: number;
  readonly target: Target;
  readonly status: number;
  /** What is asked, and the status. */
  readonly key: string;
  /** The whole answer. */
  readonly text: string;
  /** Asked of every change; others only where the line is listed and not seen to matter yet. */
  readonly core: boolean;
}

/** What is asked, and a status that it ends in, in words. */
export const keyOf = ({ name }: Target, status: number): string => `${name} -> ${status}`;

export interface Stage {
  readonly session: Session;
  /** By the step before which they are asked. */
  readonly probes: ReadonlyMap<number, readonly Probe[]>;
}

/** How many requests of an endpoint that end in one status are varied, and kept of one kind. */
const VARIED = { good: 3, bad: 2 } as const;
const KEPT = 1;
const CORE = { good: 4, bad: 1 } as const;

const CREDENTIAL = /^(authorization|cookie|x-api-key)$/i;

/** What answers of a session have shown so far. */
class Memory {
  readonly credentials = new Map<string, readonly [string, string]>();
  readonly values = new Map<string, unknown[]>();
  readonly keys = new Set<string>();
  private readonly names: ReadonlySet<string>;

  constructor({ plan }: Ready) {
    const params = plan.endpoints.flatMap((one) => one.bindings.map((each) => each.by));
    this.names = new Set([...params, ...plan.resources.flatMap((one) => one.key ?? [])]);
  }

  heard(request: RawRequest, answer: RawAnswer): void {
    for (const [name, value] of request.headers) {
      if (CREDENTIAL.test(name)) this.credentials.set(value, [name, value]);
    }
    try {
      this.take(JSON.parse(answer.body));
    } catch {
      // It is no JSON.
    }
  }

  private take(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      const known = this.values.get(name) ?? [];
      if (known.length < 50 && !known.includes(one)) this.values.set(name, [...known, one]);
      if (this.names.has(name) && ["string", "number"].includes(typeof one)) {
        this.keys.add(String(one));
      }
      this.take(one);
    }
  }

  known(ready: Ready, { endpoint }: Target): Known {
    const { plan } = ready;
    const credentials = [...this.credentials.values()].slice(-6);
    return { plan, endpoint, credentials, values: this.values, keys: [...this.keys] };
  }
}

/** Counts by key. */
class Counts {
  private readonly all = new Map<string, number>();

  /** Whether there were less than `most`, of which this is one more. */
  take(key: string, most: number): boolean {
    const count = this.all.get(key) ?? 0;
    if (count >= most) return false;
    this.all.set(key, count + 1);
    return true;
  }
}

/** An answer without what is each row's own: of an error all texts, else no more than the status. */
function kindOf({ status, body }: RawAnswer): string {
  if (status < 400) return String(status);
  return `${status} ${body.slice(0, 300).replaceAll(/"[^"]*\d[^"]*"|\d+/g, "#")}`;
}

export interface Asked {
  readonly stages: readonly Stage[];
  readonly count: number;
}

/**
 * The document that makes the rows of a session. Every second one is an earlier version, in which
 * nothing had to hold of rows: those that were kept then are there still.
 */
export function madeBy(ready: Ready, index: number): Ready {
  if (index % 2 === 0) return ready;
  const resources = ready.plan.resources.map((one) => ({
    ...one,
    invariants: one.invariants.filter(({ kind }) => kind !== "always"),
  }));
  const limits = ready.plan.limits.filter(({ counts }) => counts.is !== "rows kept");
  return { ...ready, plan: { ...ready.plan, resources, limits } };
}

/** Plays the sessions and finds what is asked. */
export async function probesOf(
  ready: Ready,
  subject: Subject,
  sessions: readonly Session[],
  listing: Listing,
): Promise<Asked> {
  const varied = new Counts();
  const kept = new Counts();
  const stages: Stage[] = [];
  let count = 0;
  for (const [index, session] of sessions.entries()) {
    const bench = new Bench(ready.plan, session.start);
    const maker = await Bound.open(bench, madeBy(ready, index), subject, true);
    const base = await Bound.open(bench, ready, subject, false);
    const memory = new Memory(ready);
    const probes = new Map<number, Probe[]>();
    for (const [at, step] of session.steps.entries()) {
      if (step.is === "move") {
        bench.now += step.micros;
        await maker.settle();
        continue;
      }
      const { request, seed } = step;
      const here: Probe[] = [];
      const queue: Variant[] = [{ what: "as it is", request }];
      for (let variant = queue.shift(); variant !== undefined; variant = queue.shift()) {
        const answer = await base.probe(variant.request, seed);
        const asked = listing.target(variant.request.method, variant.request.target);
        const { status } = answer;
        if (answer === NO_ANSWER) continue;
        const isGood = status < 400;
        const isCore = kept.take(
          `core ${asked.name} ${kindOf(answer)}`,
          isGood ? CORE.good : CORE.bad,
        );
        const isKept = kept.take(`${asked.name} ${status} ${variant.what}`, KEPT);
        if (isCore || isKept) {
          const text = textOf(answer, false);
          const key = keyOf(asked, status);
          here.push({ ...variant, seed, target: asked, status, key, text, core: isCore });
        }
        if (varied.take(keyOf(asked, status), isGood ? VARIED.good : VARIED.bad)) {
          const known = memory.known(ready, asked);
          if (isGood) queue.push(...variantsOf(variant.request, known));
          else {
            const others = crossed(variant.request, known);
            queue.push(...others.map((one) => ({ ...one, what: `${variant.what}, ${one.what}` })));
          }
        }
      }
      if (here.length > 0) probes.set(at, here);
      count += here.length;
      memory.heard(request, await maker.ask(request, seed));
      await maker.settle();
    }
    await base.stop();
    await maker.stop();
    stages.push({ session, probes });
  }
  return { stages, count };
}

/** What is known on the walk of a request, and how an end of it is noted. */
import type { NamedRow } from "../step-rows.ts";
import type { Endpoint, ErrorDefinition, ItemId, Service } from "../types/index.ts";
import type { Conditions, Refused, Stage } from "./stages.ts";
import type { Timed } from "./timed.ts";
import type { Path, Trail } from "./trail.ts";
import { Uses } from "./uses.ts";

/** One way to end. `within` are the steps around it, outermost first. */
export interface End {
  readonly id: ItemId;
  /** The step or check that is done when it is met; undefined: at any time. */
  readonly at?: ItemId;
  readonly within: readonly ItemId[];
  /** What it shows and how: the error, the shape, the fields in it. */
  readonly shown: ReadonlySet<ItemId>;
  /** What is done before it; undefined: nothing is. */
  readonly after?: Path;
  /** Undefined where it is a gap: the answer is 501 then. */
  readonly status?: number;
  readonly error?: string;
}

/** Status of an answer to who is not known. */
const CHALLENGED_STATUS = 401;

/** Status of an answer that names a gap. */
export const GAP_STATUS = 501;

export interface Walk {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly occurs: Conditions;
  readonly unread: Conditions;
  /** Several inputs can have failed at once. */
  readonly isSeveral: boolean;
  readonly ends: End[];
  readonly trail: Trail;
  readonly timed: Timed;
  /** Rows by the name that a step or a Path bullet gave them. */
  rows: Map<string, NamedRow>;
  /** Refusals of what must hold of rows that were touched: judged when an answer is given. */
  readonly pending: Map<ItemId, Refused>;
  /** Transitions that can be taken for sure, by row and transition. */
  readonly sure: Set<string>;
  /** What is done up to the last look at rows: no fault is met behind it. */
  looked: Path | undefined;
  /** What it does is kept in the end, which may fail too. */
  writes: boolean;
  /** The step or check where the walk is now. */
  at: ItemId;
  /** Routines, transitions and invariants that are being walked: no document makes this endless. */
  readonly active: Set<string>;
}

function errorOf(service: Service, name: string): ErrorDefinition | undefined {
  return service.errors.find((each) => each.name === name);
}

/** The end that a refusal makes, with all that it shows. */
export function endOf(
  walk: Walk,
  { id, refusal, together, lacks }: Refused,
  within: readonly ItemId[] = [],
): End {
  const uses = new Uses(walk.service, walk.endpoint);
  const missing = walk.service.resources.find(({ name }) => name === lacks);
  if (missing !== undefined) uses.answer(missing.startRows);
  if (together !== undefined && walk.isSeveral) {
    const reported = uses.answer(walk.service.failuresReported);
    if (reported === "all") uses.add(...together);
  }
  uses.refusal(refusal);
  const rows = [...walk.endpoint.failures, ...walk.service.failures];
  for (const one of rows.find((row) => row.id === id)?.columns ?? []) uses.answer(one.value);
  if (refusal.is === "gap") return { id, within, shown: uses.items, status: GAP_STATUS };
  uses.error(refusal.error);
  const status = errorOf(walk.service, refusal.error)?.status;
  const isChallenged = status?.is === "stated" && status.value === CHALLENGED_STATUS;
  const { schemes } = isChallenged ? walk.service : { schemes: [] };
  // RFC 9110 section 11.6.1: each 401 says how a caller can be known.
  for (const scheme of schemes) {
    uses.add(scheme.id);
    uses.answer(scheme.sent);
  }
  const isHidden = schemes.some(({ sent }) => sent.is === "gap");
  return {
    id,
    within,
    shown: uses.items,
    error: refusal.error,
    status: status?.is === "stated" && !isHidden ? status.value : GAP_STATUS,
  };
}

/** Notes an end, with what is done before it. */
export function addEnd(walk: Walk, end: End): void {
  const { at, trail } = walk;
  const { path } = trail;
  walk.ends.push(path === undefined ? { ...end, at } : { ...end, at, after: path });
}

/** Goes past what is consulted; where rows are looked at or written, a fault may end it. */
export function passes(walk: Walk, id: ItemId, all: readonly Uses[], writes = false): void {
  for (const uses of all) {
    if (uses.looked !== undefined) {
      walk.trail.pass({ id, items: walk.timed.all(uses, uses.looked), isLast: false });
      walk.looked = walk.trail.path;
    }
    walk.trail.pass({ id, items: walk.timed.all(uses), isLast: false });
  }
  if (writes) walk.looked = walk.trail.path;
  walk.writes ||= writes;
}

/** Goes past checks, with the ends that they can make. */
export function passStage(walk: Walk, id: ItemId, stages: readonly Stage[]): void {
  const all = stages.map(({ uses }) => uses);
  passes(walk, id, all);
  for (const stage of stages) for (const one of stage.ends) addEnd(walk, endOf(walk, one));
}

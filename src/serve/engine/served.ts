/** What the host passes on of a request to an endpoint, and how its inputs are read. */
import { type Endpoint, type ItemId, isStated, type Plan } from "../../plan/index.ts";
import type { InputReader, Inputs, Members, Names, Program } from "../../run/index.ts";
import { compileInputs, namesOf } from "../../run/index.ts";
import type { Credentials } from "../credentials/index.ts";
import { digest } from "../crypto/digest.ts";
import type { Job, Needs } from "../jobs/job.ts";
import type { Limits } from "../limits/limits.ts";
import { mayHash } from "../secrets/slow.ts";
import { DueReach } from "./due-reach.ts";
import { Versions } from "./versions.ts";

export interface Served {
  readonly reader: InputReader;
  readonly needs: Needs;
  /** Whether a request may need a hash that is slow by intent. */
  readonly mayHash: boolean;
  /** Whether all that is due is done before a request: it may meet rows of it. */
  readonly awaitsDue: boolean;
}

interface Parts {
  readonly plan: Plan;
  readonly program: Program;
  readonly credentials: Credentials;
}

/** What is known of the names in a plan. */
export interface PlanNames {
  readonly names: Names;
  readonly reach: DueReach;
}

/** Reads the names of a plan; how far times reach is told when it is first asked. */
export function planNames(plan: Plan): PlanNames {
  let reach: DueReach | undefined;
  return {
    names: namesOf(plan),
    get reach() {
      reach ??= new DueReach(plan);
      return reach;
    },
  };
}

/** Compiles the reading of one endpoint. */
export function servedAt(parts: Parts, known: PlanNames, index: number): Served {
  const { plan, credentials, program } = parts;
  const endpoint = endpointAt(plan, program, index);
  if (!endpoint) return notServed(program.endpoints[index]?.id ?? "");
  const reader = compileInputs(plan, endpoint, known.names);
  const identifies = readsCredentials(plan, endpoint);
  const further = identifies ? credentials.headers : [];
  const headers = [...new Set([...reader.headers, ...further, ...versionHeader(plan)])];
  const params = endpoint.path.flatMap((one) => ("param" in one ? [one.param] : []));
  const bodyHash = endpoint.idempotency !== undefined;
  const { binary } = reader;
  const needs = { headers, params, bodyHash, binary, credentials: identifies };
  const awaitsDue = isTimed(plan) && known.reach.has(endpoint);
  return { reader, needs, mayHash: mayHash(plan, endpoint), awaitsDue };
}

const NO_NEEDS: Needs = {
  headers: [],
  params: [],
  bodyHash: false,
  binary: false,
  credentials: false,
};

function versionHeader(plan: Plan): readonly string[] {
  const { header } = new Versions(plan);
  return header === undefined ? [] : [header];
}

/** An endpoint that the plan's table of endpoints does not have, such as a stream. */
function notServed(item: ItemId): Served {
  const nothing = (): never => {
    throw new Error(`nothing reads the inputs of ${item}`);
  };
  const reader = { headers: [], binary: false, unsupported: item, read: nothing };
  return { reader, needs: NO_NEEDS, mayHash: false, awaitsDue: true };
}

/** Where Who is none, or every actor of it holds always, credentials are not read. */
function readsCredentials({ actors }: Plan, { who }: Endpoint): boolean {
  return (
    isStated(who) &&
    who.value.some((name) => actors.find((actor) => actor.name === name)?.holds.is !== "always")
  );
}

function endpointAt(plan: Plan, program: Program, index: number): Endpoint | undefined {
  const id = program.endpoints[index]?.id;
  const same = plan.endpoints[index];
  return same?.id === id ? same : plan.endpoints.find((one) => one.id === id);
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The headers that a job carries, by name. */
export function headersOf(job: Job, needs: Needs): ReadonlyMap<string, string> {
  let headers: Map<string, string> | undefined;
  for (let i = 0; i < needs.headers.length; i++) {
    const value = job.headers[i];
    if (value === undefined) continue;
    headers ??= new Map();
    headers.set(needs.headers[i] ?? "", value);
  }
  return headers ?? NOTHING;
}

/** The parameters of its path, by name. */
function paramsOf(job: Job, needs: Needs): ReadonlyMap<string, string> {
  if (needs.params.length === 0) return NOTHING;
  const params = new Map<string, string>();
  for (let i = 0; i < needs.params.length; i++) {
    params.set(needs.params[i] ?? "", job.params[i] ?? "");
  }
  return params;
}

/** Whether anything happens by time: a timed transition, or an invariant to keep for a time. */
export function isTimed(plan: Plan): boolean {
  const kept = plan.resources.some((one) =>
    one.invariants.some((each) => each.kind === "kept for"),
  );
  const timed = plan.machines.some((one) =>
    one.transitions.some(({ on }) => ["time", "every", "by itself"].includes(on.is)),
  );
  return kept || timed;
}

/** The inputs of a job, as its endpoint reads them. */
export function inputsOf(
  { settings, limits }: { readonly settings: Members; readonly limits: Limits },
  job: Job,
  { reader, needs }: Served,
  headers: ReadonlyMap<string, string>,
): Inputs {
  const { query, body, bodyBytes, bodyHash, now } = job;
  const params = paramsOf(job, needs);
  const read = reader.read(
    { params, query, headers, body, bodyBytes, bodyHash },
    { now, settings, digest },
  );
  // A body past its limit is not read, so that no other check can speak of it.
  const refusal = limits.bodyRefusal(bodyBytes);
  if (refusal === undefined) return read;
  const tooLarge = { condition: "too large", field: null, in: "request", refusal } as const;
  return { ...read, failures: [tooLarge] };
}

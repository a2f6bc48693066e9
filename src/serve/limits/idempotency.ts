/** Idempotency keys: remembers first answers, in the transaction of the request they answer. */
import { createHash } from "node:crypto";
import {
  type Answer,
  beyondRows,
  durationOf,
  type Endpoint,
  gapOf,
  type Idempotency,
  type ItemId,
  isStated,
  type Plan,
  type Refusal,
  rowsOf,
  statedOf,
} from "../../plan/index.ts";
import type { CheckContext, Hooks, Response, Session } from "../../run/index.ts";
import { isJsonNumber, isJsonObject, type Json, parseJson } from "../../run/index.ts";
import { seal, unseal } from "../crypto/seal.ts";
import type { Job, Reply } from "../jobs/job.ts";
import { type Nodes, nodeOf } from "../jobs/nodes.ts";

/** Answers kept before those that are too old are taken out. */
const KEPT_AT_ONCE = 256;

/** What is stored under the hash of a key (JSON): of what request it is, and its answer, sealed. */
interface Kept {
  /** The caller to whom it was given. */
  readonly who: string;
  readonly hash: string;
  readonly sealed: string;
}

/** A first answer. What is shown but once may stand in it: it is kept sealed with the key. */
interface FirstAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string | null;
  readonly binary?: true;
}

/** The key that a request carries and has not used before. */
interface NewKey {
  /** The key with the endpoint and the group in which it is looked for; never stored. */
  readonly name: string;
  readonly hash: string;
  readonly who: string;
  readonly keeps: (status: number) => boolean;
}

export interface Keyed {
  key?: NewKey;
  /** Names of headers that are made anew for each answer. */
  anew?: readonly string[] | undefined;
  /** The work that runs with the key: the request is to be run when that has ended. */
  behind?: string;
}

interface Runs {
  readonly work: string;
  readonly hash: string;
}

function gapMet(answer: Answer<unknown>, id: string): Refusal {
  return { is: "gap", gap: gapOf(answer) ?? id };
}

/** A JSON value as one text for all texts that mean it: members sorted, numbers normalised. */
function canonical(json: Json): string {
  if (isJsonNumber(json)) {
    const [, sign = "", whole = "", fraction = "", exponent = "0"] =
      /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(json.numberText) ?? [];
    const digits = (whole + fraction).replace(/^0+/, "");
    const bare = digits.replace(/0+$/, "");
    const power = Number(exponent) - fraction.length + (digits.length - bare.length);
    return bare === "" ? "0" : `${sign}${bare}e${power}`;
  }
  if (isJsonObject(json)) {
    const members = [...json].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`)}}`;
  }
  return Array.isArray(json) ? `[${json.map(canonical)}]` : JSON.stringify(json);
}

/** The name under which the answer of a key is stored: it does not tell the key. */
function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** What is compared of a request. `route`: its endpoint, where keys are those of all of them. */
interface Compared {
  readonly job: Job;
  readonly route: string | undefined;
}

/** What two requests with one key must share: their target, and their body by bytes or values. */
function hashOf({ job, route }: Compared, compares: "bytes" | "values"): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([job.params, job.query, ...(route === undefined ? [] : [route])]));
  const parsed =
    compares === "values" && typeof job.body === "string" ? parseJson(job.body) : undefined;
  if (parsed !== undefined && "value" in parsed) hash.update(canonical(parsed.value as Json));
  else hash.update(job.bodyHash ?? job.body ?? "");
  return hash.digest("hex");
}

function keepsOf(which: string): NewKey["keeps"] {
  if (which === "every answer") return () => true;
  const most = which === "2xx answers" ? 299 : 499;
  return (status) => status >= 200 && status <= most && (status < 300 || status >= 400);
}

/** Behind the hash by bytes that by values, where it is not shown which of them is compared. */
const BOTH = "|";

/** What of a request is compared with another that has its key. */
function comparedOf(one: Compared, { compares }: Idempotency): string {
  if (isStated(compares)) return hashOf(one, compares.value);
  return [hashOf(one, "bytes"), hashOf(one, "values")].join(BOTH);
}

/** Whether two requests are the same; a gap where that depends on what is not shown. */
function isSame({ compares, id }: Idempotency, a: string, b: string): boolean | Refusal {
  const [own, other] = [a, b].map((one) => one.split(BOTH)) as [string[], string[]];
  if (isStated(compares)) {
    const of = (hashes: string[]) => hashes[compares.value === "values" ? hashes.length - 1 : 0];
    return of(own) === of(other);
  }
  const equal = own.map((one, i) => one === (other[i] ?? other[0]));
  if (equal.every((one) => one)) return true;
  return equal.some((one) => one) ? gapMet(compares, id) : false;
}

/** Which of the key's questions has no stated answer that every request with a key needs. */
function missing(key: Idempotency): Refusal | undefined {
  const asked = [key.kept, key.per, key.keeps].find((one) => !isStated(one));
  return asked === undefined ? undefined : gapMet(asked, key.id);
}

/** The endpoint as a document names it: its place in the document may be another one tomorrow. */
function routeOf({ method, path }: Endpoint): string {
  const segments = path.map((one) => {
    if ("literal" in one) return encodeURIComponent(one.literal);
    const { before = "", after = "", rest } = one;
    const param = rest ? "{...}" : "{}";
    return `${encodeURIComponent(before)}${param}${encodeURIComponent(after)}`;
  });
  return `${method} /${segments.join("/")}`;
}

/** Whether keys are the callers', and the request has none. */
function isNobodys({ per }: Idempotency, { caller }: CheckContext): boolean {
  return statedOf(per) === "caller" && caller === null;
}

/** The caller, so that two can be told apart. */
function whoOf({ caller }: CheckContext): string {
  return caller === null ? "" : `${caller.resource} ${caller.key}`;
}

function groupOf(key: Idempotency, { caller, invocation }: CheckContext): string {
  const per = statedOf(key.per) ?? "everyone";
  if (per === "caller") return `caller ${caller?.resource ?? ""} ${caller?.key ?? ""}`;
  return per === "address" ? `address ${invocation.address}` : "everyone";
}

interface Around {
  /** The keys of another plan of the store. */
  readonly beside?: Keys;
  /** Other nodes that serve on it: what runs there is found in the store. */
  readonly nodes?: Nodes | undefined;
}

/** When it was kept what runs: it is never too old. */
const NEVER_OLD = 2n ** 62n;

/** The name under which it is kept what runs with a key. */
function runsName(name: string): string {
  return nameOf(`runs ${name}`);
}

/** The idempotency keys of a plan. Those of one store share which of them are in use. */
export class Keys {
  private readonly endpoints: readonly Endpoint[];
  private readonly longest: bigint;
  /** Where it is stated that callers do not see all rows. */
  private readonly rows: ItemId | undefined;
  private kept = 0;
  /** When answers that are kept now are too old. */
  private forgetAt = 0n;
  /** Requests that wait for a call, by the key that they carry. */
  private readonly running: Map<string, Runs>;
  /** The key of each of them, by the name of its work. */
  private readonly carried: Map<string, string>;

  private readonly nodes: Nodes | undefined;

  /** `all`: every plan that keeps answers in the store. */
  constructor(plan: Plan, all: readonly Plan[] = [plan], { beside, nodes }: Around = {}) {
    this.running = beside?.running ?? new Map();
    this.carried = beside?.carried ?? new Map();
    this.nodes = beside?.nodes ?? nodes;
    this.endpoints = plan.endpoints;
    this.rows = plan.resources.flatMap((one) => rowsOf(one)?.id ?? [])[0];
    const times = all.flatMap(({ endpoints }) =>
      endpoints.flatMap(({ idempotency }) =>
        isStated(idempotency?.kept) ? [durationOf(idempotency.kept.value)] : [],
      ),
    );
    this.longest = times.reduce((most, time) => (time > most ? time : most), 0n);
  }

  /**
   * The hook that judges one job; a key not used before goes into `keyed`. `unread`: what answers a
   * body that was not read, so that it can be compared with none.
   */
  hook(job: Job, keyed: Keyed, unread?: Refusal): NonNullable<Hooks["idempotency"]> {
    return (context) => {
      const endpoint = this.endpoints[job.endpoint];
      const key = endpoint?.idempotency;
      if (endpoint === undefined || key === undefined) return undefined;
      if (!isStated(key.header)) return gapMet(key.header, key.id);
      const name = key.header.value;
      const { header } = context.invocation.inputs;
      const value = header.get(name.toLowerCase()) ?? header.get(name);
      if (typeof value !== "string" || isNobodys(key, context)) return undefined;
      return unread ?? missing(key) ?? this.judge(endpoint, key, { job, keyed, value, context });
    };
  }

  /**
   * Keeps the answer of a request with a new key; one that met a gap never is one. `fault inside`
   * is an answer as any other.
   */
  keep({ key, anew = [] }: Keyed, reply: Reply, session: Session, now: bigint): void {
    const stated = (reply.notes ?? []).every(({ what }) => what === "fault");
    if (key === undefined || !stated || !key.keeps(reply.status)) return;
    const first: FirstAnswer = {
      status: reply.status,
      headers: reply.headers.filter((_, i, all) => !anew.includes(all[i - (i % 2)] ?? "")),
      body: reply.body ?? null,
      ...(reply.binary === true ? { binary: true } : {}),
    };
    const sealed = seal(JSON.stringify(first), key.name);
    const kept: Kept = { hash: key.hash, who: key.who, sealed };
    session.answers.keep(nameOf(key.name), now, JSON.stringify(kept));
    // Also by the first one of a process: what a store was left with is old by then.
    if (this.kept++ % KEPT_AT_ONCE === 0 || now >= this.forgetAt) {
      session.answers.forget(now - this.longest + 1n);
      this.forgetAt = now + this.longest;
    }
  }

  /** A request waits for a call: its key is in use until it has ended. */
  waits({ key }: Keyed, work: string, { answers }: Session): void {
    if (key === undefined) return;
    const runs: Runs = { work, hash: key.hash };
    this.running.set(key.name, runs);
    this.carried.set(work, key.name);
    if (this.nodes !== undefined) answers.keep(runsName(key.name), NEVER_OLD, JSON.stringify(runs));
  }

  /** The request has ended. */
  ended(work: string, { answers }: Session): void {
    const name = this.carried.get(work);
    if (name === undefined) return;
    this.carried.delete(work);
    if (this.running.get(name)?.work === work) this.running.delete(name);
    if (this.nodes !== undefined) answers.keep(runsName(name), 0n, "");
  }

  /** Which work runs with a key, here or at another node. */
  private runs(name: string, { answers }: Session): Runs | undefined {
    const own = this.running.get(name);
    if (own !== undefined || this.nodes === undefined) return own;
    const text = answers.kept(runsName(name), NEVER_OLD);
    if (text === undefined) return undefined;
    const runs = JSON.parse(text) as Runs;
    const node = nodeOf(runs.work);
    // What this node runs it knows by itself.
    return node === this.nodes.own() || this.nodes.isGone(node) ? undefined : runs;
  }

  /** A transaction was undone: who runs with which key is not known any more. */
  reset(): void {
    this.running.clear();
    this.carried.clear();
  }

  /** What a request gets while another with its key runs; undefined: it is to be run later. */
  private busy(
    key: Idempotency,
    { work, hash }: Runs,
    at: { hash: string; keyed: Keyed },
  ): Refusal | Response {
    const same = isSame(key, hash, at.hash);
    if (typeof same !== "boolean") return same;
    if (!same) {
      return statedOf(key.otherBody) ?? gapMet(key.otherBody, key.id);
    }
    if (!isStated(key.running)) return gapMet(key.running, key.id);
    if (key.running.value !== "wait") return key.running.value;
    at.keyed.behind = work;
    return { status: 503, headers: [], body: undefined };
  }

  private judge(
    endpoint: Endpoint,
    key: Idempotency,
    at: { job: Job; keyed: Keyed; value: string; context: CheckContext },
  ): Refusal | Response | undefined {
    const { job, keyed, context } = at;
    const isWide = key.scope !== undefined;
    const route = routeOf(endpoint);
    const name = JSON.stringify([isWide ? "*" : route, groupOf(key, context), at.value]);
    const hash = comparedOf({ job, route: isWide ? route : undefined }, key);
    const time = isStated(key.kept) ? durationOf(key.kept.value) : 0n;
    const found = context.session.answers.kept(nameOf(name), context.ambient.now - time + 1n);
    if (found === undefined) {
      const runs = this.runs(name, context.session);
      if (runs !== undefined && runs.work !== job.replay?.work) {
        return this.busy(key, runs, { hash, keyed });
      }
      keyed.key = { name, hash, who: whoOf(context), keeps: keepsOf(statedOf(key.keeps) ?? "") };
      return undefined;
    }
    const kept = JSON.parse(found) as Kept;
    const same = isSame(key, kept.hash, hash);
    if (typeof same !== "boolean") return same;
    if (!same) {
      return statedOf(key.otherBody) ?? gapMet(key.otherBody, key.id);
    }
    // What another caller was answered may show rows that are kept from this one.
    if (this.rows !== undefined && kept.who !== whoOf(context)) {
      return { is: "gap", gap: beyondRows(this.rows, "the answer under a key") };
    }
    if (!isStated(key.sameBody)) return gapMet(key.sameBody, key.id);
    const record = JSON.parse(unseal(kept.sealed, name)) as FirstAnswer;
    const headers = record.headers.flatMap((header, i): [string, string][] =>
      i % 2 === 0 ? [[header, record.headers[i + 1] ?? ""]] : [],
    );
    const { status, body, binary } = record;
    return { status, headers, body: body ?? undefined, ...(binary === true ? { binary } : {}) };
  }
}

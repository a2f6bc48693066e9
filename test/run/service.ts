/** A service of a document on a store, without a socket: requests in, outcomes out, clock by hand. */

import { check, plan } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import {
  type Ambient,
  compile,
  compileInputs,
  type Hooks,
  type InputReader,
  type Inputs,
  type Members,
  type Outcome,
  type Presented,
  type Program,
} from "../../src/run/index.ts";
import { type OpenStore, openStore, type StoreOptions } from "../../src/store/index.ts";
import { digest } from "./digest.ts";

/** The plan of a document; throws with its findings where it has errors. */
export function planOf(text: string): Plan {
  const checked = check(read(new TextEncoder().encode(text)));
  const planned = plan(checked);
  if (planned === undefined) {
    const found = checked.findings.filter(
      (one) => one.severity === "error" && one.code !== "silent",
    );
    throw new Error(found.map((one) => `${one.code}: ${one.message}`).join("\n"));
  }
  return planned.plan;
}

export interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly presented?: readonly Presented[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  /** The body as JSON. */
  readonly json: never;
  readonly outcome: Outcome;
}

/** Random bytes from a seed: a run can be repeated. */
export function seededRandom(seed: number): (bytes: number) => Uint8Array {
  let state = seed >>> 0;
  return (bytes) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    });
}

export interface ServiceOptions {
  readonly store?: StoreOptions["store"];
  readonly hooks?: Hooks;
  readonly settings?: Members;
  readonly seed?: number;
  readonly rows?: ReadonlyMap<string, readonly Members[]>;
}

/** One service under test. */
export class Service {
  readonly plan: Plan;
  readonly program: Program;
  readonly store: OpenStore;
  now = 1_800_000_000_000_000n;
  readonly #readers: InputReader[] = [];
  readonly #random: (bytes: number) => Uint8Array;
  readonly #options: ServiceOptions;

  constructor(document: string | Plan, options: ServiceOptions = {}) {
    this.plan = typeof document === "string" ? planOf(document) : document;
    this.program = compile(this.plan);
    this.store = openStore(this.plan, { store: options.store ?? "memory", mode: "write" });
    this.#random = seededRandom(options.seed ?? 1);
    this.#options = options;
    if (this.store.unfilled.size > 0) {
      this.store.begin("write");
      this.program.start(this.store.session, this.ambient, { given: options.rows });
      this.store.commit();
    }
  }

  get ambient(): Ambient {
    const { hooks = {}, settings = new Map() } = this.#options;
    return { now: this.now, random: this.#random, digest, hooks, settings };
  }

  #inputs(index: number, target: string, sent: Sent, params: ReadonlyMap<string, string>): Inputs {
    const endpoint = this.plan.endpoints[index];
    if (endpoint === undefined) throw new Error("no such endpoint");
    this.#readers[index] ??= compileInputs(this.plan, endpoint);
    const headers = new Map(Object.entries(sent.headers ?? {}));
    if (sent.body !== undefined && !headers.has("content-type")) {
      headers.set("content-type", "application/json");
    }
    return (this.#readers[index] as InputReader).read(
      {
        params,
        headers,
        body: sent.body,
        query: target.split("?")[1] ?? "",
        bodyBytes: sent.body?.length ?? 0,
      },
      { now: this.now, settings: this.#options.settings ?? new Map(), digest },
    );
  }

  private count = 0;

  /** Runs a request in a transaction of its own. */
  request(method: string, target: string, sent: Sent = {}): Reply {
    const match = this.program.match(method, target.split("?")[0] ?? "");
    this.store.begin("write");
    let outcome: Outcome;
    const { session } = this.store;
    if (match.is === "gap" || match.is === "options") {
      throw new Error(`the host answers what is ${match.is}`);
    }
    const asked = { id: `r${++this.count}`, method, url: target };
    if (match.is !== "endpoint") {
      const allow = "allow" in match ? { allow: match.allow } : {};
      outcome = this.program.fail({ condition: match.is, asked, ...allow }, session, this.ambient);
    } else {
      const inputs = this.#inputs(match.endpoint, target, sent, match.params);
      const presented = sent.presented ?? this.plan.schemes.map(() => ({ is: "none" as const }));
      outcome = this.program.execute(
        { endpoint: match.endpoint, asked, inputs, presented, address: "127.0.0.1" },
        session,
        this.ambient,
      );
    }
    this.store.commit();
    const { response } = outcome;
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: response.body,
      get json(): never {
        return JSON.parse(response.body ?? "null") as never;
      },
      outcome,
    };
  }

  /** Fires what is due now. */
  fire(): ReturnType<Program["fireDue"]> {
    this.store.begin("write");
    const fired = this.program.fireDue(this.store.session, this.ambient, 100);
    this.store.commit();
    return fired;
  }

  close(): void {
    this.store.close();
  }
}

/** Lets callers in where few are left whom a service lets in, and few may be let in anew. */
import type { Endpoint } from "../../plan/index.ts";
import { asksWho, type Caller, callersKnown } from "../generate/credentials.ts";
import { type Exploring, makingOf } from "../generate/explore.ts";
import { requestTo } from "../generate/requests.ts";
import { doorsOf } from "../generate/scarce.ts";
import type { Walk } from "./walk.ts";

/** With fewer callers another one is let in first, by that chance, with so many tries. */
const CALLERS_MIN = 4;
const LET_IN = 0.5;
const TRIES = 6;

/** Knows how many callers there are that come in. */
export class Doors {
  readonly #exploring: Exploring;
  readonly #opening: readonly Endpoint[];
  /** What callers may ask for, and nobody else. */
  readonly #asked: Endpoint | undefined;
  #count: { readonly version: number; readonly callers: number } | undefined;

  constructor(exploring: Exploring) {
    const { plan } = exploring.judge.world;
    this.#exploring = exploring;
    this.#opening = doorsOf(plan).opening;
    this.#asked = plan.endpoints.find(
      (one) => one.method === "GET" && one.bindings.length === 0 && asksWho({ plan }, one),
    );
  }

  /** Lets one in whom the walk then goes on with, where few are in. */
  letIn(walk: Walk): void {
    const { random } = this.#exploring;
    if (this.#opening.length === 0 || this.#callers() >= CALLERS_MIN) return;
    if (!random.chance(LET_IN)) return;
    const making = makingOf(this.#exploring);
    const before = new Set(callersKnown(making).map(({ credential }) => credential));
    for (let left = TRIES; left > 0; left--) {
      if (!walk.stride(random.pick(this.#opening), { wrong: 0, isSetup: true })) continue;
      const come = callersKnown(making).find(({ credential }) => !before.has(credential));
      if (come !== undefined) walk.comes(come);
      return;
    }
  }

  /** How many of those whose credentials are known are let in, as the model says. */
  #callers(): number {
    const { judge } = this.#exploring;
    const { version } = judge.world.session;
    if (this.#count?.version === version) return this.#count.callers;
    const known = callersKnown(makingOf(this.#exploring));
    const callers = known.filter((one) => this.#isIn(one)).length;
    this.#count = { version, callers };
    return callers;
  }

  #isIn({ scheme, credential }: Caller): boolean {
    const { judge, clock } = this.#exploring;
    if (this.#asked === undefined) return true;
    const persona = new Map([[scheme, credential]]);
    const own = { persona, isOneCaller: true, wrong: 0, again: 0 };
    const request = requestTo({ ...makingOf(this.#exploring), ...own }, this.#asked);
    const { status } = judge.foresee(request, clock()).outcome.response;
    return status !== 401 && status !== 403;
  }
}

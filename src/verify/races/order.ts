/** Whether answers to requests at the same time are as stated, in some order of them. */

import { statedOf } from "../../plan/index.ts";
import type { Judge } from "../judge/judge.ts";
import type { Judgement } from "../judge/judgement.ts";
import { keyField } from "../world/keys.ts";
import type { World } from "../world/world.ts";
import { linearize, type Model } from "./linearize.ts";
import { endpointOf } from "./rows.ts";
import type { Miss, Raced } from "./told.ts";

/** What is found of a race. The model is as it was. */
export type Ordered =
  /** Places in the race, in an order that gives all answers. */
  | { readonly is: "ordered"; readonly order: readonly number[] }
  /** The orders go no further than to these. */
  | { readonly is: "no order"; readonly misses: readonly Miss[] }
  /** It took too long, or something is not stated. */
  | { readonly is: "unknown" };

/** Answers that are judged to find an order, and milliseconds that it may take. */
const STEPS = 400;
const STEPS_MS = 1_000;

/** Looks for an order of a race. `world` is one of the same rows that keeps what is learned. */
export function orderOf(race: readonly Raced[], judge: Judge, world: World): Ordered {
  const model = new Ordering(race, judge.beside(world));
  const history = race.map(({ answer }, what) => ({
    what,
    called: Number(answer.sent),
    returned: Number(answer.received),
  }));
  const found = linearize(history, model, STEPS);
  model.end();
  if (found.is === "yes") return { is: "ordered", order: found.order };
  if (found.is === "unknown" || model.isOpen) return { is: "unknown" };
  return { is: "no order", misses: model.misses };
}

/** The judge, as what operations are done in. */
class Ordering implements Model<number> {
  readonly misses: Miss[] = [];
  /** Not all is stated, or there was not the time to look at all. */
  isOpen = false;
  readonly #race: readonly Raced[];
  readonly #judge: Judge;
  readonly #placed: { readonly at: number; readonly restore: () => void }[] = [];
  readonly #until = performance.now() + STEPS_MS;

  constructor(race: readonly Raced[], judge: Judge) {
    this.#race = race;
    this.#judge = judge;
  }

  step(at: number, way: number): boolean {
    if (way > 1 || performance.now() > this.#until) {
      this.isOpen ||= way <= 1;
      return false;
    }
    const { request, answer } = this.#race[at] as Raced;
    const { world } = this.#judge;
    const restore = this.#judge.remembered();
    world.begin();
    if (way === 1) {
      // Refused because another with the same key was not done yet: nothing has come of it.
      const isBusy = isKeyBusy(this.#race, at, world);
      if (isBusy === "open") this.isOpen = true;
      if (isBusy === true) {
        this.#placed.push({ at, restore });
        return true;
      }
      world.undo();
      return false;
    }
    const judgement = this.#judge.judge(request, answer);
    if (judgement.is === "unstated") this.isOpen = true;
    if (judgement.is !== "broken") {
      this.#placed.push({ at, restore });
      return true;
    }
    world.undo();
    restore();
    this.#miss(at, judgement);
    return false;
  }

  #miss(at: number, judgement: Extract<Judgement, { readonly is: "broken" }>): void {
    const { ran, differences, unlessOthers } = judgement;
    if (unlessOthers) this.isOpen = true;
    const placed = this.#placed.map((one) => one.at);
    this.misses.push({ placed, at, ran, differences });
  }

  undo(): void {
    const last = this.#placed.pop();
    this.#judge.world.undo();
    last?.restore();
  }

  end(): void {
    while (this.#placed.length > 0) this.undo();
  }

  state(): string | undefined {
    return undefined;
  }

  /** A request that only reads is counted by limits, and shows what others have made. */
  isRead(): boolean {
    return false;
  }
}

/**
 * Whether the answer is the one to a key whose first request is still being done; "open": that may
 * be, and the document does not say what is answered then.
 */
function isKeyBusy(race: readonly Raced[], at: number, world: World): boolean | "open" {
  const { request, answer } = race[at] as Raced;
  const rule = endpointOf(world, request)?.idempotency;
  if (rule === undefined) return false;
  const field = keyField(rule);
  const keyIn = ({ headers }: Raced["request"]): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === field)?.[1];
  const key = keyIn(request);
  const isShared = race.some((other, i) => {
    const { sent, received } = other.answer;
    const isAtOnce = sent <= answer.received && answer.sent <= received;
    return i !== at && isAtOnce && key !== undefined && keyIn(other.request) === key;
  });
  if (!isShared) return false;
  const running = statedOf(rule.running);
  if (running === undefined) return "open";
  if (running === "wait" || running.is === "gap") return running === "wait" ? false : "open";
  const error = world.plan.errors.find(({ name }) => name === running.error);
  return error !== undefined && statedOf(error.status) === answer.status;
}

/** What is known of a service while it is judged: its model, the verdicts, and what was said. */
import { type Endpoint, gapOf, type ItemId, type Plan } from "../plan/index.ts";
import type { Members } from "../run/index.ts";
import type { EventBreak } from "./events/found.ts";
import { Evidence, type Occurring } from "./evidence.ts";
import { blamed, membersOf, repeated, unrefused, unrepeated, writersOf } from "./judge/blame.ts";
import type { Difference } from "./judge/compare.ts";
import { hiding, hidingNamed, hidingShown } from "./judge/hidden.ts";
import { Judge } from "./judge/judge.ts";
import type { Judgement } from "./judge/judgement.ts";
import { expectedOf } from "./judge/origins.ts";
import { refusing } from "./judge/refusing.ts";
import type { Race } from "./races/told.ts";
import { Suspects } from "./rivals/suspects.ts";
import { Verdicts } from "./verdicts.ts";
import type { Answer, Request } from "./world/message.ts";
import { statedItem } from "./world/openable.ts";
import { type Step, World } from "./world/world.ts";

export interface SessionOptions {
  /**
   * Letters and digits that the data made here have, and others have not. The last two may differ
   * in data that is made later: see `commonTag`.
   */
  readonly tag: string;
  readonly settings?: Members;
  readonly given?: ReadonlyMap<string, readonly Members[]>;
  /** Which failures an endpoint can have. */
  readonly occurring: (endpoint: Endpoint) => Occurring;
  /** Microseconds since 1970: rows at the start are from before. */
  readonly now: bigint;
  /** The service may have had data before, of which nobody here knows. Default: it had none. */
  readonly hasPast?: boolean;
  /** Others may have used up limits that they share with what is sent here. Default: nobody has. */
  readonly isShared?: boolean;
  /** So many exchanges, and breaks, are kept at most. Default: all. */
  readonly most?: number;
}

/** Letters at the end of a tag that differ where requests are made again with other data. */
export const TAG_LETTERS = 2;

/** The part of a tag that all data of a session have. */
export const commonTag = (tag: string): string => tag.slice(0, -TAG_LETTERS);

/** A request, its answer and what it was judged to be. */
export interface Exchange {
  /** From 1 on. */
  readonly number: number;
  readonly request: Request;
  readonly answer: Answer;
  readonly judgement: Judgement;
}

/** An answer that the document does not allow. */
export interface Break {
  readonly number: number;
  readonly request: Request;
  readonly answer: Answer;
  readonly expected: Judgement["ran"]["outcome"]["response"];
  readonly differences: readonly Difference[];
  readonly items: readonly ItemId[];
  /** It was made at the same time as others: no order of them gives all their answers. */
  readonly race?: Race;
}

interface Beside {
  /** What should have refused a request that went through, or given an answer again. */
  readonly before: readonly ItemId[];
  /** Steps that set what is shown otherwise, or clauses that refuse as it was refused. */
  readonly behind: readonly ItemId[];
}

/** Messages that are wrong in the same way are told of so often. */
const ALIKE_MAX = 2;

/** Judges exchanges one after the other, whoever makes the requests. */
export class Session {
  readonly plan: Plan;
  /** Microseconds since 1970. */
  readonly began: bigint;
  readonly judge: Judge;
  /** Marks of texts that the service made for its rows at the start, in order. */
  readonly madeAtStart: readonly string[];
  /** What stands in its rows at the start. */
  readonly textsAtStart: ReadonlySet<string>;
  readonly verdicts = new Verdicts();
  readonly breaks: Break[] = [];
  /** What is wrong with messages. */
  readonly eventBreaks: EventBreak[] = [];
  readonly exchanges: Exchange[] = [];
  /** Gaps that requests have met, or would have met had they been sent. */
  readonly gapsMet = new Set<ItemId>();
  /** Limits that others may have used up, by the endpoints that have answered none as it asked. */
  readonly limitsMet = new Map<ItemId, ItemId>();
  readonly #evidence: Evidence;
  /** Endpoints that have answered a request as it asked. */
  readonly #taken = new Set<ItemId>();
  /** Breaks that data of others would explain, with the endpoints in whose lists it would be. */
  readonly #unlessOthers = new Map<Break, ItemId | undefined>();
  /** What is named with whatever explains a break. */
  readonly #beside = new WeakMap<Break, Beside>();
  readonly #most: number;
  #requests = 0;

  constructor(plan: Plan, options: SessionOptions) {
    const { tag, settings, given, occurring, now, hasPast, isShared, most } = options;
    this.plan = plan;
    this.began = now;
    this.#most = most ?? Number.POSITIVE_INFINITY;
    const world = new World(plan, { settings, hasPast });
    this.#evidence = new Evidence(world.plan, occurring);
    world.start(now, given);
    const suspects = new Suspects();
    this.judge = new Judge(world, commonTag(tag), (wrong) => suspects.of(this.judge, wrong));
    this.madeAtStart = world.texts.made;
    const rows = plan.resources.flatMap(({ name }) => world.rows(name));
    const values = rows.flatMap((row): readonly unknown[] => row.values);
    this.textsAtStart = new Set(values.filter((one) => typeof one === "string"));
    this.judge.happened({ at: now }, isShared);
  }

  get requests(): number {
    return this.#requests;
  }

  /** Judges the answer; the model goes on with what it shows. */
  judged(request: Request, answer: Answer): Judgement {
    const judgement = this.judge.judge(request, answer);
    this.note({ number: this.requests + 1, request, answer, judgement });
    return judgement;
  }

  /** Takes up what an exchange was judged to be. */
  note(exchange: Exchange): void {
    const { number, request, answer, judgement } = exchange;
    const { ran } = judgement;
    this.#requests += 1;
    this.exchanges.push(exchange);
    this.#noteLimit(judgement);
    if (this.exchanges.length > this.#most) this.exchanges.shift();
    if (judgement.is === "as stated") this.verdicts.held(this.#evidence.of(ran), number);
    else if (judgement.is === "broken") {
      const { differences, suspects, unlessOthers } = judgement;
      const likely = suspects.length > 0 ? suspects : blamed(this.plan, ran, differences);
      const isOther = differences.some((one) => one.in === "status");
      const { world } = this.judge;
      const { response } = ran.outcome;
      const hidden = isOther
        ? [...hiding(world, request, ran), ...hidingNamed(world, request, ran)]
        : hidingShown(world, answer, response);
      const again = repeated(ran, exchange, this.exchanges.slice(0, -1));
      const before = [...hidden, ...unrefused(ran, answer), ...unrepeated(ran), ...again];
      const { plan } = world;
      const behind = isOther
        ? refusing(plan, ran, answer)
        : [...membersOf(plan, ran, differences), ...writersOf(plan, ran, differences)];
      const all = new Set([...before, ...likely, ...behind]);
      const items = [...all].map((item) => statedItem(this.plan, item));
      this.verdicts.broken(items, number);
      const expected = expectedOf(ran, answer);
      const one = { number, request, answer, expected, differences, items };
      if (this.breaks.length < this.#most) {
        this.breaks.push(one);
        this.#beside.set(one, { before, behind });
        if (unlessOthers) this.#unlessOthers.set(one, ran.endpoint?.id);
      }
    } else {
      this.verdicts.held(judgement.items ?? [], number);
      if (judgement.gap === undefined) return;
      this.verdicts.unstated([judgement.gap], number);
      // What pages meet stands in no way of other requests.
      if (judgement.gap !== gapOf(this.plan.about.crossOrigin)) this.gapsMet.add(judgement.gap);
    }
    if (judgement.is !== "broken" && judgement.others) this.withdraw(ran.endpoint?.id);
  }

  /** Notes whether a limit that others may have used up keeps an endpoint from being asked. */
  #noteLimit({ is, ran: { endpoint, outcome, trace } }: Judgement): void {
    if (endpoint === undefined) return;
    const isLimit = ([item, came]: Step) => came === "failed" && item.startsWith("limits/");
    const [limit] = trace.find(isLimit) ?? [];
    if (is === "as stated" && outcome.response.status < 400) {
      this.#taken.add(endpoint.id);
      this.limitsMet.delete(endpoint.id);
    } else if (is === "unstated" && limit !== undefined && !this.#taken.has(endpoint.id)) {
      this.limitsMet.set(endpoint.id, limit);
    }
  }

  /** Others have, or had, data in the lists of an endpoint: what that explains was not broken. */
  withdraw(endpoint: ItemId | undefined): void {
    const left = this.breaks.filter((one) => {
      return !this.#unlessOthers.has(one) || this.#unlessOthers.get(one) !== endpoint;
    });
    if (left.length === this.breaks.length) return;
    this.breaks.splice(0, this.breaks.length, ...left);
    this.verdicts.breakAnew([...this.breaks, ...this.eventBreaks]);
  }

  /** Names other items; as it was where there are none. */
  named(broken: Break, items: readonly ItemId[]): Break {
    const at = this.breaks.indexOf(broken);
    if (items.length === 0 || at < 0) return broken;
    const { before = [], behind = [] } = this.#beside.get(broken) ?? {};
    const all = [...before, ...items, ...behind];
    const stated = all.map((item) => statedItem(this.plan, item));
    const named = { ...broken, items: [...new Set(stated)] };
    this.breaks.splice(at, 1, named);
    if (this.#unlessOthers.has(broken)) {
      this.#unlessOthers.set(named, this.#unlessOthers.get(broken));
    }
    this.verdicts.breakAnew([...this.breaks, ...this.eventBreaks]);
    return named;
  }

  /** Takes up what requests at the same time have shown to be wrong. */
  raceBroken(broken: Break): void {
    this.verdicts.broken(broken.items, broken.number);
    this.breaks.push(broken);
  }

  /** Takes up what messages have shown to be wrong. */
  eventBroken(event: EventBreak): void {
    const { number, items, fault } = event;
    this.verdicts.broken(items, number);
    const alike = this.eventBreaks.filter(
      (one) => one.fault === fault && one.items.join() === items.join(),
    );
    // A service that is wrong in all its messages is told so once.
    if (alike.length < ALIKE_MAX) this.eventBreaks.push(event);
  }
}

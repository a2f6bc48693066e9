/** Judges an answer: wrong only if no allowed reading of the document gives it. */
import type { ItemId } from "../../plan/index.ts";
import type { Response } from "../../run/index.ts";
import { heldIn } from "../world/held.ts";
import { Learning } from "../world/learning.ts";
import type { Answer, Request } from "../world/message.ts";
import { PAST } from "../world/past.ts";
import type { Reading } from "../world/reading.ts";
import type { Ran, World } from "../world/world.ts";
import { type Attempt, isHosts, isNearer, type Nearest, nameOf, type Tried } from "./attempt.ts";
import { Clock } from "./clock.ts";
import { type Difference, TIGHT } from "./compare.ts";
import { countedBefore } from "./counted.ts";
import { countWrong, dueReadings, edgeReadings, timesIn } from "./edges.ts";
import { freeAttempts } from "./free.ts";
import { type Happened, Instants, LONG_AGO } from "./instants.ts";
import type { Judgement, Wrong } from "./judgement.ts";
import { compareAll } from "./origins.ts";
import { Others } from "./others.ts";
import { isUntold, toldOtherwise } from "./said.ts";
import { SHARED, SharedLimits, withoutOthers } from "./shared.ts";
import { precisionOf, unstatedOf } from "./stated.ts";
import { tabled } from "./table.ts";
import { withTaken } from "./taken.ts";
import { doubles, namings } from "./unseen.ts";

/** Why an answer is not judged that hangs on what nobody here has seen. */
export const BEFORE = "it hangs on what was there before";

/** Readings that are tried of one answer. */
const READINGS = 100;
/** Names of rows that nobody has seen are tried first where there are no more. */
const NAMINGS_FIRST = 8;
/** What a clock may be read too early or too late. */
const TOLERANCE = 100_000n;
const NONE: ReadonlyMap<string, string> = new Map();

type FoundReading =
  | Exclude<Judgement, { readonly is: "broken" }>
  | { readonly is: "nearest"; readonly nearest: Nearest };

/** Whether it is known of all of them which item states it. */
const isKnown = (differences: readonly Difference[]): boolean =>
  differences.every(({ item }) => item !== undefined);

type Suspecting = (wrong: Wrong) => readonly ItemId[];

/** Judges answers one after the other; the world follows what they show. */
export class Judge {
  readonly world: World;
  readonly #clock = new Clock();
  readonly #step: bigint;
  readonly #others: Others;
  readonly #tag: string;
  readonly #suspects: Suspecting;
  readonly #learning: Learning;
  readonly #instants = new Instants(TOLERANCE);
  #shared: SharedLimits | undefined;

  /** `tag`: stands in all texts that are made here, and in no others. */
  constructor(world: World, tag: string, suspects: Suspecting = () => []) {
    this.#suspects = suspects;
    this.world = world;
    this.#tag = tag;
    this.#others = new Others(world, tag);
    this.#learning = new Learning(world);
    this.#step = precisionOf(world.plan);
  }

  /** One that judges by another world, and knows as much of clocks and instants. */
  beside(world: World, tag = this.#tag): Judge {
    const other = new Judge(world, tag);
    other.#clock.take(this.#clock);
    other.#instants.take(this.#instants);
    other.#shared = this.#shared;
    return other;
  }

  /**
   * Notes an instant of the model, and when that may have been: for the rows at the start, long
   * before. `isShared`: others may have made requests before it.
   */
  happened({ at, from = LONG_AGO, to = at }: Happened, isShared = false): void {
    this.#instants.add({ at, from, to });
    if (isShared) this.#shared = new SharedLimits(this.world, at);
  }

  /** The service's time of now, as far as it is known. */
  timeAt(ours: bigint): bigint {
    return this.#clock.timeAt(ours);
  }

  /** How far the clocks may be apart from what `timeAt` takes them to be. */
  get timeSlack(): bigint {
    return this.#clock.slack;
  }

  /** What the request would get at that time; nothing is changed. */
  foresee(request: Request, ours: bigint): Ran {
    return this.#run(request, { now: this.timeAt(ours) });
  }

  /** What the request gets by a reading; nothing is changed. */
  #run(request: Request, reading: Reading, after: Partial<Attempt> = {}): Ran {
    const ran = this.#begun(request, after, reading);
    this.world.undo();
    return ran;
  }

  judge(request: Request, answer: Answer): Judgement {
    const { past } = this.world;
    const found = this.#find(request, answer);
    if (found.is === "as stated") {
      if (!past.isWhole) this.#meetMany(request, answer, found);
      return found;
    }
    const gap = found.is === "unstated" ? found.gap : undefined;
    const hangs = gap === PAST || (found.is === "nearest" && this.#hangs(request, found.nearest));
    if (found.is === "nearest" && !hangs) {
      const { nearest } = found;
      return this.#usedByOthers(request, answer, nearest) ?? this.#broken(request, answer, nearest);
    }
    if (hangs && this.#learning.isSafe(request)) {
      const again = this.#learning.learn(request, answer) && this.#find(request, answer);
      if (again !== false && again.is === "as stated") return { ...again, learned: true };
    }
    this.#learning.disturb(request, answer, this.timeAt(answer.received));
    if (hangs) this.#learning.learn(request, answer);
    const ran = found.is === "nearest" ? found.nearest.ran : found.ran;
    if (hangs) return { is: "unstated", ran, why: BEFORE };
    if (found.is !== "unstated") return this.#broken(request, answer, found.nearest);
    const table = gap && tabled(this.world.plan, ran.endpoint, request, answer);
    if (!table) return found;
    if (table.differences.length === 0) return { ...found, items: table.items };
    return { is: "broken", ran, differences: table.differences, suspects: table.items };
  }

  /** A request that nobody could judge may have changed something; undefined: any request. */
  disturb(request: Pick<Request, "method" | "target"> | undefined, status: number, at: bigint) {
    if (request === undefined) this.#learning.disturbAll(this.timeAt(at));
    else this.#learning.disturb(request, { status }, this.timeAt(at));
  }

  /** What is known of clocks and instants now; to be given back where the model is, too. */
  remembered(): () => void {
    const [clock, instants] = [this.#clock.remembered(), this.#instants.remembered()];
    return () => {
      clock();
      instants();
    };
  }

  /** Whether what the request gets hangs on what the model does not know. */
  #hangs(request: Request, { attempt, ran, differences }: Nearest): boolean {
    const { past } = this.world;
    if (isKnown(differences)) return false;
    if (past.isWhole && past.countedFrom === undefined) return false;
    if (!past.isWhole && ran.outcome.effects.fault !== undefined) return true;
    return [attempt.reading, { now: attempt.reading.now }].some((reading) =>
      this.#meets(request, reading, "all"),
    );
  }

  #meets(request: Request, reading: Reading, asked: "all" | "many"): boolean {
    const { world } = this;
    const { past } = world;
    past.asked = asked;
    const { effects } = this.#run(request, reading).outcome;
    past.asked = "nothing";
    return effects.gap?.id === PAST || effects.fault !== undefined;
  }

  /** What is kept of values of many rows, some of them unknown, is not known, but what is shown. */
  #meetMany(request: Request, answer: Answer, { ran }: { readonly ran: Ran }): void {
    if (!ran.outcome.commit || this.#learning.isSafe(request)) return;
    const now = this.timeAt((answer.sent + answer.received) / 2n);
    if (!this.#meets(request, { now }, "many")) return;
    this.#learning.disturb(request, answer, now);
    this.#learning.learn(request, answer);
  }

  /** What it is if others have used limits that they share; undefined: that is not why. */
  #usedByOthers(request: Request, answer: Answer, { ran }: Nearest): Judgement | undefined {
    const now = this.timeAt((answer.sent + answer.received) / 2n);
    const run = (usedUp?: string): Ran => this.#run(request, { now, usedUp });
    run();
    const limits = this.#shared?.among(this.world.rates?.passed ?? [], now) ?? [];
    for (const { name: usedUp } of limits) {
      const ours = withoutOthers(limits, answer, run(usedUp)) ?? answer;
      const refused = this.#find(request, ours, { now, usedUp });
      if (refused.is === "as stated") return { ...SHARED, ran: refused.ran };
    }
    const ours = withoutOthers(limits, answer, ran);
    const again = ours && this.#find(request, ours);
    if (again?.is === "as stated") return { ...again, others: true };
    return again?.is === "nearest" ? this.#broken(request, ours ?? answer, again.nearest) : again;
  }

  #broken(request: Request, answer: Answer, nearest: Nearest): Judgement {
    const { ran, differences } = nearest;
    if (isHosts(request, ran)) {
      return { is: "unstated", ran, why: `no line of the document speaks of ${request.method}` };
    }
    const explained = isKnown(differences) ? "no" : this.#others.explain(ran, answer, differences);
    if (explained === "theirs") {
      const ours = this.#others.without(ran, answer);
      const rest = this.#find(request, ours);
      if (rest.is === "as stated") return { ...rest, others: true };
      if (rest.is === "nearest" && isKnown(rest.nearest.differences)) {
        return this.#broken(request, ours, rest.nearest);
      }
    }
    const isTheirs = explained === "theirs";
    const suspects = isTheirs ? [] : this.#suspected({ request, answer, ran, differences });
    this.#goOn(request, answer, nearest);
    if (isKnown(differences) && !this.world.past.isWhole) this.#meetMany(request, answer, nearest);
    if (isTheirs) {
      return { is: "unstated", ran, why: "it shows data of other clients", others: true };
    }
    const broken = { is: "broken", ran, differences, suspects } as const;
    return explained === "perhaps" ? { ...broken, unlessOthers: true } : broken;
  }

  /** What a document states in one place explains no more than that it is broken. */
  #suspected(wrong: Wrong): readonly ItemId[] {
    const known = wrong.differences.flatMap(({ item }) => item ?? []);
    const differences = wrong.differences.filter(({ item }) => item === undefined);
    const found = differences.length === 0 ? [] : this.#suspects({ ...wrong, differences });
    return found.length === 0 ? [] : [...new Set([...found, ...known])];
  }

  /** The reading that gives the answer, or comes nearest to it. */
  #find(request: Request, answer: Answer, first?: Reading): FoundReading {
    const now = this.timeAt((answer.sent + answer.received) / 2n);
    const reading = { now, says: [], ...first };
    const open: Attempt[] = [{ reading, loose: TIGHT }];
    const seen = new Set<string>();
    let nearest: Nearest | undefined;
    for (let i = 0; i < open.length && i < READINGS; i++) {
      const attempt = open[i] as Attempt;
      const name = nameOf(attempt);
      if (seen.has(name)) continue;
      seen.add(name);
      const tried = this.#try(request, answer, attempt);
      const { ran } = tried;
      const unstated = unstatedOf(ran);
      if (unstated !== undefined) return { is: "unstated", ran, ...unstated };
      if (tried.isUntold === true) return { is: "unstated", ran, why: BEFORE, gap: PAST };
      if (tried.differences.length === 0 && tried.known.size === 0) {
        this.#kept(attempt, ran, answer);
        this.world.past.noteMade(ran.made);
        return { is: "as stated", ran };
      }
      if (isNearer({ ...tried, attempt }, nearest)) nearest = { ...tried, attempt };
      const further = this.#further(request, answer, attempt, tried);
      // Nothing differs but what was made: with that it is the answer, or no other reading is.
      if (tried.differences.length === 0) open.splice(i + 1, 0, ...further.slice(0, 1));
      else open.push(...further);
    }
    if (nearest === undefined) throw new Error("an answer that no reading was compared with");
    return { is: "nearest", nearest };
  }

  /** What a wrong answer did is taken to be what was expected, where it came to the same status. */
  #goOn(request: Request, answer: Answer, nearest: Nearest): void {
    const { attempt, differences, known, ran } = nearest;
    const { world } = this;
    if (differences.some((one) => one.in === "status")) {
      countWrong(world, request, answer, attempt.reading);
      return;
    }
    const made = ran.made.map((mark) => known.get(mark) ?? mark);
    world.begin();
    world.run(request, { ...attempt.reading, made });
    world.keep();
    world.learn(known);
  }

  /** Runs the request by a reading; kept where the answer is as expected. */
  #try(request: Request, answer: Answer, attempt: Attempt): Tried {
    const { reading, named = NONE } = attempt;
    const { world } = this;
    const ran = this.#begun(request, attempt, reading);
    const found = withTaken(world, reading, compareAll(ran, answer, attempt.loose));
    const own = new Set(ran.made);
    const older = new Map([...found.known].filter(([mark]) => !own.has(mark)));
    const compared = { ...found, differences: [...found.differences, ...doubles(world, older)] };
    const isRight = compared.differences.length === 0 && unstatedOf(ran) === undefined;
    const isWhole = isRight && older.size === compared.known.size;
    if (isWhole && ran.said.length > 0) {
      world.undo();
      if (this.#isUntold(request, answer, attempt, ran))
        return { ran, ...compared, isUntold: true };
      this.#begun(request, attempt, { ...reading, made: ran.made });
    }
    if (isWhole) world.keep();
    else world.undo();
    // Marks of works before are what the answer shows, if the rest of it is right.
    if (isRight) world.learn(isWhole ? new Map([...named, ...older]) : older);
    return { ran, ...compared, known: isWhole ? new Map() : compared.known };
  }

  /** Begins a work, and runs the request by a reading of the attempt. */
  #begun(request: Request, { retimed, named = NONE }: Partial<Attempt>, reading: Reading): Ran {
    const { world } = this;
    world.begin();
    for (const one of retimed ?? []) world.retime(one.from, one.to);
    world.rename(named);
    return world.run(request, reading);
  }

  /** Whether the answer leaves open what code has said, and with it what was done. */
  #isUntold(request: Request, answer: Answer, attempt: Attempt, ran: Ran): boolean {
    const { world } = this;
    const fits = (reading: Reading) => {
      const other = this.#begun(request, attempt, reading);
      const { differences } = withTaken(world, reading, compareAll(other, answer, attempt.loose));
      world.undo();
      return { ran: other, is: differences.length === 0 };
    };
    return isUntold(world.plan, ran, { reading: attempt.reading, fits });
  }

  #further(request: Request, answer: Answer, before: Attempt, tried: Tried): readonly Attempt[] {
    const { reading } = before;
    const found: Attempt[] = [];
    const made = tried.ran.made.map((mark) => tried.known.get(mark) ?? mark);
    const isShown = made.some((text, i) => text !== tried.ran.made[i]);
    const next = isShown ? { ...reading, made } : reading;
    if (isShown) found.push({ ...before, reading: next });
    const counted = countedBefore(this.world.plan, tried.ran, tried.differences);
    const isCounted = counted.size > 0 && reading.counted === undefined;
    if (isCounted) found.push({ ...before, reading: { ...next, counted } });
    const retimed = [...(before.retimed ?? [])];
    const held = () => heldIn(this.world).integers;
    const times = tried.differences.flatMap((one) => one.times ?? []);
    let own = before;
    found.push(...dueReadings(this.world, { ...before, reading: next }, times));
    for (const { expected, observed, step } of times) {
      for (const now of this.#instants.nows(reading.now, observed - expected, step)) {
        if (!this.#mayBe(now, answer)) continue;
        const isOwn = expected === reading.now - (reading.now % step);
        const seen = isOwn ? { seen: { at: observed, step } } : {};
        found.push({ ...before, ...seen, reading: { ...next, now } });
        // What is free is looked for at the time that the answer shows.
        const isBetter = own === before || (isOwn && own.seen === undefined);
        if (isBetter) own = { ...before, ...seen, reading: { ...reading, now } };
      }
      const moves = this.#instants.moves({ expected, observed, step }, held);
      for (const move of moves) {
        if (retimed.every(({ from }) => from !== move.from)) retimed.push(move);
      }
    }
    // Several instants may be shown at once.
    const isMoved = retimed.length > (before.retimed?.length ?? 0);
    if (isMoved) found.unshift({ ...before, reading: next, retimed });
    const given = before.retimed === undefined ? timesIn(request) : undefined;
    const retimings = given && this.#instants.retimings(given, this.#step, held);
    for (const one of retimings ?? []) found.push({ ...before, reading: next, retimed: one });
    if (before.loose === TIGHT && reading.chooser === undefined && reading.turn === undefined) {
      const run = (way: Reading): Response => this.#run(request, way, before).outcome.response;
      // A time that differs may be that of another item of a list in another order.
      const ways = [...new Set([own, before])].map((one) => ({ ...one, made: tried.ran.made }));
      const free = ways.flatMap((one) => freeAttempts(run, answer, one));
      found.push(...free.map((one) => ({ ...before, ...one })));
    }
    const isOpen = before.named === undefined && tried.differences.length > 0;
    const names = isOpen ? namings(this.world, tried.ran.outcome.response, answer) : [];
    // Many would leave no time for what else it may be.
    const place = names.length > NAMINGS_FIRST ? found.length : 0;
    found.splice(place, 0, ...names.map((named) => ({ ...before, named })));
    found.unshift(...toldOtherwise(before, tried));
    if (reading.made !== undefined || before.loose !== TIGHT) return found;
    const edges = edgeReadings(this.world, next, { ...this.#span(answer), request });
    return [...found, ...edges.map((one) => ({ ...before, reading: one }))];
  }

  /** Whether the service's time of the request may be that one. */
  #mayBe(now: bigint, answer: Answer): boolean {
    const { from, to } = this.#clock.spanOf(answer);
    return now >= from - TOLERANCE - this.#step && now <= to + TOLERANCE;
  }

  /** Between which the service's time of a request is, as far as clocks are known. */
  #span({ sent, received }: Answer) {
    return { from: this.timeAt(sent) - TOLERANCE, to: this.timeAt(received) + TOLERANCE };
  }

  #kept({ reading, retimed, seen }: Attempt, ran: Ran, answer: Answer): void {
    if (seen !== undefined) {
      this.#clock.see(seen, answer);
      this.#instants.shown(reading.now);
    }
    if (seen === undefined && ran.outcome.commit && ran.endpoint?.method !== "GET") {
      this.#instants.add({ at: reading.now, ...this.#clock.spanOf(answer) });
    }
    if (retimed !== undefined) this.#instants.moved(retimed, this.#step);
    this.#instants.seen(() => timesIn({ body: answer.body ?? "" }), this.#step);
  }
}

/** Judges an answer: wrong only if no allowed reading of the document gives it. */
import { type ItemId, isStated, type Plan, statedOf } from "../../plan/index.ts";
import { Chooser, type Response, type Value } from "../../run/index.ts";
import { digest } from "../world/hooks.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Turn } from "../world/turned.ts";
import type { Ran, Reading, World } from "../world/world.ts";
import { type Compared, compare, type Difference, type Loose, TIGHT } from "./compare.ts";
import { looseOf } from "./loose.ts";
import { showsOthers } from "./others.ts";

export type Judgement =
  | { readonly is: "as stated"; readonly ran: Ran }
  /** The differences from the nearest reading. */
  | { readonly is: "broken"; readonly ran: Ran; readonly differences: readonly Difference[] }
  /** The document does not say what is to be answered here. */
  | { readonly is: "unstated"; readonly ran: Ran; readonly gap?: ItemId; readonly why: string };

/** Readings that are tried of one answer. */
const READINGS = 40;
/** Runs that choose otherwise, to find what is free. */
const VARIANTS = 6;
/** How far the clock of the service may be from ours, until an answer has shown it. */
const CLOCKS_APART = 300_000_000n;
/** What a clock may be read too early or too late. */
const TOLERANCE = 100_000n;
const INSTANTS = 200;
/** Texts and numbers of a JSON text. */
const SCALARS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g;
const LONG_AGO = -(2n ** 62n);

/** An instant in the model that no answer has shown. */
interface Instant {
  readonly at: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

interface Tried extends Compared {
  readonly ran: Ran;
}

/** A reading, and a change of what was thought to be so before. */
interface Attempt {
  readonly reading: Reading;
  readonly loose: Loose;
  /** The answer shows the time of the request: this, or less than a step later. */
  readonly seen?: { readonly at: bigint; readonly step: bigint };
  readonly retimed?: readonly { readonly from: bigint; readonly to: bigint }[];
}

/** Judges answers one after the other; the world follows what they show. */
export class Judge {
  readonly world: World;
  /** Between which the service's clock less ours is, for all that answers have shown. */
  #offsets = { least: -CLOCKS_APART, most: CLOCKS_APART };
  readonly #step: bigint;
  readonly #tag: string;
  #hidden: Instant[] = [];

  /** `tag`: stands in all texts that are made here, and in no others. */
  constructor(world: World, tag: string) {
    this.world = world;
    this.#tag = tag;
    this.#step = precisionOf(world.plan);
  }

  /** Notes an instant of the model that lies before now: that of the rows at the start. */
  began(at: bigint): void {
    this.#hidden.push({ at, from: LONG_AGO, to: at });
  }

  /** The service's time of now, as far as it is known. */
  timeAt(ours: bigint): bigint {
    return ours + this.#offset;
  }

  get #offset(): bigint {
    const { least, most } = this.#offsets;
    return least > 0n ? least : most < 0n ? most : 0n;
  }

  /** What the request would get at that time; nothing is changed. */
  foresee(request: Request, ours: bigint): Ran {
    const { world } = this;
    world.begin();
    const ran = world.run(request, { now: this.timeAt(ours) });
    world.undo();
    return ran;
  }

  judge(request: Request, answer: Answer): Judgement {
    const now = this.timeAt((answer.sent + answer.received) / 2n);
    const open: Attempt[] = [{ reading: { now }, loose: TIGHT }];
    const seen = new Set<string>();
    let nearest: (Tried & { readonly attempt: Attempt }) | undefined;
    for (let i = 0; i < open.length && i < READINGS; i++) {
      const attempt = open[i] as Attempt;
      const name = nameOf(attempt);
      if (seen.has(name)) continue;
      seen.add(name);
      const tried = this.#try(request, answer, attempt);
      const { ran } = tried;
      const unstated = unstatedOf(ran);
      if (unstated !== undefined) return { is: "unstated", ran, ...unstated };
      if (tried.differences.length === 0 && tried.known.size === 0) {
        this.#kept(attempt, ran, answer);
        return { is: "as stated", ran };
      }
      if (nearest === undefined || tried.differences.length < nearest.differences.length) {
        if (tried.differences.length > 0) nearest = { ...tried, attempt };
      }
      const further = this.#further(request, answer, attempt, tried);
      // Nothing differs but what was made: with that it is the answer, or no other reading is.
      if (tried.differences.length === 0) open.splice(i + 1, 0, ...further.slice(0, 1));
      else open.push(...further);
    }
    if (nearest === undefined) throw new Error("an answer that no reading was compared with");
    this.#goOn(request, nearest);
    const { ran } = nearest;
    if (showsOthers(ran.outcome.response, answer, this.#tag)) {
      return { is: "unstated", ran, why: "it shows data of other clients" };
    }
    return { is: "broken", ran: nearest.ran, differences: nearest.differences };
  }

  /** What a wrong answer did is taken to be what was expected, where it came to the same status. */
  #goOn(
    request: Request,
    { attempt, differences, known, ran }: Tried & { attempt: Attempt },
  ): void {
    if (differences.some((one) => one.in === "status")) return;
    const { world } = this;
    const made = ran.made.map((mark) => known.get(mark) ?? mark);
    world.begin();
    world.run(request, { ...attempt.reading, made });
    world.keep();
    world.learn(known);
  }

  /** Runs the request by a reading; kept where the answer is as expected. */
  #try(request: Request, answer: Answer, { reading, loose, retimed }: Attempt): Tried {
    const { world } = this;
    world.begin();
    for (const one of retimed ?? []) world.retime(one.from, one.to);
    const ran = world.run(request, reading);
    const compared = compare(statedIn(ran), answer, loose);
    const own = new Set(ran.made);
    const older = new Map([...compared.known].filter(([mark]) => !own.has(mark)));
    const isRight = compared.differences.length === 0 && unstatedOf(ran) === undefined;
    const isWhole = isRight && older.size === compared.known.size;
    if (isWhole) world.keep();
    else world.undo();
    // Marks of works before are what the answer shows, if the rest of it is right.
    if (isRight) world.learn(older);
    return { ran, ...compared, known: isWhole ? new Map() : compared.known };
  }

  #further(request: Request, answer: Answer, before: Attempt, tried: Tried): readonly Attempt[] {
    const { reading } = before;
    const found: Attempt[] = [];
    const made = tried.ran.made.map((mark) => tried.known.get(mark) ?? mark);
    const isShown = made.some((text, i) => text !== tried.ran.made[i]);
    const next = isShown ? { ...reading, made } : reading;
    if (isShown) found.push({ ...before, reading: next });
    const retimed = [...(before.retimed ?? [])];
    for (const { expected, observed, step } of tried.differences.flatMap(
      (one) => one.times ?? [],
    )) {
      const later = observed - expected;
      for (const now of [reading.now + later, reading.now - (reading.now % step) + later]) {
        if (!this.#mayBe(now, answer)) continue;
        const isOwn = expected === reading.now - (reading.now % step);
        const seen = isOwn ? { seen: { at: observed, step } } : {};
        found.push({ ...before, ...seen, reading: { ...next, now } });
      }
      for (const { at, from, to } of this.#hidden) {
        const other = later < 0n ? observed + step - 1n : observed;
        const isIt = at - expected >= 0n && at - expected < step;
        if (!isIt || other < from - TOLERANCE || other > to + TOLERANCE) continue;
        if (retimed.every((one) => one.from !== at)) retimed.push({ from: at, to: other });
      }
    }
    // Several instants may be shown at once.
    if (retimed.length > (before.retimed?.length ?? 0)) {
      found.unshift({ ...before, reading: next, retimed });
    }
    if (before.loose === TIGHT && reading.chooser === undefined && reading.turn === undefined) {
      found.push(...this.#free(request, answer, before));
    }
    if (reading.made !== undefined || before.loose !== TIGHT) return found;
    for (const now of this.#aroundDue(answer)) {
      if (now !== reading.now) found.push({ ...before, reading: { ...next, now } });
    }
    return found;
  }

  /** The request with what runs that choose otherwise show to be free. */
  #free(request: Request, answer: Answer, { reading }: Attempt): readonly Attempt[] {
    const ways = Array.from({ length: VARIANTS }, (_, i): Reading => {
      const chooser = new Chooser(String(i), (text) => digest("sha256", text));
      return i % 2 === 0 ? { ...reading, chooser } : { ...reading, chooser, turn: BACKWARDS };
    });
    const all = [reading, ...ways].map((one) => this.#response(request, one));
    const [first] = all;
    const differs = all.some((one) => one.status !== first?.status || one.body !== first.body);
    if (!differs) return [];
    const statuses = new Set(all.map(({ status }) => status));
    // What is stored in an order that is free is stored as the answer shows it.
    const shown = { reading: { ...reading, turn: asShown(answer) }, loose: TIGHT };
    const loose = [...statuses].flatMap((status) => {
      const alike = all.flatMap((one, i) => (one.status === status ? [i] : []));
      const loose = looseOf(alike.map((i) => all[i] as Response));
      const way = [reading, ...ways][alike[0] ?? 0] as Reading;
      return [
        { reading: { ...way, turn: asShown(answer) }, loose },
        { reading: way, loose },
      ];
    });
    return [shown, ...loose];
  }

  #response(request: Request, reading: Reading): Response {
    const { world } = this;
    world.begin();
    const { outcome } = world.run(request, reading);
    world.undo();
    return outcome.response;
  }

  /** Whether the service's time of the request may be that one. */
  #mayBe(now: bigint, { sent, received }: Answer): boolean {
    const { least, most } = this.#offsets;
    const [from, to] = [sent + least - TOLERANCE - this.#step, received + most + TOLERANCE];
    return now >= from && now <= to;
  }

  /** Just before and behind what falls due, or leaves a window, about the time of the request. */
  #aroundDue({ sent, received }: Answer): readonly bigint[] {
    const offset = this.#offset;
    const [from, to] = [sent + offset - TOLERANCE, received + offset + TOLERANCE];
    const due = this.world.nextDue(from);
    const edges = [...(due === undefined ? [] : [due]), ...this.world.windowEnds(from, to)];
    return edges.filter((at) => at <= to).flatMap((at) => [at - 1n, at, at + 1n]);
  }

  /** The clocks are as far apart as all answers together allow. */
  #seen(
    { at, step }: { readonly at: bigint; readonly step: bigint },
    { sent, received }: { readonly sent: bigint; readonly received: bigint },
  ): void {
    const { least, most } = this.#offsets;
    const [low, high] = [at - received, at + step - sent];
    const next = { least: low > least ? low : least, most: high < most ? high : most };
    if (next.least <= next.most) this.#offsets = next;
  }

  #kept({ reading, retimed, seen }: Attempt, ran: Ran, { sent, received }: Answer): void {
    if (seen !== undefined) this.#seen(seen, { sent, received });
    else if (ran.outcome.commit && ran.endpoint?.method !== "GET") {
      const offset = this.#offset;
      this.#hidden.push({ at: reading.now, from: sent + offset, to: received + offset });
      this.#hidden = this.#hidden.slice(-INSTANTS);
    }
    const shown = new Set(retimed?.map(({ from }) => from));
    this.#hidden = this.#hidden.filter(({ at }) => !shown.has(at));
  }
}

/** The response without what the service may choose as it likes: a tag of the answer. */
function statedIn({ endpoint, outcome: { response } }: Ran): Response {
  if (endpoint?.answerTag === undefined || !isStated(endpoint.answerTag)) return response;
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== "etag");
  return { ...response, headers };
}

const BACKWARDS: Turn = { rank: () => 0 };

/** Values in the order in which the answer shows them. */
function asShown({ body }: Answer): Turn {
  const places = new Map<string, number>();
  for (const [text] of (body ?? "").matchAll(SCALARS)) {
    if (!places.has(text)) places.set(text, places.size);
  }
  const asShown = (value: Value): number => {
    if (typeof value !== "string" && typeof value !== "bigint") return places.size;
    const text = typeof value === "string" ? JSON.stringify(value) : String(value);
    return places.get(text) ?? places.size;
  };
  return { rank: asShown };
}

function nameOf({ reading, loose, retimed }: Attempt): string {
  const free = loose === TIGHT ? "" : [...loose.values, "", ...loose.orders].join(" ");
  const { now, made = [], chooser, turn } = reading;
  return [
    now,
    made.join(),
    chooser?.rank("name") ?? "",
    turn?.rank.name,
    free,
    retimed?.map(({ to }) => to),
  ].join("|");
}

/** Why the document does not say what is answered; undefined: it does. */
function unstatedOf({
  outcome: { effects },
}: Ran): { readonly why: string; readonly gap?: ItemId } | undefined {
  if (effects.gap !== undefined) {
    return { why: effects.gap.sentence, gap: effects.gap.id };
  }
  if (effects.unsupported !== undefined || effects.asking !== undefined) {
    return { why: "it hangs on what code outside says" };
  }
  return undefined;
}

/** How timestamps are written, by the document; undefined: it is free or not shown. */
function precisionOf({ about: { precision } }: Plan): bigint {
  const stated = statedOf(precision);
  if (stated === "seconds") return 1_000_000n;
  return stated === "milliseconds" ? 1_000n : 1n;
}

/** A service as its document means it, run here: what a request may get, and what it changes. */
import {
  type Endpoint,
  type FailureCondition,
  type ItemId,
  type Plan,
  touchesOf,
} from "../../plan/index.ts";
import {
  type Ambient,
  type Came,
  compile,
  compileInputs,
  type Emitted,
  type Hooks,
  type InputFailure,
  type InputReader,
  type Inputs,
  type Match,
  type Members,
  type Names,
  namesOf,
  type Outcome,
  type Program,
  type Row,
  type Session,
} from "../../run/index.ts";
import { MemorySession } from "../../store/index.ts";
import { Book } from "./book.ts";
import { DueTimes, fireDue } from "./due.ts";
import { judgeSizes, judgeVersion, sizesOf } from "./edge.ts";
import { Gone } from "./gone.ts";
import { digest, hooksOf, type Issued, presentedBy, SecretBook } from "./hooks.ts";
import { failedInputs, reportedOf } from "./input.ts";
import { judgeKey, type KeptAnswer, type NewKey } from "./keys.ts";
import { renameIssued, renameKept, rewriteTexts, rewriteValues } from "./learn.ts";
import { Looked } from "./looked.ts";
import { headersOf, type Request } from "./message.ts";
import { openable, storedPlan } from "./openable.ts";
import type { WorldOptions } from "./options.ts";
import { type Crossing, crossingGap, crossingOf } from "./origins.ts";
import { bodiless, gapOutcome, readable, unmatched, withEnds } from "./outcomes.ts";
import { Past } from "./past.ts";
import { countRates, judgeRates, type RatesJudged, rateHeaders, rateSteps } from "./rates.ts";
import type { Reading } from "./reading.ts";
import { type Said, Sayings } from "./sayings.ts";
import { type Taken, Takings } from "./taken.ts";
import { MadeTexts, type Writing, withTexts } from "./texts.ts";
import { turned } from "./turned.ts";
import { Windows } from "./windows.ts";

/** An item that was come to, and what became of it. */
export type Step = readonly [item: ItemId, came: Came];

export interface Ran extends Taken {
  readonly endpoint: Endpoint | undefined;
  /** No step of the endpoint changes anything. */
  readonly isReading: boolean;
  readonly outcome: Outcome;
  readonly trace: readonly Step[];
  readonly failures: readonly InputFailure[];
  /** Marks of texts that were made. */
  readonly made: readonly string[];
  /** What was emitted and stands, in its order; that of what fell due among it. */
  readonly events: readonly Emitted[];
  readonly crossing?: Crossing;
  /** The calls that were made, and what was taken for said to them. */
  readonly said: readonly Said[];
}

/** What is kept beside the rows and undone with them. */
type Undoable = Pick<Past, "begin" | "keep" | "undo">;

/** The model of one service: rows, times and tokens. Works are done in savepoints. */
export class World {
  readonly plan: Plan;
  readonly program: Program;
  readonly texts: MadeTexts;
  readonly tokens: Book<Issued>;
  readonly kept: Book<KeptAnswer>;
  readonly secrets: SecretBook;
  readonly past: Past;
  readonly gone: Gone;
  readonly settings: Members;
  /** The rows of the model. */
  readonly session: MemorySession;
  readonly #hooks: Hooks;
  readonly #dueMax: number | undefined;
  readonly #names: Names;
  readonly #readers = new Map<number, InputReader>();
  readonly #looked: Looked;
  readonly #times: DueTimes;
  readonly #undoable: readonly Undoable[];
  readonly #sayings: Sayings;
  #trace: Step[] = [];
  readonly #takings: Takings;
  #failures: readonly InputFailure[] = [];
  #rates: RatesJudged | undefined;
  #key: NewKey | undefined;
  readonly windows: Windows;
  readonly #learned: Map<string, string>;

  /** `hasPast`: the service may have had data before. `beside`: a world whose rows it is about. */
  constructor(stated: Plan, of: WorldOptions<World> = {}) {
    const { settings = new Map(), hasPast = false, beside, isApart } = of;
    const plan = openable(stated);
    this.#dueMax = of.dueMax;
    this.plan = plan;
    this.settings = settings;
    this.texts = beside?.texts ?? new MadeTexts();
    this.tokens = beside?.tokens ?? new Book();
    this.kept = beside?.kept ?? new Book();
    this.secrets = beside?.secrets ?? new SecretBook();
    this.windows = beside ? beside.windows : new Windows();
    this.#takings = beside ? beside.#takings : new Takings();
    this.#learned = beside && !isApart ? beside.#learned : new Map(beside ? beside.#learned : []);
    const trace = (item: ItemId, came: Came): void => void this.#trace.push([item, came]);
    this.past = beside?.past ?? new Past(storedPlan(plan), hasPast);
    this.program = compile(plan, { trace, doubts: this.past });
    this.#names = namesOf(plan, trace);
    this.session = beside?.session ?? new MemorySession(plan);
    this.#looked = beside ? beside.#looked : new Looked();
    // The same falls due where states and resources are the same.
    const isAlike =
      beside?.plan.machines === plan.machines && beside.plan.resources === plan.resources;
    this.#times = beside && isAlike ? beside.#times : new DueTimes(this.program);
    this.gone = beside?.gone ?? new Gone();
    if (beside === undefined) {
      this.gone.watch(this.session);
      this.#takings.watch(this.session, plan);
    }
    this.#hooks = hooksOf(this.texts, this);
    this.#sayings = new Sayings(plan, this.texts);
    this.#undoable = [this.tokens, this.kept, this.secrets, this.past];
  }

  /** Fills in the rows at the start, those given among them. */
  start(now: bigint, given?: ReadonlyMap<string, readonly Members[]>): void {
    this.begin();
    this.program.start(this.session, this.ambient({ now }), { given });
    const { past, session } = this;
    if (past.isOpen) past.noteUncounted(now);
    for (const one of past.isOpen ? this.plan.endpoints : []) {
      past.began(session, touchesOf(storedPlan(this.plan), one), new Set(given?.keys()));
    }
    this.keep();
  }

  /** Begins what can be undone; such works nest. */
  begin(): void {
    this.session.savepoint();
    for (const one of this.#undoable) one.begin();
  }

  /** Keeps what was done, for as long as the work around it is not undone. */
  keep(): void {
    this.session.release();
    for (const one of this.#undoable) one.keep();
  }

  undo(): void {
    this.session.rollback();
    for (const one of this.#undoable) one.undo();
  }

  /** What a work depends on besides the rows. */
  ambient(reading: Reading, request?: Request): Ambient {
    const { now, chooser } = reading;
    return {
      now,
      digest,
      settings: this.settings,
      random: (count) => new Uint8Array(count),
      make: (form, bytes) => this.texts.make(form, bytes),
      hooks: {
        ...this.#hooks,
        ...(request === undefined ? {} : this.#edge(request, reading)),
      },
      ...(chooser === undefined ? {} : { chooser }),
    };
  }

  /** What is judged of one request besides its steps. */
  #edge(request: Request, { shift, usedUp }: Reading): Hooks {
    const { plan, settings, past } = this;
    return {
      call: (asking) => this.#sayings.answer(asking),
      limits: (context) => {
        const passed = judgeSizes(plan, sizesOf(request), { settings });
        if (passed) this.#trace.push([passed.item, "failed"]);
        if (passed) return passed.refusal;
        this.#rates = judgeRates(plan, context, { settings, past, shift, usedUp });
        this.#trace.push(...rateSteps(this.#rates));
        return this.#rates.refusal;
      },
      idempotency: (context) => {
        const found = judgeKey(plan, request, context, this);
        const { idempotency } = plan.endpoints[context.invocation.endpoint] as Endpoint;
        if (found === undefined) return found;
        const isFresh = "fresh" in found;
        this.#trace.push([idempotency?.id ?? "", isFresh ? "held" : "failed"]);
        if (!isFresh) return found;
        this.#key = found.fresh;
        return undefined;
      },
    };
  }

  /** Does a request in the work that is begun; what is due is done before it. */
  run(request: Request, reading: Reading): Ran {
    this.#trace = [];
    this.#failures = [];
    this.#rates = undefined;
    this.#key = undefined;
    this.#takings.begin();
    this.texts.begin(reading.made);
    this.#sayings.begin(reading.says);
    for (const [counter, last] of reading.counted ?? []) {
      this.session.counters.atLeast(counter, last);
    }
    const session = reading.turn ? turned(this.session, this.plan, reading.turn) : this.session;
    const ambient = this.ambient(reading, request);
    reading.chooser?.begin("request");
    const times = [...(reading.dueAt ?? []), reading.now];
    // What code says to what happens by itself nobody foresees.
    const timed = { ...ambient, hooks: this.#hooks };
    const before = times.flatMap((now) => this.#fired(session, { ...timed, now }));
    const [path = "", ...rest] = request.target.split("?");
    const headers = headersOf(request);
    const match = this.program.match(request.method, path);
    const endpoint = match.is === "endpoint" ? this.plan.endpoints[match.endpoint] : undefined;
    // HEAD is answered as GET, without content.
    const method = endpoint?.method ?? request.method;
    const asked = { id: this.texts.make("id"), method, url: request.target };
    const sent = { headers, query: rest.join("?") };
    const crossing = crossingOf(this.plan.about, headers, match);
    if (crossing?.isKnown) this.#trace.push([crossing.item, "held"]);
    const run = (): Outcome => {
      const closed = crossingGap(this.plan.about, headers);
      if (closed !== undefined) return gapOutcome(closed);
      if (match.is !== "endpoint" || endpoint === undefined) {
        return unmatched(this.program, match, asked, { session, ambient });
      }
      const version = judgeVersion(this.plan, endpoint, sent);
      if (version !== undefined && "gap" in version) return gapOutcome(version.gap);
      const failed = (condition: FailureCondition): Outcome =>
        this.program.fail({ condition, asked, endpoint: match.endpoint }, session, ambient);
      if (version !== undefined) return failed(version.condition);
      const inputs = this.#inputs(match, request, { ...sent, now: reading.now });
      const presented = presentedBy(this.plan, sent, this, reading.now);
      const invocation = { endpoint: match.endpoint, asked, inputs, presented, address: "here" };
      const ran = this.program.execute(invocation, session, ambient);
      return this.#settled(ran, { session, ambient });
    };
    const outcome = withEnds(this.plan, endpoint, run());
    const after = this.#fired(session, timed);
    const { endpoints } = this.program;
    const response = readable(outcome.response);
    return {
      endpoint,
      isReading: match.is === "endpoint" && endpoints[match.endpoint]?.writes === false,
      outcome: { ...outcome, response: request.method === "HEAD" ? bodiless(response) : response },
      trace: this.#trace,
      failures: outcome.conditions === undefined ? [] : this.#failures,
      made: this.texts.made,
      ...this.#takings.told,
      events: [...before, ...outcome.effects.events, ...after],
      ...(crossing && { crossing }),
      said: this.#sayings.said,
    };
  }

  /** Counts the request and keeps its answer, as is stated. */
  #settled(
    outcome: Outcome,
    at: { readonly session: Session; readonly ambient: Ambient },
  ): Outcome {
    const { response, effects } = outcome;
    const { status } = response;
    const rates = this.#rates;
    if (rates !== undefined) countRates(rates, status, at);
    this.windows.note(rates?.passed ?? []);
    const isOpen = effects.gap !== undefined || effects.unsupported !== undefined;
    if (this.#key?.keeps(status) === true && !isOpen) {
      const { name, likeness } = this.#key;
      const { anew = [] } = response;
      const headers = response.headers.filter(([field]) => !anew.includes(field));
      this.kept.set(name, { likeness, at: at.ambient.now, response: { ...response, headers } });
    }
    const headers = [...response.headers, ...rateHeaders(rates)];
    return { ...outcome, response: { ...response, headers } };
  }

  #inputs(
    match: Extract<Match, { readonly is: "endpoint" }>,
    request: Request,
    sent: {
      readonly headers: ReadonlyMap<string, string>;
      readonly query: string;
      readonly now: bigint;
    },
  ): Inputs {
    const endpoint = this.plan.endpoints[match.endpoint] as Endpoint;
    let reader = this.#readers.get(match.endpoint);
    reader ??= compileInputs(this.plan, endpoint, this.#names);
    this.#readers.set(match.endpoint, reader);
    // No content is no body (RFC 9110 section 6.4).
    const body = request.body === "" ? undefined : request.body;
    const bodyBytes = Buffer.byteLength(body ?? "");
    const read = reader.read(
      {
        params: match.params,
        query: sent.query,
        headers: sent.headers,
        body: reader.binary && body !== undefined ? Buffer.from(body).toString("base64") : body,
        bodyBytes,
        ...(endpoint.idempotency && { bodyHash: digest("sha256", body ?? "") }),
      },
      { now: sent.now, settings: this.settings, digest },
    );
    const passed = judgeSizes(this.plan, sizesOf(request), {
      settings: this.settings,
      only: "body bytes",
    });
    this.#failures = passed === undefined ? reportedOf(this.plan, read.failures) : [];
    this.#trace.push(...failedInputs(this.plan, endpoint, this.#failures));
    if (passed === undefined) return read;
    const { item, refusal } = passed;
    this.#trace.push([item, "failed"]);
    return { ...read, failures: [{ condition: "too large", field: null, in: "request", refusal }] };
  }

  /** Does what is due at that time; gives what it emits. */
  fire(now: bigint): readonly Emitted[] {
    this.texts.begin();
    return this.#fired(this.session, this.ambient({ now }));
  }

  #fired(session: Session, ambient: Ambient): readonly Emitted[] {
    const { program } = this;
    const version = (): number => this.session.version;
    return fireDue({ program, times: this.#times, session, ambient, version }, this.#dueMax);
  }

  /** When something falls due behind that time; without one, when it did or will. */
  nextDue(after?: bigint): bigint | undefined {
    return this.program.nextDue(this.session, after);
  }

  /** What is wrong with the inputs of the request that was run last, told in its answer or not. */
  get wrong(): readonly InputFailure[] {
    return this.#failures;
  }

  /** What the limits said of the request that was run last; undefined: it did not come to them. */
  get rates(): RatesJudged | undefined {
    return this.#rates;
  }

  /** Counts the request that was run last, whose answer had another status. */
  countAs(status: number, now: bigint): void {
    const at = { session: this.session, ambient: this.ambient({ now }) };
    if (this.#rates !== undefined) countRates(this.#rates, status, at);
    this.windows.note(this.#rates?.passed ?? []);
  }

  /** What a text is, as far as answers have shown what was made. */
  shown(text: string, write?: Writing): string {
    return withTexts(text, this.#learned, write);
  }

  rows(resource: string): readonly Row[] {
    const { session } = this;
    return this.#looked.at(session.version, resource, () => session.all(resource));
  }

  /** Everywhere a mark stands, the text that it is. */
  learn(known: ReadonlyMap<string, string>): void {
    for (const [mark, text] of known) this.#learned.set(mark, text);
    this.rename(known);
  }

  /** The same in the work that is begun alone. */
  rename(known: ReadonlyMap<string, string>): void {
    if (known.size === 0) return;
    renameIssued(this.tokens, known);
    renameKept(this.kept, known);
    const kept = this.secrets.renamed(known);
    rewriteTexts(this, (text) => kept.get(text) ?? withTexts(text, known));
  }

  /** Everywhere an instant stands, the one that it is. */
  retime(from: bigint, to: bigint): void {
    rewriteValues(this, (value) => (value === from ? to : value));
  }
}

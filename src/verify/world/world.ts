/** A service as its document means it, run here: what a request may get, and what it changes. */
import {
  durationOf,
  type Endpoint,
  type FailureCondition,
  type ItemId,
  type Plan,
  statedOf,
} from "../../plan/index.ts";
import {
  type Ambient,
  type Came,
  type Chooser,
  compile,
  compileInputs,
  type Hooks,
  type InputReader,
  type Inputs,
  type Match,
  type Members,
  type Names,
  namesOf,
  type Outcome,
  type Program,
  type Response,
  type Row,
  type Session,
  type Value,
} from "../../run/index.ts";
import { type OpenStore, openStore } from "../../store/index.ts";
import { Book } from "./book.ts";
import { judgeSizes, judgeVersion, sizesOf } from "./edge.ts";
import { digest, hooksOf, type Issued, presentedBy, SecretBook } from "./hooks.ts";
import { judgeKey, type KeptAnswer, type NewKey } from "./keys.ts";
import { renameIssued, renameKept, rewriteRows, rewriteTexts } from "./learn.ts";
import { headersOf, type Request } from "./message.ts";
import { countRates, judgeRates, type RatesJudged } from "./rates.ts";
import { MadeTexts, withTexts } from "./texts.ts";
import { type Turn, turned } from "./turned.ts";

/** One way to read what the document leaves open, for one request. */
export interface Reading {
  /** The service's time of the request in microseconds. */
  readonly now: bigint;
  /** Texts that it made, as far as they are known, in the order in which they are made. */
  readonly made?: readonly string[];
  /** Chooses what is free; undefined: what is simplest. */
  readonly chooser?: Chooser;
  /** Rows come in this order where none is asked for. */
  readonly turn?: Turn;
}

/** An item that was come to, and what became of it. */
export type Step = readonly [item: ItemId, came: Came];

export interface Ran {
  readonly endpoint: Endpoint | undefined;
  readonly outcome: Outcome;
  readonly trace: readonly Step[];
  /** Marks of texts that were made. */
  readonly made: readonly string[];
}

const FIRINGS = 1_000;
const ENDS_MAX = 4;

/** The model of one service: rows, times and tokens. Works are done in savepoints. */
export class World {
  readonly plan: Plan;
  readonly program: Program;
  readonly texts = new MadeTexts();
  readonly tokens = new Book<Issued>();
  readonly kept = new Book<KeptAnswer>();
  readonly secrets = new SecretBook();
  readonly settings: Members;
  readonly #store: OpenStore;
  readonly #hooks: Hooks;
  readonly #names: Names;
  readonly #readers = new Map<number, InputReader>();
  #trace: Step[] = [];
  #rates: RatesJudged | undefined;
  #key: NewKey | undefined;
  /** Groups that were counted, by the name of their limit. */
  readonly #counted = new Map<string, Set<number>>();
  readonly #learned = new Map<string, string>();

  constructor(plan: Plan, settings: Members = new Map()) {
    this.plan = plan;
    this.settings = settings;
    const trace = (item: ItemId, came: Came): void => void this.#trace.push([item, came]);
    this.program = compile(plan, { trace });
    this.#names = namesOf(plan, trace);
    this.#store = openStore(plan, { store: "memory", mode: "write" });
    this.#hooks = hooksOf(this.texts, this);
  }

  get session(): Session {
    return this.#store.session;
  }

  /** Fills in the rows at the start, those given among them. */
  start(now: bigint, given?: ReadonlyMap<string, readonly Members[]>): void {
    this.begin();
    this.program.start(this.session, this.#ambient({ now }), { given });
    this.keep();
  }

  /** Begins what can be undone; such works nest. */
  begin(): void {
    this.session.savepoint();
    this.tokens.begin();
    this.kept.begin();
  }

  /** Keeps what was done, for as long as the work around it is not undone. */
  keep(): void {
    this.session.release();
    this.tokens.keep();
    this.kept.keep();
  }

  undo(): void {
    this.session.rollback();
    this.tokens.undo();
    this.kept.undo();
  }

  #ambient({ now, chooser }: Reading, request?: Request): Ambient {
    return {
      now,
      digest,
      settings: this.settings,
      random: (count) => new Uint8Array(count),
      make: (form) => this.texts.make(form),
      hooks: {
        ...this.#hooks,
        ...(request === undefined ? {} : this.#edge(request)),
      },
      ...(chooser === undefined ? {} : { chooser }),
    };
  }

  /** What is judged of one request besides its steps. */
  #edge(request: Request): Pick<Hooks, "limits" | "idempotency"> {
    const { plan, settings } = this;
    return {
      limits: (context) => {
        const passed = judgeSizes(plan, sizesOf(request), { settings });
        if (passed !== undefined) this.#trace.push([passed.item, "failed"]);
        if (passed !== undefined) return passed.refusal;
        this.#rates = judgeRates(plan, context, settings);
        for (const { limit } of this.#rates.passed) this.#trace.push([limit.id, "held"]);
        if (this.#rates.failed) this.#trace.push([this.#rates.failed.id, "failed"]);
        return this.#rates.refusal;
      },
      idempotency: (context) => {
        const found = judgeKey(plan, request, context, this.kept);
        const { idempotency } = plan.endpoints[context.invocation.endpoint] as Endpoint;
        const isFresh = found !== undefined && "fresh" in found;
        if (found !== undefined)
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
    this.#rates = undefined;
    this.#key = undefined;
    this.texts.begin(reading.made);
    const session = reading.turn ? turned(this.session, this.plan, reading.turn) : this.session;
    const ambient = this.#ambient(reading, request);
    reading.chooser?.begin("request");
    this.#fire(session, ambient);
    const [path = "", ...rest] = request.target.split("?");
    const query = rest.join("?");
    const headers = headersOf(request);
    const match = this.program.match(request.method, path);
    const endpoint = match.is === "endpoint" ? this.plan.endpoints[match.endpoint] : undefined;
    // HEAD is answered as GET, without content.
    const method = endpoint?.method ?? request.method;
    const asked = { id: this.texts.make("id"), method, url: request.target };
    const sent = { headers, query };
    const run = (): Outcome => {
      if (match.is !== "endpoint" || endpoint === undefined) {
        return this.#unmatched(match, asked, { session, ambient });
      }
      const version = judgeVersion(this.plan, endpoint, sent);
      if (version !== undefined && "gap" in version) return gapOutcome(version.gap);
      const failed = (condition: FailureCondition): Outcome =>
        this.program.fail({ condition, asked, endpoint: match.endpoint }, session, ambient);
      if (version !== undefined) return failed(version.condition);
      const inputs = this.#inputs(match, request, { ...sent, now: reading.now });
      const presented = presentedBy(this.plan, sent, this.tokens, reading.now);
      const invocation = { endpoint: match.endpoint, asked, inputs, presented, address: "here" };
      const ran = this.program.execute(invocation, session, ambient);
      return this.#settled(ran, { session, ambient });
    };
    const outcome = run();
    this.#fire(session, ambient);
    const isHead = request.method === "HEAD";
    return {
      endpoint,
      outcome: isHead ? { ...outcome, response: bodiless(outcome.response) } : outcome,
      trace: this.#trace,
      made: this.texts.made,
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
    for (const { limit, group } of rates?.passed ?? []) {
      const groups = this.#counted.get(limit.name) ?? new Set();
      this.#counted.set(limit.name, groups.add(group));
    }
    const isOpen = effects.gap !== undefined || effects.unsupported !== undefined;
    if (this.#key?.keeps(status) === true && !isOpen) {
      const { name, likeness } = this.#key;
      const { anew = [] } = response;
      const headers = response.headers.filter(([field]) => !anew.includes(field));
      this.kept.set(name, { likeness, at: at.ambient.now, response: { ...response, headers } });
    }
    if (rates === undefined || rates.headers.length === 0) {
      if (rates?.failed === undefined || rates.refusal?.retryAfter !== true) return outcome;
    }
    const isLate = rates.failed !== undefined && rates.refusal?.retryAfter === true;
    const wait = isLate ? [["Retry-After", String(rates.seconds ?? 1n)] as const] : [];
    const headers = [...response.headers, ...rates.headers, ...wait];
    return { ...outcome, response: { ...response, headers } };
  }

  #unmatched(
    match: Exclude<Match, { readonly is: "endpoint" }> | Match,
    asked: { readonly id: string; readonly method: string; readonly url: string },
    { session, ambient }: { readonly session: Session; readonly ambient: Ambient },
  ): Outcome {
    switch (match.is) {
      case "gap":
        return gapOutcome(match.gap);
      case "unknown path":
        return this.program.fail({ condition: "unknown path", asked }, session, ambient);
      case "unknown method":
        return this.program.fail(
          { condition: "unknown method", asked, allow: match.allow },
          session,
          ambient,
        );
      case "options": {
        const headers = [["Allow", match.allow.join(", ")] as const];
        return responding({ status: 204, headers, body: undefined });
      }
      case "endpoint":
        throw new Error("an endpoint that the plan has not");
    }
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
        body,
        bodyBytes,
        bodyHash: digest("sha256", body ?? ""),
      },
      { now: sent.now, settings: this.settings, digest },
    );
    const passed = judgeSizes(this.plan, sizesOf(request), {
      settings: this.settings,
      only: "body bytes",
    });
    if (passed === undefined) return read;
    this.#trace.push([passed.item, "failed"]);
    const { refusal } = passed;
    const tooLarge = { condition: "too large", field: null, in: "request", refusal } as const;
    return { ...read, failures: [tooLarge] };
  }

  /** What is due happens, in steps, until nothing is. */
  #fire(session: Session, ambient: Ambient): void {
    for (let i = 0; i < FIRINGS && this.program.anyDue(session, ambient.now); i++) {
      if (this.program.fireDue(session, ambient, FIRINGS).every(({ left }) => left)) return;
    }
  }

  /** The next instant at which something happens by itself. */
  nextDue(after: bigint): bigint | undefined {
    return this.program.nextDue(this.session, after);
  }

  /** Instants between two at which a request that was counted leaves the window of a limit. */
  windowEnds(from: bigint, to: bigint): readonly bigint[] {
    const found = this.plan.limits.flatMap(({ window, name }) => {
      const stated = statedOf(window);
      if (stated?.is !== "sliding") return [];
      const length = durationOf(stated.durationText);
      const groups = this.#counted.get(name) ?? new Set<number>();
      const { counters } = this.session;
      return [...groups].flatMap((group) =>
        counters.tallies(name, group, from - length, to - length).map((at) => at + length),
      );
    });
    return found.slice(0, ENDS_MAX);
  }

  /** What a text is, as far as answers have shown what was made. */
  shown(text: string): string {
    return withTexts(text, this.#learned);
  }

  /** Rows of a resource, as they are now. */
  rows(resource: string): readonly Row[] {
    return this.session.all(resource);
  }

  /** Everywhere a mark stands, the text that it is. */
  learn(known: ReadonlyMap<string, string>): void {
    if (known.size === 0) return;
    for (const [mark, text] of known) this.#learned.set(mark, text);
    renameIssued(this.tokens, known);
    renameKept(this.kept, known);
    const kept = this.secrets.renamed(known);
    rewriteTexts(this, (text) => kept.get(text) ?? withTexts(text, known));
  }

  /** Everywhere an instant stands, the one that it is. */
  retime(from: bigint, to: bigint): void {
    const changed = (value: Value): Value => (value === from ? to : value);
    rewriteRows(this, (values) => values.map(changed));
  }
}

function responding(response: Response): Outcome {
  return { response, commit: false, effects: { events: [], timersChanged: false, freedoms: [] } };
}

/** The outcome of a request that a gap ends before anything is done. */
function gapOutcome(id: ItemId): Outcome {
  const gap = { id, part: "", sentence: "", place: "", silent: false };
  const { response, commit, effects } = responding({ status: 501, headers: [], body: undefined });
  return { response, commit, effects: { ...effects, gap } };
}

function bodiless(response: Response): Response {
  return { ...response, body: undefined };
}

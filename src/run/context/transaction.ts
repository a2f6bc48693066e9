/** One piece of work in a transaction: rows by identity, deferred writes, effects, common names. */
import type { FailureCondition, ItemId } from "../../plan/index.ts";
import { type Digest, EvaluationFault, GapFault, type Source } from "../evaluate/index.ts";
import type {
  Ambient,
  Asked,
  Emitted,
  Invocation,
  KeptSecret,
  Members,
  Row,
  Session,
  Value,
} from "../ports/index.ts";
import { limitsOf, requestOf, type TransactionParts } from "./asked.ts";
import type { Census } from "./census.ts";
import type { Model } from "./model.ts";
import { Sight } from "./sight.ts";
import type { StepOutcome } from "./step-outcome.ts";
import { meetingTexts, Unknowns } from "./unknowns.ts";

/** A list not yet read that must be read before the next write. */
export interface Pending {
  settle(): void;
}

/** What was done to a row since the work began. */
export interface Touched {
  readonly row: Row;
  readonly created: boolean;
  deleted: boolean;
  /** Values before the first change; for a created row those at creation. */
  readonly before: readonly Value[];
  /** `counts up on every change` has counted this work's change. */
  counted: boolean;
}

const NO_ITEMS: ReadonlySet<ItemId> = new Set();
const NOTHING_TOUCHED: ReadonlyMap<string, Touched> = new Map();

/** State of one request (or timed firing). It lives as long as its savepoint. */
export class Transaction implements Source {
  readonly model: Model;
  readonly session: Session;
  readonly ambient: Ambient;
  readonly digest: Digest;
  readonly meetText: Source["meetText"];
  readonly invocation: Invocation | undefined;
  readonly asked: Asked | undefined;
  readonly unseen: boolean;
  caller: Row | null = null;
  body: Value;
  /** Inputs of a place in which texts that name rows have become those rows. */
  readonly resolved: Partial<Record<"path" | "query" | "header" | "cookie", Members>> = {};
  callerChecked = false;
  inputsChecked = false;
  bound = false;
  timersChanged = false;
  hasCompared = false; // A secret was compared with one that is kept.
  /** Data of an event are written: they go to others than the caller. */
  telling = false;
  /** Name of the error that answers. */
  answeredBy: string | undefined;
  /** Conditions of the closed list by which it is answered or goes on; undefined: by none. */
  conditions: FailureCondition[] | undefined;
  /** Name of the error that refused a timed transition, for the steps that follow it. */
  refusal: string | null = null;
  /** What the call said that has caused the transition, for its guard and steps. */
  said: Members | null = null;
  readonly events: Emitted[] = [];
  /** Calls that may have acted outside and are to stand; taken out where they are undone. */
  readonly called: { readonly key: string; readonly call: string }[] = [];
  /** Transitions taken that count towards a limit. */
  readonly counted: { row: Row; judge(tx: Transaction, row: Row): StepOutcome | undefined }[] = [];
  // Collections are made when something is put in: most requests read, and leave them empty.
  #freedoms: Set<ItemId> | undefined;
  #plain: Map<Row, ReadonlyMap<number, string>> | undefined;
  #made: WeakSet<object> | undefined;
  #secrets: WeakMap<KeptSecret, string> | undefined;
  #touched: Map<string, Touched> | undefined;
  #rows: Map<string, Map<number, Row>> | undefined;
  #dirty: Set<Row> | undefined;
  readonly #isRaw: boolean;
  readonly #unknowns: Unknowns;
  readonly #sight = new Sight(this);
  #pending: Set<Pending> | undefined;
  /** What was touched since the innermost `nest`; undefined outside of one. */
  recent: Set<Touched> | undefined;

  constructor({ model, session, ambient, invocation, asked, isRaw = false }: TransactionParts) {
    this.asked = asked ?? invocation?.asked;
    this.#isRaw = isRaw;
    this.model = model;
    this.session = session;
    this.ambient = ambient;
    this.digest = ambient.digest;
    this.meetText = meetingTexts(model.options.doubts);
    this.invocation = invocation;
    this.unseen = invocation === undefined;
    this.body = invocation?.inputs.body;
    this.#unknowns = new Unknowns(this);
  }

  /** What the document leaves free and the work has decided. */
  get freedoms(): ReadonlySet<ItemId> {
    return this.#freedoms ?? NO_ITEMS;
  }

  /** Notes that something free was decided. */
  decide(item: ItemId): void {
    this.#freedoms ??= new Set();
    this.#freedoms.add(item);
  }

  /** What was done to rows, by resource and key. */
  get touched(): ReadonlyMap<string, Touched> {
    return this.#touched ?? NOTHING_TOUCHED;
  }

  /** A secret as it was made, shown to the request that made it alone. */
  plainOf(row: Row, field: number): string | undefined {
    return this.#plain?.get(row)?.get(field);
  }

  /** Keeps secrets of a row as they were made: field -> text. */
  keepPlain(row: Row, texts: ReadonlyMap<number, string>): void {
    this.#plain ??= new Map();
    this.#plain.set(row, texts);
  }

  /** Notes that a part was made in this work. */
  noteMade(part: object): void {
    (this.#made ??= new WeakSet()).add(part);
  }

  /** Whether the part was made in this work. */
  isMade(part: object): boolean {
    return this.#made?.has(part) === true;
  }

  /** Keeps the text of a secret inside a value, beside its kept form. */
  noteSecret(kept: KeptSecret, text: string): void {
    this.#secrets ??= new WeakMap();
    this.#secrets.set(kept, text);
  }

  /** The text of a secret that this work has kept; undefined: nobody has it any more. */
  secretOf(kept: KeptSecret): string | undefined {
    return this.#secrets?.get(kept);
  }

  /** The value of a name that every unit may use; undefined for any other. */
  common(name: string): Value {
    switch (name) {
      case "now":
        return this.ambient.now;
      case "setting":
        return this.ambient.settings;
      case "caller":
        return this.caller;
      case "body":
        return this.body;
      case "said":
        return this.said;
      case "error":
        return new Map([["name", this.refusal]]);
      case "path":
      case "query":
      case "header":
      case "cookie":
        return this.resolved[name] ?? this.invocation?.inputs[name];
      case "request":
        return requestOf(this.asked);
      case "limit":
        return limitsOf(this.model.plan, this.ambient);
      default:
        return name === "service" ? this.model.service : undefined;
    }
  }

  /** The one object that stands for a row in this work. */
  identify(row: Row): Row {
    this.#rows ??= new Map();
    let known = this.#rows.get(row.resource);
    if (known === undefined) {
      known = new Map();
      this.#rows.set(row.resource, known);
    }
    const same = known.get(row.key);
    if (same !== undefined) return same;
    known.set(row.key, row);
    return row;
  }

  known(resource: string, key: number): Row | undefined {
    return this.#rows?.get(resource)?.get(key);
  }

  get(resource: string, key: number): Row | undefined {
    const known = this.#rows?.get(resource)?.get(key);
    if (known !== undefined) {
      return this.touched.get(`${resource} ${key}`)?.deleted === true ? undefined : known;
    }
    const row = this.session.get(resource, key);
    return row === undefined ? undefined : this.identify(row);
  }

  /** Reads several rows ahead, so that `get` finds them. */
  prefetch(resource: string, keys: Iterable<number>): void {
    const known = this.#rows?.get(resource);
    const missing = new Set<number>();
    for (const key of keys) if (known?.has(key) !== true) missing.add(key);
    if (missing.size === 0) return;
    for (const row of this.session.getMany(resource, [...missing])) this.identify(row);
  }

  /** All rows of a resource, where it is known which there are. */
  all(resource: string): readonly Row[] {
    const more = this.moreGap(resource);
    if (more !== undefined) throw new GapFault(more);
    const rows = this.kept(resource);
    for (const row of rows) this.meetThere(row);
    return rows;
  }

  /** All rows of a resource that are kept, or that have the text; some may be there no more. */
  kept(...of: Parameters<Session["all"]>): readonly Row[] {
    this.flush();
    return this.session.all(...of).map((row) => this.identify(row));
  }

  /** The gap that keeps it from being known whether there are rows that were not found. */
  moreGap(...of: Parameters<Unknowns["more"]>): ItemId | undefined {
    return this.#isRaw ? this.model.info(of[0]).gaps.start : this.#unknowns.more(...of);
  }

  /** Throws `GapFault` where the row's value at `place` is not known; -1: any of its values. */
  meet(row: Row, place = -1): void {
    const gap = this.#isRaw ? undefined : this.#unknowns.value(row, place);
    if (gap !== undefined) throw new GapFault(gap);
  }

  /** Throws `GapFault` where the caller may not see a row that a reference has led to. */
  see(row: Row, through: string): void {
    this.#sight.see(row, through);
  }

  /** Whether the row is sure to be there still. */
  isThere(row: Row): boolean {
    return this.#isRaw || this.#unknowns.there(row) === undefined;
  }

  /** Throws `GapFault` where it is not known whether the row is there still. */
  meetThere(row: Row): void {
    const gap = this.#isRaw ? undefined : this.#unknowns.there(row);
    if (gap !== undefined) throw new GapFault(gap);
  }

  /** Whether some row of the resource may have values that are not known, or be there no more. */
  hasDoubts(resource: string): boolean {
    return !this.#isRaw && this.#unknowns.some(resource);
  }

  token(row: Row): string {
    const issued = this.issueToken?.(row);
    if (issued === undefined) throw new EvaluationFault("unavailable", "no token is issued");
    return issued;
  }

  /** Set where all rows are judged, and none is changed. */
  census: Census | undefined;
  /** Set by the program where the plan has a scheme whose tokens are issued. */
  issueToken: ((row: Row) => string | undefined) | undefined;

  makePart(part: string, given: Members): Members {
    return this.model.literals.make(this, part, given);
  }

  passwordMatches(stored: string, secret: string): boolean {
    const { verify } = this.ambient.hooks;
    if (verify === undefined) throw new EvaluationFault("unavailable", "no secret is compared");
    this.hasCompared = true;
    return verify(stored, secret);
  }

  /** Notes a list that must be read before the next write. */
  defer(list: Pending): void {
    this.#pending ??= new Set();
    this.#pending.add(list);
  }

  #beforeWrite(): void {
    this.#sight.forget();
    if (this.#pending === undefined) return;
    for (const list of this.#pending) list.settle();
    this.#pending.clear();
  }

  create(resource: string, values: Value[]): Row {
    this.#beforeWrite();
    this.flush();
    this.ambient.hooks.changed?.(resource);
    const key = this.session.insert(resource, values);
    const row = this.identify({ resource, key, values });
    this.#touched ??= new Map();
    const touched = { row, created: true, deleted: false, before: [...values], counted: true };
    this.#touched.set(`${resource} ${key}`, touched);
    this.recent?.add(touched);
    return row;
  }

  /** Notes that a row is about to be changed; its values may be set afterwards. */
  change(row: Row): Touched {
    this.meet(row);
    this.#beforeWrite();
    this.#dirty ??= new Set();
    this.#dirty.add(row);
    return this.#touch(row);
  }

  #touch(row: Row): Touched {
    const name = `${row.resource} ${row.key}`;
    this.ambient.hooks.changed?.(row.resource);
    this.#touched ??= new Map();
    let touched = this.#touched.get(name);
    if (touched === undefined) {
      touched = { row, created: false, deleted: false, before: [...row.values], counted: false };
      this.#touched.set(name, touched);
    }
    this.recent?.add(touched);
    return touched;
  }

  delete(row: Row): void {
    this.meet(row);
    this.#beforeWrite();
    const touched = this.#touch(row);
    if (touched.deleted) return;
    touched.deleted = true;
    this.#dirty?.delete(row);
    this.session.delete(row.resource, row.key);
  }

  isDeleted(row: Row): boolean {
    return this.touched.get(`${row.resource} ${row.key}`)?.deleted === true;
  }

  /** Writes what was changed; every query calls it first. */
  flush(): void {
    if (this.#dirty === undefined || this.#dirty.size === 0) return;
    for (const row of this.#dirty) this.session.update(row.resource, row.key, row.values);
    this.#dirty.clear();
  }

  /** Begins something that can be undone alone; `undo` also forgets what was read since. */
  nest(): { keep(): void; undo(): void } {
    this.#beforeWrite();
    this.flush();
    this.session.savepoint();
    const [touched, events] = [new Map(this.touched), this.events.length];
    const called = this.called.length;
    const outer = this.recent;
    this.recent = new Set();
    const counted = this.counted.length;
    const values = new Map(
      [...this.touched.values()].map((one) => [
        one,
        { values: [...one.row.values], deleted: one.deleted, counted: one.counted },
      ]),
    );
    return {
      keep: () => {
        this.flush();
        this.session.release();
        for (const one of this.recent ?? []) outer?.add(one);
        this.recent = outer;
      },
      undo: () => {
        this.#dirty?.clear();
        this.#unknowns.forget();
        this.session.rollback();
        for (const one of this.touched.values()) {
          const saved = values.get(one);
          // Its key may be given again, to another row.
          if (saved === undefined && one.created) {
            this.#rows?.get(one.row.resource)?.delete(one.row.key);
          }
          one.row.values.splice(0, one.row.values.length, ...(saved?.values ?? one.before));
          one.deleted = saved?.deleted ?? false;
          one.counted = saved?.counted ?? false;
        }
        this.#touched = touched;
        this.events.length = events;
        this.called.length = called;
        this.counted.length = counted;
        this.recent = outer;
      },
    };
  }
}

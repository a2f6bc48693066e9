/** One request at work on a copy of the world: what it sees, what it touched, how it may end. */
import type {
  Expression,
  Part,
  Plan,
  Refusal,
  ResourceInvariant,
  ValueType,
} from "../../src/plan/index.ts";
import { meet, pass } from "./coverage.ts";
import { evaluate, GapFault, GapRead, type Host, type Names } from "./evaluate.ts";
import { resolveRefs } from "./refs.ts";
import { lookAt } from "./sight.ts";
import { goneGap, moreGap, valueGap } from "./unknown.ts";
import { equal, Fault, GapMet, type Ref, type Value } from "./values.ts";
import { type Answer, copyWorld, type Row, type World } from "./world.ts";

/** What the world outside supplies; `random` is asked in the order in which values are made. */
export interface Outside {
  readonly settings: ReadonlyMap<string, Value>;
  /** Whether the code behind a call says what it was given, under the same names. */
  readonly echoes?: boolean;
  random(bytes: number): Uint8Array;
  /** Where works have chance of their own: the bytes of a new one. */
  turn?(): (bytes: number) => Uint8Array;
  /** The free part of an id made at an instant. */
  idText(now: bigint, random: (bytes: number) => Uint8Array): string;
}

export type Ending =
  | { readonly is: "respond"; readonly make: () => Answer }
  | {
      readonly is: "error";
      readonly error: string;
      readonly on: string | null;
      readonly given: ReadonlyMap<string, Value>;
      readonly keep: boolean;
      readonly retryAfter?: string;
    }
  /** `refuses`: that it is refused is stated, its error is not shown. */
  | { readonly is: "gap"; readonly gap: string; readonly refuses?: boolean }
  | {
      readonly is: "failures";
      readonly failures: readonly {
        readonly condition: string;
        readonly field: string | null;
        readonly refusal?: Refusal;
      }[];
    }
  | { readonly is: "again"; readonly answer: Answer };

type MakePart = (work: Work, part: Part, given: ReadonlyMap<string, Value>) => Value;

let makeLiteral: MakePart = (_, __, given) => given;

/** Gives what makes a part, which itself evaluates. */
export function makePartsWith(make: MakePart): void {
  makeLiteral = make;
}

/** What the document says that its version is. */
function versionOf({ versioning: { version } }: Plan): Value {
  return version.is === "stated" ? version.value : undefined;
}

/** What one request (or one firing) does to the world. */
export class Work implements Host {
  readonly plan: Plan;
  readonly outside: Outside;
  readonly now: bigint;
  world: World;
  caller: Ref | null = null;
  /** What the request gives, by its place. */
  readonly asked = new Map<string, Value>();
  /** How the limits stand that were judged. */
  readonly limits = new Map<string, Value>();
  /** The error of the refusal that a transition follows. */
  refusal: string | null = null;
  /** The clock sees rows as they are kept, whatever of them is not known. */
  isRaw = false;
  /** Whether `Rows` invariants hide rows now. */
  hides = true;
  /** Rows created or changed or deleted, in the order of the first touch. */
  touched: Ref[] = [];
  created = new Set<string>();
  /** Rows that were changed by this request, so that `counts up on every change` counts once. */
  counted = new Set<string>();
  /** Rows as they were before this request touched them. */
  before = new Map<string, Row>();
  /** What was deleted, as it was last. */
  gone = new Map<string, Row>();
  /** Texts of fields that are shown on create alone. */
  plain = new Map<string, string>();
  /** Data of an event are written. */
  telling = false;
  /** Parts that were made, and secrets that were kept inside values. */
  readonly made = new WeakSet<object>();
  /** Rows that took a transition which a limit sums. */
  moved: { readonly limit: string; readonly row: Ref }[] = [];
  makeToken: ((row: Ref) => string) | undefined;
  /** The answer of the call that causes a transition. */
  said: Value;
  readonly random: (bytes: number) => Uint8Array;

  constructor(plan: Plan, outside: Outside, world: World, now: bigint) {
    this.plan = plan;
    this.outside = outside;
    this.world = world;
    this.now = now;
    this.random = outside.turn?.() ?? outside.random;
  }

  find(ref: Ref): Row | undefined {
    return this.world.rows.get(ref.resource)?.find((row) => row.key === ref.key);
  }

  rows(resource: string): readonly Ref[] {
    const all = (this.world.rows.get(resource) ?? []).map(({ key }) => ({ resource, key }));
    const { invariants = [] } = this.plan.resources.find((one) => one.name === resource) ?? {};
    const rules = invariants.filter((one) => one.kind === "rows");
    this.meetUnseen(all, invariants);
    if (!this.hides || this.caller === null || rules.length === 0) return all;
    this.hides = false;
    try {
      const seen = all.filter((it) =>
        rules.every((rule) => this.eval(rule.where, new Map([["it", it]])) === true),
      );
      if (seen.length > 0) meet("invariant", "rows, seen");
      if (seen.length < all.length) meet("invariant", "rows, hidden");
      return seen;
    } finally {
      this.hides = true;
    }
  }

  /** Which rows are kept, or may be seen by the caller, is not shown: who would find some meets it. */
  private meetUnseen(all: readonly Ref[], invariants: readonly ResourceInvariant[]): void {
    const isAsked = this.hides && this.caller !== null;
    for (const one of all.length === 0 ? [] : invariants) {
      if (one.kind !== "gap") continue;
      if (one.of === "kept" || (one.of === "rows" && isAsked)) throw new GapMet(one.gap);
    }
  }

  /** Runs something that sees every row, whoever asks. */
  seeingAll<T>(run: () => T): T {
    const before = this.hides;
    this.hides = false;
    try {
      return run();
    } finally {
      this.hides = before;
    }
  }

  field(ref: Ref, name: string): Value {
    const row = this.find(ref) ?? this.gone.get(rowName(ref));
    if (row === undefined) throw new Fault(`no row ${rowName(ref)}`);
    const gap = this.isRaw ? undefined : valueGap(this, ref, name);
    if (gap !== undefined) throw new GapFault(gap);
    return row.values.get(name);
  }

  /** Throws where some value of the row is not known. */
  meetAny(ref: Ref): void {
    const gap = this.isRaw ? undefined : valueGap(this, ref);
    if (gap !== undefined) throw new GapFault(gap);
  }

  /** Throws where it is not known whether the row is there still. */
  meetThere(ref: Ref): void {
    const gap = this.isRaw ? undefined : goneGap(this, ref);
    if (gap !== undefined) throw new GapFault(gap);
  }

  /** Throws where it is not known whether there are more rows of the resource. */
  meetMore(resource: string): void {
    const gap = this.isRaw ? undefined : moreGap(this, resource);
    if (gap !== undefined) throw new GapFault(gap);
  }

  /** The rows that fulfil a condition, where it is known which do. */
  every(resource: string, holds: (it: Ref) => boolean): readonly Ref[] {
    this.meetMore(resource);
    const found = this.rows(resource).filter(holds);
    for (const one of found) this.meetThere(one);
    return found;
  }

  /** The first row that fulfils a condition; undefined: it is known that none does. */
  first(resource: string, holds: (it: Ref) => boolean): Ref | undefined {
    const found = this.rows(resource).find(holds);
    if (found === undefined) this.meetMore(resource);
    else this.meetThere(found);
    return found;
  }

  named(type: ValueType, value: Value): Value | undefined {
    const none = new Error("names no row");
    try {
      return resolveRefs(this, type, value, () => none);
    } catch (thrown) {
      if (thrown === none) return undefined;
      throw thrown;
    }
  }

  part(name: string, given: ReadonlyMap<string, Value>): Value {
    const part = this.plan.partTypes.find((one) => one.name === name);
    if (part === undefined) throw new Fault(`no part ${name}`);
    return makeLiteral(this, part, given);
  }

  token(row: Ref): string {
    if (this.makeToken === undefined) throw new Fault("no token is issued");
    return this.makeToken(row);
  }

  see(row: Ref, through: string): void {
    const { caller } = this;
    const isOwn = this.created.has(rowName(row)) || (caller !== null && equal(row, caller));
    if (!this.hides || isOwn || this.rows(row.resource).some((one) => equal(one, row))) return;
    meet("invariant", "rows, beyond");
    const rows = this.plan.resources
      .find((one) => one.name === row.resource)
      ?.invariants.find((one) => one.kind === "rows" || (one.kind === "gap" && one.of === "rows"));
    throw new GapFault(`${rows?.id}/through ${through}`);
  }

  /** The value that a step names: rows are looked at, where references have led to them. */
  name(expression: Expression, names: Iterable<readonly [string, Value]>): Value {
    const known = [...names];
    const value = this.eval(expression, known);
    try {
      lookAt(expression.code, value, new Map(known), (row, through) => this.see(row, through));
    } catch (thrown) {
      if (thrown instanceof GapFault) throw new GapMet(thrown.gap);
      throw thrown;
    }
    return value;
  }

  /** Names that every expression sees, with further ones. */
  names(further: Iterable<readonly [string, Value]>): Names {
    const error =
      this.refusal === null ? [] : [["error", new Map([["name", this.refusal]])] as const];
    const said = this.said === undefined ? [] : [["said", this.said] as const];
    return new Map<string, Value>([
      ["now", this.now],
      ["caller", this.caller],
      ["setting", this.outside.settings],
      ["service", new Map([["version", versionOf(this.plan)]])],
      ...this.asked,
      ...error,
      ...said,
      ...further,
    ]);
  }

  eval(expression: Expression, names: Iterable<readonly [string, Value]>): Value {
    try {
      return evaluate(expression.code, this.names(names), this);
    } catch (thrown) {
      if (thrown instanceof GapRead || thrown instanceof GapFault) throw new GapMet(thrown.gap);
      throw thrown;
    }
  }

  touch(ref: Ref): void {
    const name = rowName(ref);
    if (!this.touched.some((one) => rowName(one) === name)) this.touched.push(ref);
  }

  /** All that can be undone, as it is now. */
  save(): () => void {
    const { world, touched, created, counted, gone, plain, moved } = this;
    const copy = {
      touched: [...touched],
      created: new Set(created),
      counted: new Set(counted),
      gone: new Map(gone),
      plain: new Map(plain),
      moved: [...moved],
    };
    this.world = copyWorld(world);
    return () => Object.assign(this, copy, { world });
  }

  refuse(refusal: Refusal, names: Iterable<readonly [string, Value]>, keep = false): Ending {
    if (refusal.is === "gap") return { is: "gap", gap: refusal.gap, refuses: true };
    pass(refusal);
    const known = [...names];
    const given = new Map(refusal.with.map((one) => [one.name, this.eval(one.value, known)]));
    return { is: "error", error: refusal.error, on: refusal.on ?? null, given, keep };
  }
}

export function rowName({ resource, key }: Ref): string {
  return `${resource} ${key}`;
}

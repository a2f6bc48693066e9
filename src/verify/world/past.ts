/**
 * What the model does not know of a service: what was there before, and what has come of requests
 * that nobody could judge. A value that is not known stands as such in its row.
 */
import { callTouchesOf, type ItemId, type Plan, type Touch } from "../../plan/index.ts";
import type { Alike, HostDoubts, Row, Session, Value } from "../../run/index.ts";
import { unforeseen } from "./sayings.ts";
import { isMarked } from "./texts.ts";

/** What is met where an answer hangs on what is not known: no item of a document is named so. */
export const PAST: ItemId = "what was before";

/** Stands for a value that nobody here knows; no value equals it, and none is greater or less. */
class Unknown {
  valueOf(): number {
    return Number.NaN;
  }

  toString(): string {
    return "";
  }
}

/** Whether the value is not known. */
export function isUnknown(value: Value): boolean {
  return (value as unknown) instanceof Unknown;
}

/** A value that is not known. */
export function unknown(): Value {
  return new Unknown() as unknown as Value;
}

const nameOf = ({ resource, key }: Pick<Row, "resource" | "key">): string => `${resource} ${key}`;

/** A JSON Web Token in its compact form (RFC 7519 section 3). */
const TOKEN = /[\w-]+\.[\w-]+\.[\w-]+/g;

/**
 * Doubts of one model. What makes less known is never undone; what makes more known is undone with
 * the work that it comes from.
 */
export class Past implements HostDoubts {
  /** The service had data before it was watched. */
  readonly isOpen: boolean;
  /**
   * What is thought of that the model does not know: nothing, so that it is taken to be whole; all
   * of it; or what is read of many rows alone, for values that are kept.
   */
  asked: "nothing" | "all" | "many" = "nothing";
  /** Since when all requests are counted, in microseconds. */
  countedFrom: bigint | undefined;
  readonly #plan: Plan;
  /** Resources of which rows may have been made unseen. */
  readonly #holes = new Set<string>();
  /** Rows of which it was not seen how they were made. */
  readonly #adopted = new Set<string>();
  /** Rows that may be gone. */
  readonly #unsure = new Set<string>();
  /** Texts that the service has made under our eyes. */
  readonly #made = new Set<string>();
  /** What takes back what the works under way have made known, the innermost last. */
  readonly #works: (() => void)[][] = [];
  #hasUnknown = false;
  /** Tokens in answers that nobody could judge; undefined: any. */
  #tokens: Set<string> | undefined = new Set();
  /** What code outside may do at any time. */
  readonly #called: ReadonlyMap<string, Touch>;

  constructor(plan: Plan, isOpen: boolean) {
    this.#plan = plan;
    this.#called = callTouchesOf(plan, unforeseen(plan));
    this.isOpen = isOpen;
  }

  /** Whether the model is all that there is. */
  get isWhole(): boolean {
    const isSeen = !this.isOpen && !this.#hasUnknown && this.#holes.size === 0;
    return isSeen && this.#called.size === 0;
  }

  get isSure(): boolean {
    return this.asked === "nothing" && !this.#hasUnknown && this.#called.size === 0;
  }

  get hasHoles(): boolean {
    return this.#holes.size > 0;
  }

  /** What is met by what hangs on requests and tokens before `from`; undefined: all is known. */
  before(from: bigint): ItemId | undefined {
    const { countedFrom } = this;
    return this.asked === "all" && countedFrom !== undefined && from <= countedFrom
      ? PAST
      : undefined;
  }

  /** What is met by a token of which nobody here knows that it was issued. */
  token(text: string): ItemId | undefined {
    const mayBe = !this.isWhole || this.#tokens === undefined || this.#tokens.has(text);
    return this.asked === "all" && mayBe ? PAST : undefined;
  }

  /** Notes the texts of an answer that nobody could judge; undefined: nobody has seen it. */
  noteTokens(texts: readonly string[] | undefined): void {
    const found = texts?.flatMap((text) => text.match(TOKEN) ?? []);
    for (const token of found ?? []) this.#tokens?.add(token);
    if (found === undefined) this.#tokens = undefined;
  }

  /** Notes a request that is not counted. */
  noteUncounted(at: bigint): void {
    const { countedFrom } = this;
    if (countedFrom === undefined || at > countedFrom) this.countedFrom = at;
  }

  /** The rows at the start are from before: of those that nobody told, what may have changed. */
  began(session: Session, touches: ReadonlyMap<string, Touch>, told: ReadonlySet<string>): void {
    if (!this.isOpen) return;
    for (const { name } of this.#plan.resources) {
      for (const { key } of session.all(name)) this.#adopted.add(nameOf({ resource: name, key }));
    }
    const untold = [...touches].filter(([resource]) => !told.has(resource));
    this.disturb(session, new Map(untold.map(([name, one]) => [name, { ...one, made: false }])));
  }

  begin(): void {
    this.#works.push([]);
  }

  keep(): void {
    const kept = this.#works.pop() ?? [];
    this.#works.at(-1)?.push(...kept);
  }

  undo(): void {
    for (const takeBack of this.#works.pop()?.toReversed() ?? []) takeBack();
  }

  /** Notes what an answer has shown to be made just then. */
  noteMade(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#made.has(text)) continue;
      this.#made.add(text);
      this.#works.at(-1)?.push(() => this.#made.delete(text));
    }
  }

  noteAdopted(row: Pick<Row, "resource" | "key">): void {
    this.#adopted.add(nameOf(row));
    this.#hasUnknown = true;
  }

  /** A value of a row is not known any more. */
  noteUnknown(): void {
    this.#hasUnknown = true;
  }

  /** An answer shows the row. */
  noteThere(row: Row): void {
    const name = nameOf(row);
    if (this.#unsure.delete(name)) this.#works.at(-1)?.push(() => this.#unsure.add(name));
  }

  more(resource: string, alike: Alike, isOne: boolean): ItemId | undefined {
    if (this.asked === "nothing" || (isOne && this.asked === "many")) return undefined;
    if (this.#holes.has(resource) || this.#called.get(resource)?.made === true) return PAST;
    if (!this.isOpen) return undefined;
    const isKnown = alike.some(([field, value]) => this.#isOurs(resource, field, value));
    return isKnown ? undefined : PAST;
  }

  /** Whether whatever has that value came to be under our eyes. */
  #isOurs(resource: string, field: string, value: Value): boolean {
    const owner = this.#plan.resources.find(({ name }) => name === resource);
    const type = owner?.fields.find(({ name }) => name === field)?.type.type;
    if (type?.kind === "reference") {
      const key = typeof value === "number" ? value : (value as Row | undefined)?.key;
      if (key === undefined || key === null) return false;
      return !this.#adopted.has(nameOf({ resource: type.resource, key }));
    }
    return owner?.key === field && typeof value === "string" && this.isMade(resource, value);
  }

  /** Whether the text that names a row was made under our eyes. */
  isMade(resource: string, text: string): boolean {
    const owner = this.#plan.resources.find(({ name }) => name === resource);
    const type = owner?.fields.find(({ name }) => name === owner.key)?.type.type;
    const prefix = type?.kind === "id" ? (type.prefix ?? "") : "";
    return text.startsWith(prefix) && this.#made.has(text.slice(prefix.length));
  }

  /** Whether code outside may set the field at any time. */
  isCalled(resource: string, field: string): boolean {
    return this.#called.get(resource)?.fields.has(field) === true;
  }

  value(row: Row, place: number): ItemId | undefined {
    if (this.asked === "all" && this.#called.has(row.resource)) {
      const owner = this.#plan.resources.find(({ name }) => name === row.resource);
      if (this.isCalled(row.resource, owner?.fields[place]?.name ?? "")) return PAST;
    }
    if (!this.#hasUnknown) return undefined;
    if (isUnknown(row.values[place])) return PAST;
    return this.#isRestless(row) ? PAST : undefined;
  }

  /** Whether the row may change by itself at a time that is not known. */
  #isRestless({ resource, values }: Row): boolean {
    const owner = this.#plan.resources.find(({ name }) => name === resource);
    if (owner === undefined) return false;
    const own = owner.invariants.flatMap((one) => (one.kind === "kept for" ? [one.after] : []));
    const machine = this.#plan.machines.find((one) => one.resource === resource);
    const state = owner.fields.findIndex(({ name }) => name === machine?.field);
    const times = (machine?.transitions ?? []).flatMap(({ on, from }) => {
      const isFrom = isUnknown(values[state]) || from.includes(values[state] as string);
      return on.is === "time" && isFrom ? [on.field] : [];
    });
    return owner.fields.some(
      ({ name }, i) =>
        (name.startsWith("#") || times.includes(name) || own.includes(name)) &&
        isUnknown(values[i]),
    );
  }

  there(row: Row): ItemId | undefined {
    if (this.asked !== "all") return undefined;
    const mayBeGone = this.#called.get(row.resource)?.gone === true;
    return mayBeGone || this.#unsure.has(nameOf(row)) ? PAST : undefined;
  }

  text(text: string): ItemId | undefined {
    return isMarked(text) ? PAST : undefined;
  }

  /** Something may have been done that nobody could judge. */
  disturb(session: Session, touches: ReadonlyMap<string, Touch>): void {
    for (const [resource, { made, gone, fields }] of touches) {
      if (made) this.#holes.add(resource);
      const owner = this.#plan.resources.find(({ name }) => name === resource);
      if (owner === undefined || (!gone && fields.size === 0)) continue;
      for (const row of session.all(resource)) {
        if (gone) this.#unsure.add(nameOf(row));
        if (fields.size === 0) continue;
        const isOpen = (i: number): boolean => {
          const { name = "" } = owner.fields[i] ?? {};
          return fields.has(name) && name !== owner.key;
        };
        const values = row.values.map((value, i) => (isOpen(i) ? unknown() : value));
        session.update(resource, row.key, values);
        this.#hasUnknown = true;
      }
      if (gone) this.#hasUnknown = true;
    }
  }
}

/** Where readers say what was wrong and where; it knows the path of the value being read. */
import type { InputPlace, Refusal } from "../../plan/index.ts";
import type { InputFailure, Later, Members, Value } from "../ports/index.ts";
import type { Wrong } from "../wire/wrong.ts";

/** What the expressions of rules can see besides the value. */
export interface Surroundings {
  readonly now: bigint;
  readonly settings: Members;
  sha256(text: string): string;
}

/** A condition over the whole body that decides whether a member had to be there. */
export type RequiredWhen = (body: Value, around: Surroundings) => boolean;

interface Found extends InputFailure {
  readonly when?: RequiredWhen;
}

/** Failures of one request, in the order in which they were met. */
export class FailureCollector {
  readonly around: Surroundings;
  private place: InputPlace | "request" = "request";
  private readonly path: (string | number)[] = [];
  private readonly found: Found[] = [];
  private waiting = 0;

  private readonly ignored: ReadonlySet<string>;

  /** `ignored`: conditions that the document states to be ignored; they are never recorded. */
  constructor(around: Surroundings, ignored: ReadonlySet<string>) {
    this.around = around;
    this.ignored = ignored;
  }

  /** From here on, failures belong to this place. */
  at(place: InputPlace | "request"): void {
    this.place = place;
  }

  enter(name: string | number): void {
    this.path.push(name);
  }

  leave(): void {
    this.path.pop();
  }

  /** How many failures there are for certain: those that wait for the body are not among them. */
  get count(): number {
    return this.found.length - this.waiting;
  }

  /** Records that the value at the path (and `name` below it) is wrong. */
  wrong(wrong: Wrong, name?: string): void {
    // What is told lies further inside, and is recorded there.
    if (wrong.condition !== "told") this.add(wrong.condition, name, wrong.refusal);
  }

  add(condition: InputFailure["condition"], name?: string, refusal?: Refusal): void {
    if (this.ignored.has(condition)) return;
    this.found.push({ condition, field: this.field(name), in: this.place, refusal });
  }

  /** Records an absence that is a failure only if the condition holds over the whole body. */
  absentIf(when: RequiredWhen, name: string): void {
    if (this.ignored.has("absent")) return;
    this.waiting++;
    this.found.push({ condition: "absent", field: this.field(name), in: this.place, when });
  }

  /** Records what is a failure only if a condition comes out that is judged later. */
  later({ condition, refusal }: Wrong, later: Later, name?: string): void {
    if (condition === "told" || this.ignored.has(condition)) return;
    this.waiting++;
    this.found.push({ condition, field: this.field(name), in: this.place, refusal, later });
  }

  /** All failures, now that the body is read. */
  failures(body: Value): readonly InputFailure[] {
    if (this.waiting === 0) return this.found;
    const holding = this.found.filter(({ when }) => !when || this.holds(when, body));
    return holding.map(({ when: _when, ...failure }) => failure);
  }

  /** A body with other failures may lack what the condition reads: those speak then. */
  private holds(when: RequiredWhen, body: Value): boolean {
    try {
      return when(body, this.around);
    } catch (fault) {
      if (this.found.every((failure) => failure.when ?? failure.later)) throw fault;
      return false;
    }
  }

  private field(name: string | undefined): string | null {
    const path = name === undefined ? this.path : [...this.path, name];
    return path.length === 0 ? null : path.join(".");
  }
}

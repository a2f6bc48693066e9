/** Where readers say what was wrong and where; it knows the path of the value being read. */

import type { FailureCondition, InputPlace, Refusal } from "../../plan/index.ts";
import type { Digest } from "../evaluate/index.ts";
import type { InputFailure, Later, Members, Value } from "../ports/index.ts";
import { type Nesting, nameAt } from "../wire/nested.ts";
import type { Wrong } from "../wire/wrong.ts";

/** What the expressions of rules can see besides the value. */
export interface Surroundings {
  readonly now: bigint;
  readonly settings: Members;
  readonly digest: Digest;
}

/** A condition over the object given that decides whether a member of it had to be there. */
export type RequiredWhen = (given: Value, around: Surroundings) => boolean;

interface Found extends InputFailure {
  readonly when?: () => boolean;
}

/** A step into a value; `isHidden`: names of what is inside do not tell it. */
interface PathStep {
  readonly name: string | number;
  /** Its name in the value that is read. */
  readonly own: string | number;
  readonly isHidden: boolean;
}

/** Failures of one request, in the order in which they were met. */
export class FailureCollector {
  readonly around: Surroundings;
  private place: InputPlace | "request" = "request";
  private nesting: Nesting | undefined;
  private readonly path: PathStep[] = [];
  private readonly found: Found[] = [];
  private waiting = 0;

  private readonly ignored: ReadonlySet<string>;
  /** Conditions that were met and are ignored, in the order met. */
  met: FailureCondition[] | undefined;

  /** `ignored`: conditions that the document states to be ignored; they are never recorded. */
  constructor(around: Surroundings, ignored: ReadonlySet<string>) {
    this.around = around;
    this.ignored = ignored;
  }

  /** From here on, failures belong to this place; `nesting`: how names nest in it. */
  at(place: InputPlace | "request", nesting?: Nesting): void {
    this.place = place;
    this.nesting = nesting;
  }

  enter(name: string | number, isHidden = false, own = name): void {
    this.path.push({ name, isHidden, own });
  }

  leave(): void {
    this.path.pop();
  }

  /** How many failures there are for certain: those that wait for the body are not among them. */
  get count(): number {
    return this.found.length - this.waiting;
  }

  private isIgnored(condition: InputFailure["condition"]): boolean {
    if (condition === "refused" || !this.ignored.has(condition)) return false;
    this.met ??= [];
    this.met.push(condition);
    return true;
  }

  /** Records that the value at the path (and `name` below it) is wrong. */
  wrong(wrong: Wrong, name?: string): void {
    // What is told lies further inside, and is recorded there.
    if (wrong.condition !== "told") this.add(wrong.condition, name, wrong.refusal);
  }

  add(condition: InputFailure["condition"], name?: string, refusal?: Refusal): void {
    if (this.isIgnored(condition)) return;
    this.found.push({ condition, field: this.field(name), in: this.place, refusal });
  }

  /** Records an absence that is a failure only if the condition holds when all is read. */
  absentIf(when: () => boolean, name: string): void {
    if (this.isIgnored("absent")) return;
    this.waiting++;
    this.found.push({ condition: "absent", field: this.field(name), in: this.place, when });
  }

  /** Records what is a failure only if a condition comes out that is judged later. */
  later({ condition, refusal }: Wrong, later: Later, name?: string): void {
    if (condition === "told" || this.isIgnored(condition)) return;
    this.waiting++;
    const within = this.path.map((step) => step.own);
    const judged = later.name === "body" ? { ...later, within } : later;
    this.found.push({ condition, field: this.field(name), in: this.place, refusal, later: judged });
  }

  /** All failures. `isWhole`: what was read has no other, so that its conditions can be judged. */
  failures(isWhole: boolean): readonly InputFailure[] {
    if (this.waiting === 0) return this.found;
    const holding = this.found.filter(({ when }) => !when || (isWhole && when()));
    return holding.map(({ when: _when, ...failure }) => failure);
  }

  private field(name: string | undefined): string | null {
    const path = this.path.filter((step) => !step.isHidden).map((step) => step.name);
    if (name !== undefined) path.push(name);
    return path.length === 0 ? null : nameAt(path, this.nesting);
  }
}

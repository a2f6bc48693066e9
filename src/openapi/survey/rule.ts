/** Rules that count: to what each applies, where it is met, and how that is told. */
import type { Description, Operation } from "../model/index.ts";
import type { Place } from "../tree/index.ts";
import type { SurveyCode } from "./pages/index.ts";
import type { Cause, Counted } from "./types.ts";

/** What rules know of the whole file. */
export interface Known {
  readonly description: Description;
  readonly refs: Description["refs"];
  readonly schemeNames: ReadonlySet<string>;
  /** The scopes that a scheme lists; undefined: it is none with scopes. */
  scopes(scheme: string): ReadonlySet<string> | undefined;
}

/** What a rule looks at: one thing, and the operation that it is of. */
export interface Subject<T, O = Operation> {
  readonly it: T;
  readonly operation?: O;
  /** Of what several operations use: the one that is told. */
  readonly owner?: O;
  /** Where it is of several. */
  readonly users?: readonly O[];
  readonly about: Known;
}

/** `T` is what the rule looks at: an operation, an answer, a schema; `O` is an operation. */
export interface Rule<T, O = Operation> {
  readonly code: SurveyCode;
  readonly severity: Cause["severity"];
  readonly part: string;
  /** `count` of `of`. Both are written with thousands apart. */
  says(count: string, of: string): string;
  readonly hint?: string;
  /** `@` stands for what is asked about. */
  readonly question?: string;
  /** Whether it is counted at all; left out: always. */
  applies?(subject: Subject<T, O>): boolean;
  /** Where it is met; undefined: it is not. Several places where one subject meets it often. */
  met(subject: Subject<T, O>): Place | readonly Place[] | undefined;
}

const thousands = new Intl.NumberFormat("en-US");

/** Counts one rule. */
export class Tally<T, O = Operation> {
  private readonly rule: Rule<T, O>;
  private readonly places: Place[] = [];
  private readonly owners: (O | undefined)[] = [];
  private readonly operations = new Set<O>();
  private isOfOperations = false;
  private count = 0;
  private of = 0;

  constructor(rule: Rule<T, O>) {
    this.rule = rule;
  }

  take(subject: Subject<T, O>): void {
    if (this.rule.applies?.(subject) === false) return;
    this.of += 1;
    const met = this.rule.met(subject);
    if (met === undefined) return;
    this.count += 1;
    for (const each of Array.isArray(met) ? (met as readonly Place[]) : [met as Place]) {
      this.places.push(each);
      this.owners.push(subject.operation ?? subject.owner);
    }
    this.isOfOperations = (subject.it as unknown) === subject.operation;
    if (subject.operation !== undefined) this.operations.add(subject.operation);
    for (const each of subject.users ?? []) this.operations.add(each);
  }

  /** The cause, where the rule was met. */
  cause(): Counted | undefined {
    const { code, severity, part, hint, question } = this.rule;
    if (this.count === 0) return undefined;
    return {
      code,
      severity,
      part,
      message: this.rule.says(thousands.format(this.count), thousands.format(this.of)),
      ...(hint === undefined ? {} : { hint }),
      ...(question === undefined ? {} : { question }),
      count: this.count,
      of: this.of,
      blocks: this.operations.size,
      places: this.places,
      owners: this.owners as unknown as readonly (Operation | undefined)[],
      isOfOperations: this.isOfOperations,
    };
  }
}

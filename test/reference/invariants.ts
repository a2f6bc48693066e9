/** Judges, when the steps have ended, the invariants of the rows that a request touched. */
import assert from "node:assert/strict";
import type { Code } from "../../src/expr/index.ts";
import type { Limit, Refusal, ResourceInvariant } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { evaluate } from "./evaluate.ts";
import { unruled } from "./fields.ts";
import { dateIn, startOf, statedDuration } from "./times.ts";
import { equal, Fault, GapMet, isList, isMap, isRef, type Ref, type Value } from "./values.ts";
import { type Ending, rowName, type Work } from "./work.ts";
import { resourceOf } from "./world.ts";

interface Uniqueness {
  readonly own: readonly string[];
  readonly within: readonly string[];
  /** Texts of `own` are alike in any case. */
  readonly anyCase?: true | undefined;
  readonly where?: Extract<ResourceInvariant, { kind: "unique" }>["where"];
  /** Undefined: no request makes or changes a row. */
  readonly otherwise: Refusal | undefined;
  /** Whether there is such a rule is not shown. */
  readonly unruled?: string;
}

/** Rules and invariants `unique` of a resource, in the order of fields and then of bullets. */
export function uniquenessOf(work: Work, name: string): readonly Uniqueness[] {
  const { fields, invariants } = resourceOf(work.plan, name);
  const rules = fields.flatMap((field) =>
    field.rules.flatMap((rule): Uniqueness[] => {
      const { name } = field;
      if (rule.kind === "unique") {
        const { within, anyCase, otherwise } = rule;
        return [{ own: [name], within, anyCase, otherwise }];
      }
      const gap = unruled(field);
      const otherwise = { is: "gap", gap: gap ?? "" } as const;
      return gap === undefined ? [] : [{ own: [name], within: [], otherwise, unruled: gap }];
    }),
  );
  const bullets = invariants.flatMap((one) =>
    one.kind === "unique"
      ? [{ own: one.fields, within: [], where: one.where, otherwise: one.otherwise }]
      : [],
  );
  return [...rules, ...bullets];
}

/** Whether two values are texts that differ in nothing but A for a, to Z for z. */
export function alikeInAnyCase(one: Value, other: Value): boolean {
  if (typeof one !== "string" || typeof other !== "string") return false;
  const [a, b] = [one, other].map((text) =>
    [...text].map((sign) => (sign >= "A" && sign <= "Z" ? sign.toLowerCase() : sign)).join(""),
  );
  return a === b;
}

function breaksUnique(work: Work, it: Ref, rule: Uniqueness): boolean {
  const breaks = isTwice(work, it, rule);
  const where = rule.where === undefined ? "" : " where";
  const form =
    rule.within.length > 0 ? "unique within" : rule.own.length > 1 ? "unique, several" : "unique";
  meet("invariant", `${form}${where}, ${breaks ? "broken" : "held"}`);
  if (rule.anyCase) meet("invariant", `in any case, ${breaks ? "broken" : "held"}`);
  return breaks;
}

function isTwice(work: Work, it: Ref, rule: Uniqueness): boolean {
  const mine = (name: string): Value => work.field(it, name);
  if (rule.own.some((name) => mine(name) === null || mine(name) === undefined)) return false;
  const counts = (row: Ref): boolean =>
    rule.where === undefined || work.eval(rule.where, [["it", row]]) === true;
  if (!counts(it)) return false;
  let unknown: unknown;
  for (const row of work.rows(it.resource)) {
    try {
      if (row.key === it.key || !counts(row)) continue;
      const isAlike = rule.within.every((name) =>
        // Absent and null are both no value.
        equal(work.field(row, name) ?? null, mine(name) ?? null),
      );
      const same = rule.anyCase ? alikeInAnyCase : equal;
      if (!isAlike || !rule.own.every((name) => same(work.field(row, name) ?? null, mine(name)))) {
        continue;
      }
      work.meetThere(row);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Fault || thrown instanceof GapMet)) throw thrown;
      unknown ??= thrown;
    }
  }
  if (unknown !== undefined) throw unknown;
  work.meetMore(it.resource);
  return false;
}

/** The first invariant or quota that does not hold for what was touched; undefined: all hold. */
export function judgeInvariants(work: Work): Ending | undefined {
  return work.seeingAll(() => {
    for (const it of work.touched) {
      if (work.find(it) === undefined) continue;
      const ending = judgeRow(work, it);
      if (ending !== undefined) return ending;
    }
    return judgeReferred(work) ?? judgeQuotas(work);
  });
}

/** The rows that a value names, at any depth. */
function refsIn(value: Value): readonly Ref[] {
  if (isRef(value)) return [value];
  if (isList(value)) return value.flatMap(refsIn);
  return isMap(value) ? [...value.values()].flatMap(refsIn) : [];
}

/** Invariants that read other rows, on rows that touched ones refer to or referred to before. */
function judgeReferred(work: Work): Ending | undefined {
  for (const touched of work.touched) {
    for (const { name } of resourceOf(work.plan, touched.resource).fields) {
      const values = [
        work.find(touched)?.values.get(name),
        work.before.get(rowName(touched))?.values.get(name),
        work.gone.get(rowName(touched))?.values.get(name),
      ];
      for (const it of values.flatMap(refsIn).filter((one) => work.find(one) !== undefined)) {
        if (work.touched.some((one) => equal(one, it))) continue;
        const ending = judgeAlways(work, it, (code) =>
          JSON.stringify(code).includes('"op":"rows"'),
        );
        if (ending !== undefined) return ending;
      }
    }
  }
  return undefined;
}

function refused(work: Work, it: Ref, otherwise: Refusal | undefined): Ending {
  assert.ok(otherwise, "a row is made or changed of which the document states all");
  return work.refuse(otherwise, [["it", it]]);
}

function judgeRow(work: Work, it: Ref): Ending | undefined {
  const { fields, invariants } = resourceOf(work.plan, it.resource);
  for (const field of fields) {
    for (const rule of field.rules) {
      const gap = unruled(field);
      if (gap !== undefined) {
        const own = { own: [field.name], within: [], otherwise: { is: "gap", gap } as const };
        if (breaksUnique(work, it, own)) return { is: "gap", gap };
      }
      if (rule.kind !== "unique") continue;
      const { within, anyCase, otherwise } = rule;
      const own = { own: [field.name], within, anyCase, otherwise };
      if (breaksUnique(work, it, own)) return refused(work, it, rule.otherwise);
    }
  }
  for (const invariant of invariants) {
    if (invariant.kind === "unique") {
      const rule = {
        own: invariant.fields,
        within: [],
        where: invariant.where,
        otherwise: invariant.otherwise,
      };
      if (breaksUnique(work, it, rule)) return refused(work, it, invariant.otherwise);
    }
    const ending = judgeOne(work, it, invariant);
    if (ending !== undefined) return ending;
  }
  return undefined;
}

function judgeOne(work: Work, it: Ref, invariant: ResourceInvariant): Ending | undefined {
  if (invariant.kind === "gap" && (invariant.of === "always" || invariant.of === "unique")) {
    return { is: "gap", gap: invariant.gap };
  }
  if (invariant.kind !== "always") return undefined;
  const holds = work.eval(invariant.condition, [["it", it]]) === true;
  const told = invariant.otherwise === undefined ? "always, no error" : "always";
  meet("invariant", `${told}, ${holds ? "held" : "broken"}`);
  if (holds) return undefined;
  if (invariant.otherwise === undefined) throw new Fault(`${invariant.id} does not hold`);
  return work.refuse(invariant.otherwise, [["it", it]]);
}

function judgeAlways(work: Work, it: Ref, which: (code: Code) => boolean): Ending | undefined {
  for (const invariant of resourceOf(work.plan, it.resource).invariants) {
    if (invariant.kind !== "always" || !which(invariant.condition.code)) continue;
    meet("invariant", "always, of a row referred to");
    const ending = judgeOne(work, it, invariant);
    if (ending !== undefined) return ending;
  }
  return undefined;
}

/** Where the window of a limit that holds now begins. */
export function windowStart(work: Work, limit: Limit): bigint {
  if (limit.window.is !== "stated") return -(2n ** 70n);
  const { value } = limit.window;
  if (value.is === "day") {
    const zone = work.eval(value.zone, []) as string;
    return startOf(dateIn(work.now, zone), zone);
  }
  const length = statedDuration(value.durationText);
  if (value.is === "sliding") return work.now - length + 1n;
  return work.now - (((work.now % length) + length) % length);
}

function groupOf(work: Work, limit: Limit, row: Ref): Ref | null | undefined {
  if (limit.per.is !== "stated") return undefined;
  const { value } = limit.per;
  if (value.is === "everyone") return null;
  if (value.is === "caller") return work.caller ?? undefined;
  if (value.is !== "field") return undefined;
  const found = work.field(row, value.field);
  return isRef(found) ? found : undefined;
}

/** Words for coverage: whose count it is, and in which window. */
export function perOf(limit: Limit): string {
  return limit.per.is === "stated" ? limit.per.value.is : limit.per.is;
}

export function windowOf(limit: Limit): string {
  return limit.window.is === "stated" ? limit.window.value.is : limit.window.is;
}

function amountOf(work: Work, limit: Limit, group: Ref | null): bigint | undefined {
  if (limit.amount.is !== "stated") return undefined;
  return work.eval(limit.amount.value.value, [["it", group]]) as bigint;
}

function passed(work: Work, limit: Limit, row: Ref): Ending {
  const { whenPassed } = limit;
  if (whenPassed.is === "stated") return work.refuse(whenPassed.value, [["it", row]]);
  return { is: "gap", gap: whenPassed.is === "gap" ? whenPassed.gap : limit.id };
}

/** What is not shown of a limit on rows or sums, and matters. */
function unknownIn({ counts, per, amount, window }: Limit): string | undefined {
  const matter = counts.is === "sum" ? [per, amount, window] : [per, amount];
  return matter.flatMap((one) => (one.is === "gap" ? [one.gap] : []))[0];
}

/** Notes that a row has taken a transition, for limits that sum a field over them. */
export function noteMove(work: Work, row: Ref, transition: string): void {
  for (const limit of work.plan.limits) {
    const { counts } = limit;
    if (counts.is !== "sum" || counts.resource !== row.resource) continue;
    if (!counts.transitions.includes(transition)) continue;
    if (unknownIn(limit) !== undefined) {
      work.moved.push({ limit: limit.name, row });
      continue;
    }
    const group = groupOf(work, limit, row);
    if (group === undefined) continue;
    work.world.hits.push({
      limit: limit.name,
      group: group === null ? "" : rowName(group),
      at: work.now,
      amount: work.field(row, counts.field) as bigint,
    });
    work.moved.push({ limit: limit.name, row });
  }
}

function judgeQuotas(work: Work): Ending | undefined {
  for (const limit of work.plan.limits) {
    if (limit.counts.is !== "rows kept") continue;
    const { resource } = limit.counts;
    for (const row of work.touched) {
      if (row.resource !== resource || !work.created.has(rowName(row))) continue;
      if (work.find(row) === undefined) continue;
      const gap = unknownIn(limit);
      if (gap !== undefined) return { is: "gap", gap };
      const group = groupOf(work, limit, row);
      const amount = group === undefined ? undefined : amountOf(work, limit, group);
      if (amount === undefined) continue;
      const alike = work.every(resource, (one) => {
        const other = groupOf(work, limit, one);
        return other !== undefined && equal(other, group);
      });
      meet(
        "limit",
        `${limit.counts.is} per ${perOf(limit)}, ${BigInt(alike.length) > amount ? "passed" : "held"}`,
      );
      if (BigInt(alike.length) > amount) return passed(work, limit, row);
    }
  }
  for (const { limit: name, row } of work.moved) {
    const limit = work.plan.limits.find((one) => one.name === name) as Limit;
    const gap = unknownIn(limit);
    if (gap !== undefined) return { is: "gap", gap };
    const group = groupOf(work, limit, row);
    const amount = group === undefined ? undefined : amountOf(work, limit, group);
    if (amount === undefined || group === undefined) continue;
    const from = windowStart(work, limit);
    const sum = work.world.hits
      .filter(
        (hit) =>
          hit.limit === name &&
          hit.at >= from &&
          hit.group === (group === null ? "" : rowName(group)),
      )
      .reduce((total, hit) => total + hit.amount, 0n);
    meet(
      "limit",
      `sum per ${perOf(limit)} in ${windowOf(limit)}, ${sum > amount ? "passed" : "held"}`,
    );
    if (sum > amount) return passed(work, limit, row);
  }
  return undefined;
}

/** The value of code that reads settings and the clock alone. */
export function constant(work: Work, code: Code): Value {
  return evaluate(code, work.names([]), work);
}

/** Rule: of the rows of one transition one at most can be taken, and no case is left out. */
import { type Code, meetsGap } from "../../expr/index.ts";
import type { Machine, Transition } from "../../plan/index.ts";
import { assignments, casesOf, describe, holds } from "./cases.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

const ROWS_MAX = 50;

/** Rows that one cause can take from one state. */
function groups(machine: Machine): Map<string, Transition[]> {
  const found = new Map<string, Transition[]>();
  for (const one of machine.transitions) {
    for (const state of new Set(one.from)) {
      const key = JSON.stringify([one.name, state, one.on]);
      const all = found.get(key);
      if (all === undefined) found.set(key, [one]);
      else all.push(one);
    }
  }
  return found;
}

const TRUE: Code = { op: "literal", type: { kind: "boolean" }, value: true };

function undecided(c: RuleContext, rows: readonly Transition[], why: string): void {
  report(c, {
    code: "guard-undecided",
    severity: "warning",
    at: rows[1]?.id,
    message:
      `Whether two rows of \`${rows[0]?.name ?? ""}\` can hold at once cannot be decided: ` +
      `${why}.`,
    hint: "Compare one field with literals, or write `e` in one row and `!e` in the other.",
  });
}

function judge(c: RuleContext, rows: readonly Transition[], state: string): void {
  const guards = rows.map((row) => row.when?.code ?? TRUE);
  const cases = rows.length > ROWS_MAX ? undefined : casesOf(guards);
  if (cases === undefined) {
    undecided(c, rows, "there are too many cases");
    return;
  }
  let left: string | undefined;
  let unsure: string | undefined;
  for (const given of assignments(cases)) {
    const held = rows.filter((_, i) => holds(guards[i] as Code, cases, given));
    if (held.length === 0) left ??= describe(cases, given);
    if (held.length < 2) continue;
    if (!cases.sure) {
      unsure ??= `where ${describe(cases, given)}, both would hold`;
      continue;
    }
    const said = cases.variables.length === 0 ? "always" : `where ${describe(cases, given)}`;
    report(c, {
      code: "guard-overlap",
      severity: "error",
      at: held[1]?.id,
      message: `From \`${state}\`, two rows of \`${rows[0]?.name ?? ""}\` can be taken: ${said}.`,
      hint: "Make the guards under When exclude each other.",
      related: [
        {
          span: c.origins.get(held[0]?.id ?? "") ?? { start: 0, end: 0 },
          message: "the other row",
        },
      ],
    });
    return;
  }
  if (unsure !== undefined) undecided(c, rows, unsure);
  if (left === undefined) return;
  report(c, {
    code: "guard-gap",
    severity: "warning",
    at: rows[0]?.id,
    message: `From \`${state}\`, no row of \`${rows[0]?.name ?? ""}\` can be taken where ${left}.`,
    hint: "Write a row for that case; without one, `Any other transition` answers it.",
  });
}

/** Whether a gap hides when the row is taken: nobody knows what it leaves to the others. */
function isHidden({ gap, when }: Transition): boolean {
  return gap !== undefined || (when !== undefined && meetsGap(when.code));
}

/** Reports `guard-undecided`, `guard-overlap`, `guard-gap`. */
export const guards: Rule = (c) => {
  for (const machine of c.service.machines) {
    const told = new Set<string>();
    for (const [key, all] of groups(machine)) {
      const rows = all.filter((row) => !isHidden(row));
      const same = rows.map((row) => row.id).join(" ");
      if (rows.length < 2 || told.has(same)) continue;
      told.add(same);
      judge(c, rows, (JSON.parse(key) as string[])[1] ?? "");
    }
  }
};

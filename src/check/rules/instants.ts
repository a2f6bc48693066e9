/** Rule: a stated time is long enough for what it is the time of. */
import { type Answer, durationOf, isStated } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { literalOf } from "./order.ts";

const MILLISECOND = 1000n;
const SECOND = 1000n * MILLISECOND;

/** Below this no answer comes over any network, and no second request. */
const LEAST = 10n * MILLISECOND;

interface Stated {
  readonly time: string;
  readonly at: string;
  readonly least: bigint;
  readonly why: string;
}

const OVER = "it is over before anybody can make use of it";

function stated(answer: Answer<string> | undefined, at?: string): Stated[] {
  return isStated(answer)
    ? [{ time: answer.value, at: at ?? answer.id, least: LEAST, why: OVER }]
    : [];
}

function limitTimes(c: RuleContext): Stated[] {
  return c.service.limits.flatMap(({ window, amount, counts }) => {
    if (isStated(window) && "durationText" in window.value) {
      return [{ time: window.value.durationText, at: window.id, least: LEAST, why: OVER }];
    }
    if (counts.is !== "request time" || !isStated(amount)) return [];
    if (amount.value.value.code.type.kind !== "duration") return [];
    const time = literalOf(amount.value.value.code);
    return typeof time === "string" ? [{ time, at: amount.id, least: LEAST, why: OVER }] : [];
  });
}

function timesOf(c: RuleContext): Stated[] {
  const { service } = c;
  return [
    ...service.endpoints.flatMap((one) => stated(one.idempotency?.kept)),
    ...service.calls.flatMap((one) => stated(one.timeOut)),
    ...service.schemes.flatMap((one) => stated(one.lifetime)),
    ...service.streams.flatMap((one) => stated(one.ends)),
    ...limitTimes(c),
    ...service.machines.flatMap((machine) =>
      machine.transitions.flatMap(({ on, id }): Stated[] =>
        on.is === "every"
          ? [
              {
                time: on.durationText,
                at: id,
                least: SECOND,
                why: "each row does this all the time",
              },
            ]
          : [],
      ),
    ),
  ];
}

/** A number without a unit is no time. */
function unitless(c: RuleContext): void {
  for (const { amount, counts } of c.service.limits) {
    if (counts.is !== "request time" || !isStated(amount)) continue;
    const { kind } = amount.value.value.code.type;
    if (kind === "duration" || kind === "unknown") continue;
    report(c, {
      code: "wrong-type",
      severity: "error",
      at: amount.id,
      message: "The amount of a time-out is a duration.",
      hint: "Write a number and a unit, such as `30 s`.",
    });
  }
}

/** Reports `too-soon`, `wrong-type`. */
export const instants: Rule = (c) => {
  unitless(c);
  for (const { time, at, least, why } of timesOf(c)) {
    if (durationOf(time) >= least) continue;
    report(c, {
      code: "too-soon",
      severity: "warning",
      at,
      message: `${time} is very short: ${why}.`,
      hint: "Look at the unit: `ms` is a thousandth of a second.",
    });
  }
};

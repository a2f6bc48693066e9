/** Rule: every event is emitted and heard, every webhook and stream is sent something. */
import { freeNames } from "../../expr/index.ts";
import { isStated } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

function judgeEvents(c: RuleContext): void {
  const emitted = new Set(
    c.steps.flatMap(({ step }) => (step.kind === "emit" ? [step.event] : [])),
  );
  const deliver = c.service.webhooks.length + c.service.streams.length > 0;
  for (const event of c.service.events) {
    if (!emitted.has(event.name)) {
      report(c, {
        code: "never-emitted",
        severity: "warning",
        at: event.id,
        message: `No step emits \`${event.name}\`.`,
        hint: `Write a step such as: Emit \`${event.name}\` of ... Or take the row away.`,
      });
    }
    if (deliver && event.sentTo.is === "none") {
      report(c, {
        code: "never-heard",
        severity: "note",
        at: event.id,
        message: `\`${event.name}\` is sent to nobody.`,
        hint: "Name a webhook or a stream under Sent to.",
      });
    }
  }
}

/** A signature that no header carries is sent to nobody. */
function judgeSignatures(c: RuleContext): void {
  for (const { name, signature, headers = [] } of c.service.webhooks) {
    if (!isStated(signature) || signature.value.form !== "HMAC") continue;
    const isCarried = headers.some(
      ({ value }) =>
        value.is === "gap" || (isStated(value) && freeNames(value.value.code).has("signature")),
    );
    if (isCarried) continue;
    report(c, {
      code: "never-used",
      severity: "warning",
      at: signature.id,
      message: `No header of \`${name}\` carries the signature.`,
      hint: "Write such as: - Header `X-Signature`: `signature`",
    });
  }
}

/** Reports `never-emitted`, `never-heard`, `never-delivers`, `never-used`. */
export const events: Rule = (c) => {
  judgeEvents(c);
  judgeSignatures(c);
  if (c.service.events.some((event) => event.sentTo.is === "gap")) return;
  const used = new Set(
    c.service.events.flatMap((event) =>
      isStated(event.sentTo) ? event.sentTo.value.map((one) => `${one.to} ${one.name}`) : [],
    ),
  );
  for (const [kind, all] of [
    ["webhook", c.service.webhooks],
    ["stream", c.service.streams],
  ] as const) {
    for (const one of all) {
      if (used.has(`${kind} ${one.name}`)) continue;
      report(c, {
        code: "never-delivers",
        severity: "warning",
        at: one.id,
        message: `No event is sent to the ${kind} \`${one.name}\`.`,
        hint: `Write under Sent to: ${kind} \`${one.name}\`. Or take the heading away.`,
      });
    }
  }
};

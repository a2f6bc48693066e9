/** Review: what goes out by itself, and what comes in more than once. */
import { type Endpoint, everyStep, isStated, statedOf } from "../../plan/index.ts";
import { codesIn, isWalled, stepsOf } from "../rules/asked.ts";
import type { Rule, RuleContext } from "../rules/context.ts";
import { question } from "./common.ts";

function hooks(c: RuleContext): void {
  for (const { name, signature, address, receivers } of c.service.webhooks) {
    if (signature.is === "none") {
      question(c, {
        code: "hook-unsigned",
        at: signature.id,
        message: `A receiver of \`${name}\` cannot tell who sent a message.`,
        hint: "Write `- Signature:` with the receiver's secret: Standard Webhooks v1 or an HMAC.",
      });
    }
    if (!isStated(address) || !isStated(receivers)) continue;
    const fields = c.resources.get(receivers.value.resource)?.fields ?? [];
    const plain = codesIn(address.value).flatMap((code) => {
      const field = code.op === "get" ? fields.find((one) => one.name === code.member) : undefined;
      const isPlain =
        field?.type.type.kind === "uri" &&
        !field.rules.some((rule) => rule.kind === "scheme" && rule.schemes.join() === "https");
      return isPlain ? [field] : [];
    });
    const [field] = plain;
    if (field === undefined) continue;
    question(c, {
      code: "hook-plain",
      at: field.id,
      message: `\`${name}\` is sent to \`${field.name}\`, which may be an address without TLS.`,
      hint: "Give the field the rule `scheme` with `https`.",
    });
  }
}

function streams(c: RuleContext): void {
  const walled = new Set(c.service.resources.filter(isWalled).map(({ name }) => name));
  for (const { name, sees } of c.service.streams) {
    if (!isStated(sees) || sees.value.code.op !== "literal") continue;
    const event = c.service.events.find(
      (one) =>
        walled.has(one.about) &&
        isStated(one.sentTo) &&
        one.sentTo.value.some((to) => to.to === "stream" && to.name === name),
    );
    if (event === undefined || sees.value.code.value !== true) continue;
    question(c, {
      code: "stream-all",
      at: sees.id,
      message:
        `Everybody who listens sees \`${event.name}\` of every \`${event.about}\`, and ` +
        "`Rows` keeps those apart.",
      hint: "Compare `it` with `caller` under Sees.",
    });
  }
}

function cookies(c: RuleContext): void {
  const { crossOrigin } = c.service.about;
  const cookie = c.service.schemes.find((one) => statedOf(one.sent)?.in === "cookie");
  const isEvery = isStated(crossOrigin) && crossOrigin.value.origins.includes("*");
  if (cookie === undefined || !isEvery) return;
  question(c, {
    code: "cookie-everywhere",
    at: crossOrigin.id,
    message: `Pages of every origin may ask, and browsers send the cookie of \`${cookie.name}\`.`,
    hint: "Name the origins, or take the credential from a header.",
  });
}

function repeats(c: RuleContext): void {
  const effects = new Set(
    c.service.calls.flatMap((one) =>
      isStated(one.kind) && one.kind.value !== "pure" ? [one.name] : [],
    ),
  );
  for (const endpoint of c.service.endpoints) {
    const { idempotency, id } = endpoint;
    if (isStated(idempotency?.per) && idempotency.per.value === "everyone") {
      question(c, {
        code: "key-shared",
        at: idempotency.per.id,
        message: "Who guesses another's key gets the answer that the other got.",
        hint: "Write `- Key per: caller`.",
      });
    }
    if (idempotency !== undefined || endpoint.method !== "POST") continue;
    const call = stepsOf(c, endpoint).find((one) => one.kind === "call" && effects.has(one.call));
    if (call?.kind !== "call") continue;
    question(c, {
      code: "effect-repeated",
      at: id,
      message: `A client that sends this again after a lost answer does \`${call.call}\` twice.`,
      hint: "State an idempotency key.",
    });
  }
}

const WRITES: ReadonlySet<string> = new Set([
  ...["create", "set", "set from", "delete", "delete every", "fire"],
]);

function methods(c: RuleContext): void {
  for (const endpoint of c.service.endpoints) {
    const steps = stepsOf(c, endpoint);
    if (endpoint.method === "GET" && steps.some(({ kind }) => WRITES.has(kind))) {
      question(c, {
        code: "get-writes",
        at: endpoint.id,
        message: "GET is asked again by caches, crawlers and links, and this one changes rows.",
        hint: "Take POST, or leave the change out.",
      });
    }
    if (endpoint.method === "PUT" && createsAnew(endpoint)) {
      question(c, {
        code: "put-creates",
        at: endpoint.id,
        message: "PUT is sent again when an answer is lost, and this one makes a row each time.",
        hint: "Take POST, or make the row where none is there.",
      });
    }
  }
}

/** Whether each request makes a row, whatever is there. */
function createsAnew({ steps, bindings }: Endpoint): boolean {
  const looks = everyStep(steps).some((one) => one.kind === "let one" || one.kind === "require");
  const asked = bindings.length > 0 || looks;
  return !asked && steps.some((one) => one.kind === "create" && !one.unlessThere);
}

/** Reports `hook-...`, `stream-all`, `cookie-everywhere`, `key-shared`, `effect-repeated` ... */
export const outside: Rule = (c) => {
  hooks(c);
  streams(c);
  cookies(c);
  repeats(c);
  methods(c);
};

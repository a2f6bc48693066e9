/** Resolves how the messages of a webhook are signed, and the headers that they carry. */
import type { Type } from "../../../expr/index.ts";
import {
  type Answer,
  type HmacAlgorithm,
  isStated,
  type Signature,
  type WebhookHeader,
} from "../../../plan/index.ts";
import type { BulletNode, Match, TextSlot } from "../../../spec/index.ts";
import type { Place } from "../names/collect.ts";
import { withService } from "../names/common.ts";
import { readable, resolve, type View, withNames } from "../names/expression.ts";
import { bulletsOf, origin, report, shownGap, slotOf, textOf } from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";

const STRING: Type = { kind: "string" };
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Header fields that the body and the connection have of their own. */
const TAKEN = new Set([
  ...["content-type", "content-length", "content-encoding", "transfer-encoding", "trailer"],
  ...["host", "connection", "keep-alive", "upgrade", "te", "expect", "proxy-connection"],
]);

const STANDARD = new Set(["webhook-id", "webhook-timestamp", "webhook-signature"]);

/** What a message is told by, beside the row that receives. */
function messageView({ r, names }: Place, receiver: View): View {
  return withNames(withService(r, receiver), [
    ["payload", STRING],
    ["delivery", STRING],
    ["event", { kind: "string", oneOf: names.events }],
    ["sent", { kind: "timestamp" }],
  ]);
}

/** The key that signs: text that is there. */
function secretIn({ r }: Place, receiver: View, match: Match) {
  const slot = slotOf(match, "secret") as TextSlot;
  const { expression, type } = resolve(r, slot, receiver);
  if (!/^(string|secret|unknown)$/.test(type.kind)) {
    const isNullable = type.kind === "nullable";
    report(r, isNullable ? "unguarded" : "wrong-type", slot, {
      message: readable(isNullable ? `\`${slot.text}\` may be null` : "A secret is text"),
      hint: isNullable
        ? "Give one for receivers that have none: `x != null ? x : ...`."
        : "Name a field of type `secret` or `string` of the receiver.",
    });
  }
  return expression;
}

/** How each message is signed. */
export function signatureOf(place: Place, receiver: View, match: Match): Signature {
  const secret = secretIn(place, receiver, match);
  if (match.form === "signature") return { form: "Standard Webhooks v1", secret };
  const view = messageView(place, receiver);
  return {
    form: "HMAC",
    algorithm: textOf(match, "algorithm") as HmacAlgorithm,
    encoding: textOf(match, "encoding") as "hex" | "base64",
    text: resolve(place.r, slotOf(match, "text") as TextSlot, view, STRING).expression,
    secret,
  };
}

const ADVICE = new Map([
  ["signature", "state what it is: `- Signature: HMAC-SHA256 in hex of ... with ...`"],
]);

function headerView(place: Place, receiver: View, signature: Answer<Signature>): View {
  const view = { ...messageView(place, receiver), advice: ADVICE };
  if (signature.is === "gap") return withNames(view, [["signature", hiddenType(signature.gap)]]);
  const isMade = isStated(signature) && signature.value.form === "HMAC";
  return isMade ? withNames(view, [["signature", STRING]]) : view;
}

/** Why a webhook cannot set the header; undefined: it can. */
function objection(name: string, signature: Answer<Signature>): string | undefined {
  if (!TOKEN.test(name)) return "is no name of a header (RFC 9110 section 5.1)";
  if (TAKEN.has(name.toLowerCase())) return "is set by the body and its connection";
  const isStandard = isStated(signature) && signature.value.form === "Standard Webhooks v1";
  return isStandard && STANDARD.has(name.toLowerCase()) ? "is set by the signature" : undefined;
}

function valueOf(place: Place, bullet: BulletNode, view: View): WebhookHeader["value"] {
  const { r, section } = place;
  const { match, status } = bullet;
  const id = origin(r, bullet.id, bullet);
  switch (status) {
    case "stated": {
      const slot = slotOf(match, "value") as TextSlot;
      return { is: "stated", id, value: resolve(r, slot, view, STRING).expression };
    }
    case "not shown":
      return { is: "gap", gap: shownGap(r, section, bullet, "Header") };
    case "none":
    case "free":
      return { is: status, id };
  }
}

/** The headers of a webhook's messages; undefined: it states none. */
export function headersOf(
  place: Place,
  receiver: View,
  signature: Answer<Signature>,
): readonly WebhookHeader[] | undefined {
  const { r, section } = place;
  const view = headerView(place, receiver, signature);
  const seen = new Set<string>();
  const headers = bulletsOf([section], "header").flatMap((bullet) => {
    const slot = slotOf(bullet.match, "name");
    if (slot === undefined) return [];
    const name = slot.text;
    const wrong = objection(name, signature);
    if (wrong !== undefined) {
      report(r, "contradiction", slot, { message: `\`${name}\` ${wrong}.` });
    } else if (seen.has(name.toLowerCase())) {
      report(r, "second-name", slot, { message: `The header \`${name}\` stands here already.` });
    }
    seen.add(name.toLowerCase());
    return [{ id: bullet.id, name, value: valueOf(place, bullet, view) }];
  });
  return headers.length === 0 ? undefined : headers;
}

/** The challenges of a 401: the authentication schemes that the document states. */
import { type ItemId, isStated, type Plan, type Scheme, statedOf } from "../../plan/index.ts";

/** A token of RFC 9110 section 5.6.2, made of any text. */
function token(text: string): string {
  return text.replace(/[^A-Za-z0-9!#$%&'*+.^_`|~-]+/g, "-") || "-";
}

function challenge(plan: Plan, { sent, name }: Scheme): string {
  if (statedOf(sent)?.in === "basic") {
    // RFC 7617 section 2 demands a realm; its text is the service's own title. Section 2.1 has the
    // word for what a user name and a password are read as.
    const realm = plan.title.replace(/["\\]/g, "\\$&").replace(/[^ -~]/g, "?");
    return `Basic realm="${realm}", charset="UTF-8"`;
  }
  if (!isStated(sent) || sent.value.in !== "header") return token(name);
  const word = sent.value.before.trim();
  return token(word === "" ? name : word);
}

/** One challenge for each stated scheme. */
export function challenges(plan: Plan): readonly string[] {
  return [...new Set(plan.schemes.map((one) => challenge(plan, one)))];
}

/** The gap that hides a challenge: where a credential is sent decides on its word. */
export function challengeGap({ schemes }: Plan): ItemId | undefined {
  for (const { sent } of schemes) if (sent.is === "gap") return sent.gap;
  return undefined;
}

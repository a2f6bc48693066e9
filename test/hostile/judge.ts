/** Whether what came back for a hostile request may come back. */
import type { HttpCondition } from "../../src/plan/index.ts";
import { OWN_ANSWERS, ownAnswer } from "../../src/serve/http/own.ts";
import type { Case } from "./cases.ts";
import type { Answer, Exchange } from "./wire.ts";

const FAULT = /fault inside/;

interface Problem {
  readonly gap?: { readonly id?: string };
  readonly unsupported?: string;
}

/** An answer of the host's own, byte by byte. */
export function isOwn({ status, body }: Answer): boolean {
  return Object.keys(OWN_ANSWERS).some((name) => {
    const own = ownAnswer(name as HttpCondition);
    return own.status === status && own.body === body;
  });
}

/** A 501 must name the gap, or the construct, that it met: and never a fault of the program. */
function isStatedGap({ body }: Answer): boolean {
  try {
    const { gap, unsupported } = JSON.parse(body) as Problem;
    return typeof unsupported === "string" || (typeof gap?.id === "string" && !FAULT.test(gap.id));
  } catch {
    return false;
  }
}

function wrongAnswer(
  answer: Answer,
  { refused, methods }: Case,
  index: number,
): string | undefined {
  const { status, headers, body } = answer;
  if (!(status >= 200 && status <= 599)) return `status ${status}`;
  const isGap = status === 501 && (methods[index] === "HEAD" || isStatedGap(answer));
  if (status >= 500 && !isGap && !isOwn(answer)) {
    return `unstated ${status}: ${body.slice(0, 300)}`;
  }
  if (refused && status < 300) return `accepted with ${status}: ${body.slice(0, 300)}`;
  if (!/json/.test(headers.get("content-type") ?? "") || body === "") return undefined;
  try {
    JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
  } catch {
    return `an answer that is no JSON: ${body.slice(0, 300)}`;
  }
  return undefined;
}

/** What is wrong with an exchange, in a sentence; undefined where all is well. */
export function judge(sent: Case, { answers, end, rest, before }: Exchange): string | undefined {
  for (const [i, answer] of answers.entries()) {
    const wrong = wrongAnswer(answer, sent, i);
    if (wrong !== undefined) return wrong;
  }
  if (answers.length > sent.methods.length) return `${answers.length} answers: smuggled`;
  if (end === "quiet") {
    const so = `after ${before} exchanges, ${answers.length} answers, ${rest.length} bytes`;
    return `neither an answer nor an end: ${so}: ${rest.slice(0, 200)}`;
  }
  if (rest !== "" && !sent.open && end === "answered") return `more bytes: ${rest.slice(0, 100)}`;
  // A connection may be closed on what is no HTTP; what is HTTP has an answer first.
  if (!sent.open && answers.length === 0 && !/CONNECT/.test(sent.methods[0] ?? "")) {
    return "closed without an answer";
  }
  return undefined;
}

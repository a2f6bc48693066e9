/** The report for other tools: docs/schema/verify.schema.json says what stands in it. */
import { jsonPieces, lazily } from "../pieces.ts";
import { messagesOf } from "./messages.ts";
import type { Item, Looked } from "./model.ts";
import { isRace, type Story, shownBreak } from "./story.ts";
import { whyWords } from "./why.ts";

function itemOf(looked: Looked, item: Item): unknown {
  const { id, part, file, line, column, verdict, requests, why } = item;
  const says = why === undefined ? {} : { why: { ...why, says: whyWords(looked, item, why) } };
  return { id, part, file, line, column, verdict, requests, ...says };
}

function storyOf({ answer, expected, differences }: Story): object {
  const { status, headers, body = null } = answer;
  return {
    answered: { status, headers, body },
    expected: {
      status: expected.status,
      headers: expected.headers,
      body: expected.body ?? null,
    },
    differences: differences.map(({ expected: mine, observed, ...where }) => ({
      ...where,
      expected: mine ?? null,
      observed: observed ?? null,
    })),
  };
}

function breakOf(looked: Looked, one: Looked["breaks"][number]): unknown {
  const { number, items, found, few, whyNot } = shownBreak(looked, one);
  return {
    request: number,
    items: items.map(({ id }) => id),
    sent: found.request,
    ...storyOf(found),
    ...(isRace(found) ? { race: { steps: found.steps } } : {}),
    ...(few === undefined ? {} : { story: { steps: few.steps, ...storyOf(few) } }),
    ...(whyNot === undefined ? {} : { noStory: whyNot }),
  };
}

/** Requests that show an item held, broken or unstated, with their answers. */
function evidenceOf({ items, exchanges, redactor }: Looked): unknown {
  const numbers = new Set(items.flatMap(({ requests }) => requests));
  const shown = [...numbers].toSorted((a, b) => a - b);
  const known = shown.flatMap((number) => exchanges.get(number) ?? []);
  return lazily(known, (exchange) => {
    const { number } = exchange;
    const { status, headers, body } = redactor.message(exchange.answer);
    return {
      request: number,
      judged: exchange.judgement.is,
      sent: redactor.request(exchange.request),
      answered: { status, headers, body: body ?? null },
    };
  });
}

/** One JSON object in pieces, with a line break at its end. */
export function jsonReport(looked: Looked): Iterable<string> {
  const { outcome, items, counts, breaks, address } = looked;
  const { verified, seed } = outcome;
  const { session, seconds, ended, races } = verified;
  return jsonPieces({
    items: lazily(items, (item) => itemOf(looked, item)),
    counts,
    broken: lazily(breaks, (one) => breakOf(looked, one)),
    messages: messagesOf(looked),
    evidence: evidenceOf(looked),
    run: {
      address,
      seed,
      requests: session.requests,
      seconds: Number(seconds.toFixed(3)),
      ended,
      ...(races === undefined ? {} : { races }),
    },
  });
}

/** The requests that show what was found, to be opened. */
import { counted } from "../../../render/wrap.ts";
import type { Looked } from "../model.ts";
import { answerHtml, lineHtml, requestHtml, statusHtml } from "./pieces.ts";

/** All that are named in the page, in their order. */
export function requestsHtml({ items, breaks, exchanges, redactor }: Looked): string {
  const numbers = new Set([
    ...items.flatMap(({ requests }) => requests),
    ...breaks.map(({ number }) => number),
  ]);
  const shown = [...numbers].toSorted((a, b) => a - b).flatMap((one) => exchanges.get(one) ?? []);
  if (shown.length === 0) return "";
  const all = shown.map((exchange) => {
    const { number, judgement } = exchange;
    const request = redactor.request(exchange.request);
    const answer = redactor.message(exchange.answer);
    const isBroken = judgement.is === "broken" ? ` class="v-broken"` : "";
    return (
      `<details class="request"><summary><span class="no">${number}</span> ` +
      `${lineHtml(request)} → ${statusHtml(answer.status)} ` +
      `<small${isBroken}>${judgement.is}</small></summary><div id="r${number}">` +
      `${requestHtml(request)}${answerHtml("Answer", answer)}</div></details>`
    );
  });
  return (
    `<section id="requests"><h2>Requests</h2><p class="of">${counted(shown.length, "request")} ` +
    `of ${exchanges.size}: those that show what was found.</p>${all.join("")}</section>`
  );
}

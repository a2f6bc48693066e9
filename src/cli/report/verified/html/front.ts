/** The top of the page: what came of it in one look, and each part with its bar. */
import { escaped } from "../../../../export/index.ts";
import { counted } from "../../../render/wrap.ts";
import { endedWords, type Looked } from "../model.ts";
import { placedParts } from "./document.ts";
import { barHtml, classOf, signHtml, VERDICTS } from "./pieces.ts";

function verdictWords({ counts, breaks }: Looked): string {
  if (counts.broken > 0) {
    const items = counted(counts.broken, "item is broken", "items are broken");
    return `${items} by ${counted(breaks.length, "answer")}`;
  }
  return counts.held === 0 ? "Nothing was held or broken" : "Nothing is broken";
}

const MEANS = {
  broken: "answered as no reading of the document allows",
  held: "answered as stated",
  "not reached": "no request came to it",
  unstated: "met, and the document does not say it",
} as const;

/** What came of it. */
export function frontHtml(looked: Looked): string {
  const { counts, items, outcome, address, title } = looked;
  const { verified, seed, report } = outcome;
  const { session, seconds } = verified;
  const figures = VERDICTS.map(
    (verdict) =>
      `<li class="v-${classOf(verdict)}"><b>${counts[verdict]}</b> ${signHtml(verdict)}` +
      `<span class="word" aria-hidden="true">${verdict}</span>` +
      `<small>${MEANS[verdict]}</small></li>`,
  );
  const at = session.exchanges[0]?.answer.sent;
  const date = at === undefined ? "" : new Date(Number(at / 1000n)).toISOString();
  const when = date === "" ? "" : `${date.slice(0, 16).replace("T", " ")} UTC, `;
  const result = counts.broken > 0 ? "broken" : counts.held > 0 ? "held" : "not-reached";
  return (
    `<h1>${escaped(title.replaceAll("`", ""))}</h1>` +
    `<p class="of"><code>${escaped(address)}</code> against ` +
    `<code>${escaped(report.file)}</code></p>` +
    `<p class="result r-${result}">${verdictWords(looked)}</p>` +
    `${barHtml(counts, items.length)}<ul class="tiles" role="list">${figures.join("")}</ul>` +
    `<p class="run">${when}${counted(session.requests, "request")} in ${seconds.toFixed(1)} s, ` +
    `seed ${seed}: ${escaped(endedWords(outcome))}.</p>`
  );
}

/** The parts of the document. */
export function partsHtml(looked: Looked): string {
  const { parts } = looked;
  const placed = placedParts(looked);
  const rows = parts.map(({ name, counts, total }) => {
    const broken = counts.broken === 0 ? "" : `, <b class="v-broken">${counts.broken} broken</b>`;
    const at = placed.has(name) ? `in-${name}` : "document";
    return (
      `<li><a href="#${escaped(at)}">${escaped(name)}</a>${barHtml(counts, total)}` +
      `<span class="num">${counts.held} of ${total} held${broken}</span></li>`
    );
  });
  return `<ul class="parts" role="list">${rows.join("")}</ul>`;
}

/** What is broken: for each item that is, the requests that show it and what was expected. */
import { escaped } from "../../../../export/index.ts";
import { counted } from "../../../render/wrap.ts";
import type { Looked } from "../model.ts";
import {
  countWords,
  isRace,
  raceWords,
  type ShownBreak,
  type Story,
  shownBreak,
} from "../story.ts";
import { answerHtml, itemLink, lineHtml, requestHtml, requestLinks, statusHtml } from "./pieces.ts";

function stepsHtml({ steps }: Story): string {
  const all = steps.map(({ request, answered, learns, pause, client, body }, i) => {
    const isLast = i === steps.length - 1 && body === undefined;
    const waits = pause === undefined ? "" : `<p class="wait">after ${pause} ms</p>`;
    const names = learns.map((one) => `, <code>${escaped(one)}</code>`).join("");
    const said = body === undefined ? "" : ` <code>${escaped(body.slice(0, 300))}</code>`;
    const got = isLast ? "" : `<p class="got">→ ${statusHtml(answered)}${names}${said}</p>`;
    const who =
      client === undefined ? "" : `<p class="wait">client ${client}, at the same time</p>`;
    return `<li>${waits}${who}${requestHtml(request)}${got}</li>`;
  });
  return `<ol class="story">${all.join("")}</ol>`;
}

function differencesHtml({ differences }: Story): string {
  const rows = differences.map(({ in: part, where, expected, observed }) => {
    const place = part === "body" ? where || "the body" : part === "header" ? where : "status";
    const value = (text: string | undefined, kind: string): string =>
      text === undefined
        ? `<td><i>nothing</i></td>`
        : `<td><code class="${kind}">${escaped(text.slice(0, 300))}</code></td>`;
    return (
      `<tr><th scope="row"><code>${escaped(place)}</code></th>${value(observed, "is")}` +
      `${value(expected, "not")}</tr>`
    );
  });
  if (rows.length === 0) return "";
  return (
    `<div class="scroll" role="region" tabindex="0" aria-label="Differences"><table><thead><tr>` +
    `<th scope="col">Where</th><th scope="col">Answered</th><th scope="col">Expected</th></tr>` +
    `</thead><tbody>${rows.join("")}</tbody></table></div>`
  );
}

/** Lines of the document that are shown at once. */
const ITEMS_SHOWN = 3;

/** The answer with the headers that are judged; all of them stand with the request. */
function judgedOf({ answer, expected, differences }: Story): Story["answer"] {
  const names = new Set([
    "content-type",
    ...expected.headers.map(([name]) => name.toLowerCase()),
    ...differences.flatMap((one) => (one.in === "header" ? [one.where.toLowerCase()] : [])),
  ]);
  return { ...answer, headers: answer.headers.filter(([name]) => names.has(name.toLowerCase())) };
}

const whyNotWords = ({ whyNot }: ShownBreak): string =>
  whyNot === undefined ? "" : ` (no story of fewer requests: ${whyNot})`;

function cardHtml(looked: Looked, own: readonly ShownBreak[], at: number): string {
  const [first] = own;
  if (first === undefined) return "";
  const story = first.few ?? first.found;
  const items = first.items.map((item) => `<li>${itemLink(looked, item)}</li>`);
  const rest = items.splice(ITEMS_SHOWN);
  const more =
    rest.length === 0
      ? ""
      : `<details class="more"><summary>${counted(rest.length, "more line")}</summary>` +
        `<ul class="items" role="list">${rest.join("")}</ul></details>`;
  const few =
    first.few === undefined
      ? `shown by the request that found it, after many others${whyNotWords(first)}`
      : `shown by ${countWords(story)}`;
  const wrong = story.steps.find((one) => one.wrong === true) ?? story.steps.at(-1);
  const last = wrong?.request ?? first.found.request;
  const raced = isRace(story) ? `<p class="of">${escaped(raceWords(story))}</p>` : "";
  const head = `${lineHtml(last)} → ${statusHtml(story.answer.status)}`;
  return (
    `<article class="card" id="b${at}"><h3>${head}</h3>` +
    `<p class="of">${few}; found by ${requestLinks(own.map(({ number }) => number))}</p>` +
    `<ul class="items" role="list">${items.join("")}</ul>${more}` +
    `${stepsHtml(story)}${raced}<div class="sides"><div class="is"><h4>Answered</h4>` +
    `${answerHtml("Answered", judgedOf(story))}</div><div class="not"><h4>Expected</h4>` +
    `${answerHtml("Expected", story.expected)}</div></div>${differencesHtml(story)}</article>`
  );
}

/** Wrong answers, those together that break the same item first. */
export function brokenHtml(looked: Looked): string {
  const groups = [...Map.groupBy(looked.breaks, ({ items }) => items[0] ?? "").values()];
  if (groups.length === 0) return "";
  const cards = groups.map((own, i) =>
    cardHtml(
      looked,
      own.map((one) => shownBreak(looked, one)),
      i + 1,
    ),
  );
  return `<section id="broken"><h2>Broken</h2>${cards.join("")}</section>`;
}

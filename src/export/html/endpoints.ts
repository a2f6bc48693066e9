/** What the program can tell of an endpoint: its checks in order, every answer, its examples. */
import { occurrencesOf } from "../../check/index.ts";
import {
  causesOf,
  type Endpoint,
  everyStep,
  type ItemId,
  isStated,
  type Plan,
  statusesOf,
  type WayToEnd,
  waysToEnd,
} from "../../plan/index.ts";
import { exchangeHtml, exchangesOf, type PlacedExchange } from "./exchanges.ts";
import { inlineHtml } from "./inline.ts";
import { lineId, lineOfItem, type Page, questionId } from "./page.ts";
import type { OpenQuestion } from "./questions.ts";
import { counted, escaped } from "./text.ts";

/** A status as the page shows it: its class is told by its first digit and, beside, by colour. */
function statusHtml(status: number): string {
  return `<b class="st s${Math.floor(status / 100)}">${status}</b>`;
}

/** Status of an answer that names a gap. */
const GAP_STATUS = 501;

/** Answers of one kind at one check. */
interface Outcome {
  readonly status: number;
  readonly error?: string;
  /** What is met: conditions of the closed list, names of limits. */
  readonly met: string[];
  readonly questions: Set<OpenQuestion>;
}

/** A check of an endpoint, with the answers that it can give. */
interface Check {
  readonly at: ItemId | undefined;
  readonly outcomes: Map<string, Outcome>;
}

/** What answers, in the words of the closed list, or as a limit; nothing for a step itself. */
function generalWords(plan: Plan): ReadonlyMap<ItemId, string> {
  const words = new Map<ItemId, string>();
  for (const { id, condition } of plan.failures) words.set(id, condition);
  for (const { id, name } of plan.limits) words.set(id, `limit ${name}`);
  for (const { id } of plan.schemes) words.set(`${id}/caller`, "no caller found");
  for (const { id, resource } of plan.machines) {
    words.set(`${id}/any other transition`, `not in a state of ${resource} that allows it`);
  }
  return words;
}

type Words = (id: ItemId) => string | undefined;

/** The same, with what is of the endpoint alone. */
function wordsAt(general: ReadonlyMap<ItemId, string>, { id: own, failures }: Endpoint): Words {
  const rows = new Map(failures.map(({ id, condition }) => [id, condition]));
  const path = `${own}/path `;
  return (id) => {
    if (id.startsWith(path)) return `nothing at ${id.slice(path.length).replaceAll("`", "")}`;
    return rows.get(id) ?? general.get(id);
  };
}

function checksOf(
  answers: readonly WayToEnd[],
  page: Page,
  met: Words,
  gaps: ReadonlyMap<ItemId, ItemId>,
): Check[] {
  const checks = new Map<ItemId | undefined, Check>();
  for (const { id, at, status = GAP_STATUS, error } of answers) {
    const check = checks.get(at) ?? { at, outcomes: new Map<string, Outcome>() };
    checks.set(at, check);
    const key = `${status} ${error ?? ""}`;
    const outcome = check.outcomes.get(key) ?? {
      ...{ status, met: [], questions: new Set<OpenQuestion>() },
      ...(error === undefined ? {} : { error }),
    };
    check.outcomes.set(key, outcome);
    const question = page.questions.of(id) ?? page.questions.of(gaps.get(id) ?? "");
    if (question !== undefined) outcome.questions.add(question);
    const word = met(id);
    if (word !== undefined && !outcome.met.includes(word)) outcome.met.push(word);
  }
  return [...checks.values()];
}

/** The first line of a step, as it is written. */
function stepWords(page: Page, id: ItemId, checks: ReadonlyMap<ItemId, string>): string {
  const check = checks.get(id);
  if (check !== undefined) return `Check the ${escaped(check)}`;
  const span = page.from.checked.origins.get(id);
  if (span === undefined) return "What comes first is not answered";
  const end = page.text.slice(span.start, span.end).search(/[\r\n]/);
  const line = { start: span.start, end: end < 0 ? span.end : span.start + end, inCell: false };
  const mark = /^\s*(?:\d+\.|-)?\s*/.exec(page.text.slice(line.start, line.end))?.[0].length ?? 0;
  const isRow = page.text.startsWith("|", line.start);
  if (isRow) return "A transition that comes with it";
  // The questions in it are marked at the step itself.
  const quiet = { ...page, questions: NO_QUESTIONS };
  const html = inlineHtml(quiet, { ...line, start: line.start + mark }, { isPlain: true });
  return /[.:]$/.test(html) || line.end === span.end ? html : `${html} \u2026`;
}

/** The gaps that steps and rows of failure tables are. */
function gapsOf({ prologue, endpoints, failures }: Plan): ReadonlyMap<ItemId, ItemId> {
  const steps = everyStep([...prologue, ...endpoints.flatMap((one) => one.steps)]);
  const rows = [...failures, ...endpoints.flatMap((one) => one.failures)];
  return new Map([
    ...steps.flatMap((one) => (one.kind === "gap" ? [[one.id, one.gap] as const] : [])),
    ...rows.flatMap(({ id, answer }) => (answer.is === "gap" ? [[id, answer.gap] as const] : [])),
  ]);
}

/** What each step that is a check looks at: several of them may stand in one sentence. */
function checkNames({ prologue, endpoints }: Plan): ReadonlyMap<ItemId, string> {
  const steps = everyStep([...prologue, ...endpoints.flatMap((one) => one.steps)]);
  return new Map(steps.flatMap((one) => (one.kind === "check" ? [[one.id, one.what]] : [])));
}

const NO_QUESTIONS = { all: [], within: () => [], of: () => undefined };

function outcomeHtml(page: Page, { status, error, met, questions }: Outcome): string {
  const words = met.length === 0 ? "" : ` <span class="met">${escaped(met.join(", "))}</span>`;
  if (error !== undefined) {
    const place = page.names.get(error);
    const name = `<code>${escaped(error)}</code>`;
    const link =
      place === undefined ? name : `<a class="ref" href="#${escaped(place)}">${name}</a>`;
    return `<li>${statusHtml(status)} ${link}${words}</li>`;
  }
  const links = [...questions].map((one) => {
    return `<a href="#${questionId(one)}">question ${one.number}</a>`;
  });
  const gap = status === GAP_STATUS ? ` ${links.join(", ") || "an open question"}` : "";
  return `<li>${statusHtml(status)}${gap}${words}</li>`;
}

function checkHtml(
  page: Page,
  { at, outcomes }: Check,
  endpoint: Endpoint,
  names: ReadonlyMap<ItemId, string>,
): string {
  const line = at === undefined ? undefined : lineOfItem(page, at);
  let words = "At any time";
  if (at === endpoint.id) words = "Before its steps";
  else if (at !== undefined) words = stepWords(page, at, names);
  const place =
    line === undefined
      ? ""
      : ` <a class="at" href="#${lineId(line)}"><span class="vh">line </span>${line}</a>`;
  const all = [...outcomes.values()].map((one) => outcomeHtml(page, one)).join("");
  const kind = at === undefined ? ` class="ever"` : "";
  return `<li${kind}><span class="check">${words}${place}</span><ul role="list">${all}</ul></li>`;
}

/** Open questions that a request to the endpoint can meet. */
function questionsHtml(open: readonly OpenQuestion[]): string {
  if (open.length === 0) return "";
  const links = open.map((one) => `<a href="#${questionId(one)}">question ${one.number}</a>`);
  return (
    `<p class="open">A request can meet ${counted(open.length, "open question")}, and is then ` +
    `answered ${statusHtml(GAP_STATUS)}: ${links.join(", ")}.</p>`
  );
}

/** The answers of its table, which says of none when it is given. */
function tableHtml({ answers = [] }: Endpoint): string {
  if (answers.length === 0) return "";
  const meanings = new Map<string, Set<string>>();
  for (const { status, meaning } of answers) {
    const all = meanings.get(status) ?? new Set<string>();
    meanings.set(status, isStated(meaning) ? all.add(meaning.value) : all);
  }
  const rows = [...meanings].map(([status, all]) => {
    const words = all.size === 0 ? "" : ` <span class="met">${escaped([...all].join("; "))}</span>`;
    return `<li><b class="st s${escaped(status.slice(0, 1))}">${escaped(status)}</b>${words}</li>`;
  });
  return (
    `<p class="more">What it may answer, without a word of when:</p>` +
    `<ul class="may" role="list">${rows.join("")}</ul>`
  );
}

function examplesHtml(id: string, own: readonly PlacedExchange[]): string {
  const best = own.find(({ exchange }) => exchange.response.status < 300) ?? own[0];
  if (best === undefined) return "";
  const others = own.filter((one) => one !== best);
  const links = others.map(
    ({ exchange, line }) =>
      `<li><a href="#${lineId(line)}">${statusHtml(exchange.response.status)} line ${line}</a>` +
      `</li>`,
  );
  const more =
    links.length === 0
      ? ""
      : `<p class="more">More examples:</p><ul class="chips" role="list">${links.join("")}</ul>`;
  return (
    `<section class="panel" aria-labelledby="${id}--example"><h4 id="${id}--example">Example` +
    ` <a class="at" href="#${lineId(best.line)}"><span class="vh">line </span>${best.line}</a>` +
    `</h4>` +
    `<div class="exchange">${exchangeHtml(best.exchange)}</div>${more}</section>`
  );
}

/** What can be told of each endpoint of the page, by its item. */
export interface Endpoints {
  /** The panels beside what the document says of the endpoint; `id` is its place. */
  panels(endpoint: Endpoint, id: string): string;
  /** The endpoints that can answer with the error. */
  answering(error: string): readonly Endpoint[];
}

/** Asks the plan once for each endpoint. */
export function endpointsOf(page: Page): Endpoints {
  const { plan } = page;
  const occurrences = occurrencesOf(plan);
  const exchanges = exchangesOf(page);
  const names = checkNames(plan);
  const gaps = gapsOf(plan);
  const general = generalWords(plan);
  const known = new Map(
    plan.endpoints.map((endpoint) => {
      const asked = occurrences(endpoint);
      const answers = waysToEnd(plan, endpoint, asked);
      const statuses = statusesOf(plan, endpoint, asked);
      const ends = causesOf(plan, endpoint, { ...asked, status: GAP_STATUS })?.ends ?? [];
      const open = new Set(ends.flatMap((gap) => page.questions.of(gap) ?? []));
      const questions = [...open].toSorted((a, b) => a.number - b.number);
      return [endpoint.id, { answers, statuses, questions }] as const;
    }),
  );
  const byError = new Map<string, Set<Endpoint>>();
  for (const endpoint of plan.endpoints) {
    for (const { error } of known.get(endpoint.id)?.answers ?? []) {
      if (error === undefined) continue;
      const all = byError.get(error) ?? new Set<Endpoint>();
      byError.set(error, all.add(endpoint));
    }
  }
  return {
    answering: (error) => [...(byError.get(error) ?? [])],
    panels: (endpoint, id) => {
      const { answers = [], statuses = [], questions = [] } = known.get(endpoint.id) ?? {};
      const place = escaped(id);
      const chips = statuses.map((one) => `<li>${statusHtml(one)}</li>`).join("");
      const checks = checksOf(answers, page, wordsAt(general, endpoint), gaps);
      const list = checks.map((one) => checkHtml(page, one, endpoint, names)).join("");
      return (
        `<section class="panel" aria-labelledby="${place}--answers">` +
        `<h4 id="${place}--answers">Answers, in the order of its checks</h4>` +
        `<ul class="chips" role="list">${chips}</ul>${questionsHtml(questions)}` +
        `<ol class="checks" role="list">${list}</ol>${tableHtml(endpoint)}</section>` +
        examplesHtml(place, exchanges.get(endpoint.id) ?? [])
      );
    },
  };
}

/** Where requests go, in front of each path. */
export function basePath({ about }: Plan): string {
  return isStated(about.basePath) ? about.basePath.value : "";
}

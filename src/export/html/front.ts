/** What stands above and below the nine parts: figures, what is stated, the open questions. */
import type { FacetReport } from "../../check/index.ts";
import { pathText } from "../../plan/index.ts";
import type { Endpoints } from "./endpoints.ts";
import { lineId, type Page, questionId } from "./page.ts";
import type { OpenQuestion } from "./questions.ts";
import { counted, escaped } from "./text.ts";

function figure(value: number, word: string, place?: string): string {
  const inner = `<b>${value}</b> ${escaped(word)}${value === 1 ? "" : "s"}`;
  return place === undefined
    ? `<li>${inner}</li>`
    : `<li><a href="#${escaped(place)}">${inner}</a></li>`;
}

function facetHtml({ name, status }: FacetReport): string {
  const kind = status.replace(" ", "-");
  const words = status === "silent" ? "not answered" : status;
  return `<li class="facet f-${kind}">${escaped(name)} <span>${words}</span></li>`;
}

/** Of each part whether it is stated, facet by facet, with the number of open questions. */
function partsHtml(page: Page): string {
  const starts = [...page.places.entries()].flatMap(([start, { section, part, id }]) =>
    section === undefined ? [{ start, part, id }] : [],
  );
  const rows = page.from.checked.parts.map(({ name, facets }) => {
    const at = starts.findIndex(({ part }) => part.title === name);
    const place = starts[at];
    const end = starts[at + 1]?.start ?? page.text.length;
    const open = place ? page.questions.within({ start: place.start, end }).length : 0;
    const title = place ? `<a href="#${escaped(place.id)}">${escaped(name)}</a>` : escaped(name);
    const said = facets.map(facetHtml).join("");
    return (
      `<li><span class="name">${title}</span>` +
      `<ul class="facets" role="list">${said}</ul>` +
      `<span class="num">${open === 0 ? "" : counted(open, "open question")}</span></li>`
    );
  });
  return `<ul class="parts" role="list" aria-label="What each part says">${rows.join("")}</ul>`;
}

/** Figures of the document, and how much of it is open. */
export function overviewHtml(page: Page): string {
  const { plan, questions, from } = page;
  const { counts, blocking } = from.checked;
  const place = (part: string): string | undefined => page.items.get(part);
  const schemas = page.spec.parts.flatMap(({ sections }) =>
    sections.filter(({ scope }) => scope === "schema"),
  );
  const figures = [
    figure(plan.endpoints.length, "endpoint", place("endpoints")),
    figure(plan.resources.length, "resource", place("resources")),
    ...(schemas.length === 0 ? [] : [figure(schemas.length, "schema", place("resources"))]),
    figure(plan.errors.length, "error", place("errors")),
    figure(plan.events.length, "event", place("events")),
  ];
  const open = questions.all.length;
  const met =
    blocking === 0
      ? "No answer depends on it."
      : `A request that meets one of the ${blocking} that answers depend on is answered ` +
        `<code>501</code>.`;
  const said =
    open === 0
      ? `<p class="whole">Nothing is left open.</p>`
      : `<p class="open"><a href="#open-questions">${counted(open, "open question")}</a>: what ` +
        `is asked there is not known. ${met}</p>`;
  return (
    `<section class="overview" aria-labelledby="overview--h"><h2 id="overview--h" class="vh">` +
    `Overview</h2>` +
    `<ul class="figures" role="list">${figures.join("")}</ul>${said}` +
    `<p class="counts" id="counts">${counts.stated} stated \u00b7 ${counts.none} none \u00b7 ` +
    `${counts.free} free \u00b7 ${counts.notShown} not shown \u00b7 ${counts.silent} not ` +
    `answered</p>` +
    `${partsHtml(page)}</section>`
  );
}

function questionHtml(page: Page, one: OpenQuestion): string {
  const { finding, isSilent } = one;
  const line = page.lineAt(finding.span.start);
  const words = finding.message.replaceAll("`", "");
  const kind = isSilent ? `<span class="tag">not answered</span> ` : "";
  return (
    `<li><a href="#${questionId(one)}">${escaped(words)}</a> ${kind}` +
    `<a class="at" href="#${lineId(line)}"><span class="vh">line </span>${line}</a></li>`
  );
}

/** The open questions of the document, each with a link to its place. */
export function questionsHtml(page: Page): string {
  const { all } = page.questions;
  if (all.length === 0) return "";
  return (
    `<section class="part" id="open-questions" aria-labelledby="open-questions--h">` +
    `<h2 id="open-questions--h">Open questions</h2>` +
    `<p>${counted(all.length, "question")}, in the order of the document. Nothing takes the ` +
    `place ` +
    `of an answer.</p><ol class="questions">` +
    `${all.map((one) => questionHtml(page, one)).join("")}</ol></section>`
  );
}

const LISTED_MAX = 40;

function answeredBy(by: readonly string[], all: number): string {
  if (by.length === 0) return "no endpoint by its steps or checks";
  if (by.length === all && all > 1) return "every endpoint";
  return by.length > LISTED_MAX ? `${by.length} of ${all} endpoints` : by.join(", ");
}

/** For each error the endpoints that can answer with it. */
export function answeringHtml(page: Page, endpoints: Endpoints): string {
  const { errors } = page.plan;
  if (errors.length === 0) return "";
  const rows = errors.map(({ id, name }) => {
    const by = endpoints.answering(name).map((one) => {
      const words = `<code>${escaped(`${one.method} ${pathText(one.path)}`)}</code>`;
      const place = page.items.get(one.id);
      return place === undefined ? words : `<a class="ref" href="#${escaped(place)}">${words}</a>`;
    });
    const place = page.items.get(id);
    const code = `<code>${escaped(name)}</code>`;
    const term =
      place === undefined ? code : `<a class="ref" href="#${escaped(place)}">${code}</a>`;
    const words = answeredBy(by, page.plan.endpoints.length);
    return `<li><span class="key">${term}</span> <span class="value">${words}</span></li>`;
  });
  return (
    `<section class="panel" aria-labelledby="answered--by"><h3 id="answered--by">Which ` +
    `endpoint answers with which error</h3>` +
    `<ul class="facts" role="list">${rows.join("")}</ul></section>`
  );
}

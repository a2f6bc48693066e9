/** Takes a gap, gives the question to put to the author and what the gap blocks. */

import type { GapReport } from "../../check/index.ts";
import { failureConditions, parts, type QuestionEntry, questions } from "../../language/index.ts";
import { type AnswerForms, answersOf } from "./answers.ts";
import { facetQuestions } from "./facets.ts";

export interface Asked {
  /** What is asked about, where that is narrower than the part: a code span, or nothing. */
  readonly about?: string;
  readonly asks: string;
  readonly blocks: string;
  /** In which forms it can be answered, where a bullet answers it. */
  readonly forms?: AnswerForms;
}

const MEETS = "every request that meets it";
const ASKING = /^(how|what|which|who|whom|whose|when|where|why|whether)\b/i;

/** Questions by their names, by the keys of the bullets that answer them, and by what they ask. */
const byName = new Map<string, QuestionEntry>();
for (const question of questions) {
  const labels = [...question.answeredBy.matchAll(/`- ([^:`]+)/g)].map(([, label = ""]) => label);
  for (const name of [question.id, ...labels, question.asks.replace(/\?$/, "")]) {
    const key = name.trim().toLowerCase();
    if (!byName.has(key)) byName.set(key, question);
  }
}

/** Subjects that gaps beside a value or a rule have. */
const alike: Readonly<Record<string, string>> = {
  "order of items": "list order",
  "how it is kept": "kept as",
};

/** The construct of a gap: `User.bio`, `GET /orders`, `bad_login`; nothing where it is a part. */
function aboutOf(gap: GapReport): string | undefined {
  const [part = "", ...path] = gap.id.split(/(?<!\s)\/(?!\{|\s)/);
  if (part === "resources" && path.length >= 3 && path[0] === gap.scope) {
    return `${path[0]}.${path[1]}`;
  }
  if (part === "errors" && path.length === 2 && gap.scope === "Errors") return path[0];
  return gap.scope === gap.part ? undefined : gap.scope;
}

function sentenceOf(gap: GapReport): Asked | undefined {
  const when = /^When (.+?), not shown\.?$/.exec(gap.sentence)?.[1];
  if (when !== undefined) {
    return { asks: `What happens when ${when}?`, blocks: "every request for which that holds" };
  }
  if (/^Otherwise, not shown\.?$/.test(gap.sentence)) {
    return { asks: "What happens otherwise?", blocks: "every request that comes there" };
  }
  return undefined;
}

function errorOf(gap: GapReport): Asked | undefined {
  const error = /^errors\/(.+)\/(status|body)$/.exec(gap.id);
  if (error !== null) {
    const asks =
      error[2] === "status" ? "Which status has this error?" : "What is the body of this error?";
    return { asks, blocks: `every request that gets the error \`${error[1]}\`` };
  }
  const condition = failureConditions.find((each) => each.name === gap.subject);
  if (condition !== undefined) {
    const [first = ""] = condition.means.split(/(?<=\.) /);
    return { asks: `${first} What does the request get?`, blocks: MEETS };
  }
  return gap.subject === "which error" || /\/else$/.test(gap.id)
    ? { asks: "Which error does a request get that is refused here?", blocks: MEETS }
    : undefined;
}

function subjectOf(gap: GapReport): Asked {
  // A gap of a cell names the field before what is not shown; the question has it already.
  const subject = gap.subject.replace(/^`[^`]+`, /, "");
  const key = subject.toLowerCase();
  const question = byName.get(alike[key] ?? key);
  if (question !== undefined) {
    const { asks, blocks } = question;
    const forms = answersOf(question);
    return { asks, blocks, ...(forms === undefined ? {} : { forms }) };
  }
  const blocks = gap.blocking ? MEETS : "nothing: no answer depends on it";
  const { cell } = gap;
  if (cell !== undefined) return { asks: `What is ${cell.column} of ${cell.row}?`, blocks };
  const capital = subject.charAt(0).toUpperCase() + subject.slice(1);
  const asks = ASKING.test(subject)
    ? `${capital}?`
    : `What should the document say about “${subject}”?`;
  return { asks, blocks };
}

/** The question that a gap, recorded or silent, puts to the author. */
export function askedBy(gap: GapReport): Asked {
  const about = aboutOf(gap);
  const named = about === undefined ? {} : { about: `\`${about.replaceAll("`", "")}\`` };
  const entry = parts.find((part) => part.title === gap.part);
  const facet = gap.scope === gap.part ? facetQuestions[`${entry?.id}/${gap.subject}`] : undefined;
  if (facet !== undefined) return facet;
  return { ...(sentenceOf(gap) ?? errorOf(gap) ?? subjectOf(gap)), ...named };
}

/** The one question of a row of which nothing but its name is shown. */
export function askedOfRow(gaps: readonly GapReport[]): Asked | undefined {
  const columns = gaps.flatMap(({ cell }) => (cell?.isWhole === true ? [cell.column] : []));
  const row = gaps[0]?.cell?.row;
  if (row === undefined || columns.length < 2 || columns.length < gaps.length) return undefined;
  const last = columns.pop();
  const blocks = gaps.some(({ blocking }) => blocking)
    ? "every request that meets one of them"
    : "nothing: no answer depends on them";
  return { asks: `What are ${columns.join(", ")} and ${last} of ${row}?`, blocks };
}

/** How much a gap blocks: 0 everything, 3 nothing. */
export function blockingRank(gap: GapReport, asked: Asked): 0 | 1 | 2 | 3 {
  if (!gap.blocking) return 3;
  if (asked.blocks === "every request") return 0;
  return /^every request (to it|with|that (needs|uses|sends|would use))/.test(asked.blocks) ? 1 : 2;
}

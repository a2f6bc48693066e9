/** Fills one section: bullets by their key, tables, steps, and sentences about facets. */
import type { BulletNode, FenceNode, SectionNode, SentenceNode } from "../../spec/index.ts";
import { fillMatch } from "./fill.ts";
import {
  contradicts,
  filled,
  freshId,
  type Merge,
  needed,
  type Place,
  renamed,
  same,
  unused,
} from "./merge.ts";
import { mergeTables } from "./rows.ts";
import { mergeSteps } from "./steps.ts";

/** The key of a bullet as written, with its slots: `path \`slug\``. */
function signature({ id }: BulletNode): string {
  // Behind the key of a bullet that may stand again, its name has its value.
  const [key = id] = id.split(": ", 1);
  return key.slice(key.lastIndexOf("/") + 1).replace(/#\d+$/, "");
}

/** Bullets of which each states a thing of its own. */
const NAMING = new Set(["setting", "given"]);

function nameOf(bullet: BulletNode): string {
  const value = bullet.match.slots.name;
  return value?.kind === "text" ? value.text : "";
}

/** Whether the document is silent where the bullet answers. */
function answersSilence(merge: Merge, section: SectionNode, bullet: BulletNode): boolean {
  const { silent } = merge.open;
  if (NAMING.has(bullet.key)) return needed(merge, nameOf(bullet));
  if (silent.has(`${section.id}/${bullet.key}`)) return true;
  if (bullet.key === "missing") {
    const field = bullet.match.slots.field;
    return field?.kind === "text" && silent.has(`${section.id}/${field.text}/missing`);
  }
  // An answer for all endpoints or resources fills the silence of each.
  return (
    section.scope.startsWith("every ") && [...silent].some((id) => id.endsWith(`/${bullet.key}`))
  );
}

type Said = "same" | "filled" | "other";

/** A bullet of the document, and one of the assumptions with the same key. */
interface Pair {
  readonly bullets: BulletNode[];
  readonly at: number;
  readonly assumed: BulletNode;
}

function fillBullet(merge: Merge, place: Place, { bullets, at, assumed }: Pair): Said {
  const stated = bullets[at] as BulletNode;
  if (stated.status === "not shown") {
    filled(merge, place, assumed, stated);
    bullets[at] = renamed(assumed, stated.id);
    return "filled";
  }
  if (stated.status !== assumed.status) return "other";
  if (stated.status !== "stated" || same(merge, stated, assumed)) return "same";
  const outcome = fillMatch(merge, stated.match, assumed.match);
  if (outcome.is !== "filled") return outcome.is;
  filled(merge, place, outcome.span, outcome.gap);
  bullets[at] = { ...stated, match: outcome.match };
  return "filled";
}

function mergeBullet(merge: Merge, place: Place, bullets: BulletNode[], assumed: BulletNode): void {
  const wanted = signature(assumed);
  const alike = bullets.flatMap((bullet, at) => (signature(bullet) === wanted ? [at] : []));
  for (const at of alike) {
    if (fillBullet(merge, place, { bullets, at, assumed }) !== "other") return;
  }
  const rival = bullets[alike[0] ?? -1];
  if (rival !== undefined) {
    contradicts(merge, assumed, rival);
    return;
  }
  if (!answersSilence(merge, place.section, assumed)) {
    unused(merge, assumed);
    return;
  }
  filled(merge, place, assumed);
  bullets.push(renamed(assumed, freshId(merge, assumed.id)));
}

/** Free sentences that stand for the steps of a section. */
const STEPS = new Set(["steps", "order of checks"]);

function standsForSteps(sentence: SentenceNode): boolean {
  return sentence.facet === undefined && STEPS.has(sentence.subject.text.toLowerCase());
}

function steps(merge: Merge, place: Place, assumed: SectionNode) {
  const { section } = place;
  if (section.steps.length > 0) {
    return mergeSteps(merge, place, section.steps, assumed.steps);
  }
  if (assumed.steps.length > 0) {
    filled(merge, place, assumed.steps[0] ?? assumed, section.sentences.find(standsForSteps));
  }
  return assumed.steps;
}

function mergeSentences(merge: Merge, place: Place, assumed: SectionNode): SentenceNode[] {
  const { section } = place;
  const open = section.sentences.filter((sentence) => {
    const { facet } = sentence;
    if (facet === undefined) return !(assumed.steps.length > 0 && standsForSteps(sentence));
    return sentence.status !== "not shown" || !merge.answers.has(facet);
  });
  const added = assumed.sentences.flatMap((sentence): SentenceNode[] => {
    const { facet, status } = sentence;
    if (facet === undefined || status === "not shown") return [];
    const stated = section.sentences.find((one) => one.facet === facet);
    if (merge.open.facets.has(facet)) {
      filled(merge, place, sentence, stated);
      return [renamed(sentence, stated?.id ?? sentence.id)];
    }
    if (stated === undefined) unused(merge, sentence);
    else if (stated.status !== status) contradicts(merge, sentence, stated);
    return [];
  });
  return [...open, ...added];
}

/** Examples and rows of the file stand beside those of the document. */
function mergeFences(merge: Merge, section: SectionNode, assumed: SectionNode): FenceNode[] {
  const added = assumed.fences.flatMap((fence): FenceNode[] => {
    const stated = section.fences.find(
      (one) => one.block === fence.block && one.name.text === fence.name.text,
    );
    if (stated === undefined) return [renamed(fence, freshId(merge, fence.id))];
    if (stated.content.text !== fence.content.text) contradicts(merge, fence, stated);
    return [];
  });
  return [...section.fences, ...added];
}

/** The section of the document with what the assumptions say under the same heading. */
export function mergeSection(merge: Merge, place: Place, assumed: SectionNode): SectionNode {
  const { section } = place;
  const bullets = [...section.bullets];
  for (const bullet of assumed.bullets) {
    if (bullet.status !== "not shown") mergeBullet(merge, place, bullets, bullet);
  }
  const isPurpose = section.prose.length === 0 && merge.open.facets.has("purpose");
  return {
    ...section,
    bullets,
    prose: isPurpose ? assumed.prose : section.prose,
    tables: mergeTables(merge, place, assumed.tables),
    steps: steps(merge, place, assumed),
    sentences: mergeSentences(merge, place, assumed),
    fences: mergeFences(merge, section, assumed),
  };
}

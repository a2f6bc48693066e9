/** Takes a question or a facet, gives the forms in which its answer can be written. */
import {
  type BulletForm,
  bullets,
  headings,
  parts,
  type QuestionEntry,
} from "../../language/index.ts";

const EXAMPLES_MAX = 2;

/** Bullets by their keys, without slots: `base path`, `missing`. */
const byKey = Map.groupBy(bullets, ({ form }) =>
  form.slice(0, form.indexOf(":")).replace(/\{.*$/, "").trim().toLowerCase(),
);

/** How an answer is written: examples of lines, and the words that may stand for one. */
export interface AnswerForms {
  readonly examples: readonly string[];
  readonly words: readonly string[];
}

function formsOf(entries: readonly BulletForm[]): AnswerForms {
  const examples = entries.slice(0, EXAMPLES_MAX).map(({ example }) => `- ${example}`);
  const words = [
    ...(entries.some(({ none }) => none) ? ["none"] : []),
    ...(entries.some(({ free }) => free) ? ["free"] : []),
  ];
  return { examples, words };
}

/** The forms of the bullets that answer a question; none where it is answered in another way. */
export function answersOf({ answeredBy }: QuestionEntry): AnswerForms | undefined {
  const keys = [...answeredBy.matchAll(/`- ([A-Z][^:`{]*)/g)].map(([, key = ""]) =>
    key.trim().toLowerCase(),
  );
  const entries = keys.flatMap((key) => byKey.get(key) ?? []);
  return entries.length === 0 ? undefined : formsOf(entries);
}

/** What states a facet, in words; undefined where there is no facet of that name. */
export function statedBy(part: string, facet: string): string | undefined {
  const entry = parts.find(({ title }) => title === part);
  return entry?.facets.find(({ name }) => name === facet)?.statedBy;
}

/** The heading by which a document states its first endpoint. */
export function firstHeading(): string {
  return `### ${headings.find(({ id }) => id === "endpoint")?.example ?? ""}`;
}

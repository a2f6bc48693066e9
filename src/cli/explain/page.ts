/** What the page of a finding holds, as sections; must not know how they are written. */
import type { CodeEntry } from "../../base/index.ts";
import { type FormGroup, formGroups } from "./forms.ts";
import { howTos } from "./how-to.ts";
import { topics } from "./topics.ts";

interface PageLink {
  readonly title: string;
  /** A page below docs, and its anchor. */
  readonly path: string;
}

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "sample"; readonly text: string }
  | { readonly kind: "forms"; readonly groups: readonly FormGroup[] }
  | { readonly kind: "links"; readonly links: readonly PageLink[] };

interface Section {
  readonly title: string;
  readonly block: Block;
}

interface Page {
  readonly code: string;
  readonly title: string;
  readonly severity: CodeEntry["severity"];
  readonly sections: readonly Section[];
}

const text = (title: string, words: string): Section => ({
  title,
  block: { kind: "text", text: words },
});

const sample = (title: string, words: string): Section => ({
  title,
  block: { kind: "sample", text: words },
});

function linksOf({ topic, see = [] }: CodeEntry): PageLink[] {
  const { title, page } = topics[topic];
  return [
    { title, path: page },
    ...see.map((name) => {
      const howTo = howTos[name];
      if (howTo === undefined) throw new Error(`there is no how-to "${name}"`);
      return { title: `How do I say: ${howTo.wish}`, path: `how-to/${name}.md` };
    }),
  ];
}

/** The page of a code; throws on a how-to that there is not. */
export function pageOf(code: string, entry: CodeEntry): Page {
  const { forms } = entry;
  return {
    code,
    title: `${entry.title}.`.replace(/([.?!])\.$/, "$1"),
    severity: entry.severity,
    sections: [
      text("What it means", entry.meaning),
      text("Why it matters", entry.why ?? topics[entry.topic].why),
      text("How to mend it", entry.mend),
      sample("Wrong", entry.wrong),
      sample("Right", entry.right),
      ...(forms === undefined
        ? []
        : [
            {
              title: "What may stand there",
              block: { kind: "forms", groups: formGroups(forms) },
            } as const,
          ]),
      { title: "See also", block: { kind: "links", links: linksOf(entry) } },
    ],
  };
}

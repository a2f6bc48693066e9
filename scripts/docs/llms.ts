/** Writes llms.txt, by llmstxt.org: a title, a quote, and lists of links. */
import { howTos } from "../../src/cli/explain/how-to.ts";

type Link = readonly [title: string, path: string, says: string];

const section = (title: string, links: readonly Link[]): string =>
  `## ${title}\n\n${links.map(([name, path, says]) => `- [${name}](${path}): ${says}`).join("\n")}`;

/** The text of the file: its paths begin where it stands. */
export function llmsText(): string {
  const wishes = Object.entries(howTos).map(
    ([name, { title, wish }]): Link => [title, `docs/how-to/${name}.md`, wish],
  );
  return `${[
    "# Lacuna",
    [
      "> One Markdown document specifies a service in nine parts. Lacuna checks it, and serves it",
      "as a durable HTTP service. Nothing is inferred: what nobody has said is a gap, and a",
      "request that depends on a gap is answered 501 with its line.",
    ].join(" "),
    [
      "To write a document: read the short reference, begin with `lacuna new FILE`, then run",
      "`lacuna check FILE` until it finds nothing. `lacuna explain CODE` tells of a finding, and",
      "`lacuna check FILE --format json` is for programs.",
    ].join(" "),
    section("Language", [
      ["Short reference", "docs/short.md", "every form by an example, and a whole document"],
      [
        "Reference",
        "docs/reference/README.md",
        "each form and all that it means, a page for each part",
      ],
      ["Twenty minutes", "docs/tutorial/twenty-minutes.md", "a service, paste by paste"],
      ["First document", "docs/first-document.md", "a whole service in one page"],
      ["Findings", "docs/findings/README.md", "a page for each finding of `check`"],
    ]),
    section("How do I say", wishes),
    section("Program", [
      ["Commands", "docs/cli.md", "each command with its options and exit codes"],
      ["Running it", "docs/running.md", "start, watch, copy, stop, change"],
      [
        "More than one machine",
        "docs/nodes.md",
        "PostgreSQL, nodes, what happens when something fails",
      ],
      ["Code behind a call", "docs/calls.md", "what a document cannot state"],
      ["Library", "docs/library.md", "reading, checking and planning in a program"],
    ]),
    section("Optional", [
      ["Why gaps", "docs/explanation/why-gaps.md", "why nothing is filled in"],
      ["Lacuna and OpenAPI", "docs/explanation/lacuna-and-openapi.md", "what each of them says"],
      ["When not to use it", "docs/explanation/when-not.md", "what a document cannot carry"],
    ]),
  ].join("\n\n")}\n`;
}

/** Gives the specification of a service of which nothing is known; takes nothing but a title. */
import { parts } from "../language/index.ts";

/** The one sentence of a part that says that none of these facets is shown. */
function gapSentence(facets: readonly string[]): string {
  const [last = ""] = facets.slice(-1);
  const before = facets.slice(0, -1).join(", ");
  const subject = before === "" ? last : `${before} and ${last}`;
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: not shown.`;
}

/** A part, heading and sentence, of which nothing is shown; ends with one line end (LF). */
export function blankPart(title: string): string {
  const entry = parts.find((part) => part.title === title);
  const sentence = gapSentence((entry?.facets ?? []).map((facet) => facet.name));
  return `## ${title}\n\n${sentence}\n`;
}

/** A whole document, complete and honest: nine parts, 28 facets, all `not shown`. */
export function blankDocument(title = "Name of the service"): string {
  const head =
    `# ${title}\n\nNothing is known yet, and this document says so. Replace a line as soon as ` +
    "you know better;\nleave the others as they are.\n";
  return [head, ...parts.map((part) => blankPart(part.title))].join("\n");
}

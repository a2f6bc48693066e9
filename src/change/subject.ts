/** What of a document a change, or a decision of a migration, is about. */
import { never } from "../base/index.ts";

/** `resource` and `holder`: a resource; `holder` may be a part, too. */
export type Subject =
  | { readonly is: "resource"; readonly resource: string }
  | { readonly is: "field"; readonly holder: string; readonly field: string }
  /** A value of a field that is `one of`, or a state of one that holds it. */
  | { readonly is: "word"; readonly holder: string; readonly field: string; readonly word: string }
  | { readonly is: "transition"; readonly resource: string; readonly transition: string }
  /** By which field clients name rows. */
  | { readonly is: "key"; readonly resource: string }
  /** Rows that stand in the document. */
  | { readonly is: "fixed"; readonly resource: string }
  | { readonly is: "invariant"; readonly resource: string }
  | { readonly is: "webhook" | "call" | "event"; readonly name: string };

/** As a file of decisions writes it. */
export function subjectText(subject: Subject): string {
  switch (subject.is) {
    case "resource":
    case "fixed":
    case "invariant":
      return `\`${subject.resource}\``;
    case "key":
      return `key of \`${subject.resource}\``;
    case "field":
      return `\`${subject.holder}.${subject.field}\``;
    case "word":
      return `value \`${subject.word}\` of \`${subject.holder}.${subject.field}\``;
    case "transition":
      return `transition \`${subject.transition}\` of \`${subject.resource}\``;
    case "webhook":
    case "call":
    case "event":
      return `${subject.is} \`${subject.name}\``;
    default:
      return never(subject);
  }
}

/** Whether both are about the same. */
export function sameSubject(a: Subject, b: Subject): boolean {
  return a.is === b.is && subjectText(a) === subjectText(b);
}

/** Splits `METHOD /path/{param}` into its method and segments. */
import { packed, type Span } from "../../../base/index.ts";
import type { Member } from "../../../expr/index.ts";
import { type PathSegment, pathSegment, pathSegments } from "../../../plan/index.ts";
import type { TextSlot } from "../../../spec/index.ts";
import { type Resolver, report } from "./resolver.ts";

const METHOD = /^[A-Z]{1,20}$/;
const KNOWN = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY"]);

interface Split {
  readonly method: string;
  readonly path: readonly PathSegment[];
}

/** What to write in place of a text that is no segment. */
function hintFor(text: string): string {
  if (/^[:<*]/.test(text)) {
    return `Write a parameter as \`{${text.replaceAll(/\W/g, "") || "name"}}\`.`;
  }
  if (pathSegment(text) !== undefined) return "What takes the rest of a path stands at its end.";
  return (
    "A segment is literal text, one parameter `{name}` with literal text around it or none, or, " +
    "at the end, `{name...}` for the rest of the path."
  );
}

/** The method and path of a code span; undefined, with a finding, where it is none. */
export function splitEndpoint(r: Resolver, slot: TextSlot): Split | undefined {
  const space = slot.text.indexOf(" ");
  const method = slot.text.slice(0, Math.max(0, space));
  const path = slot.text.slice(space + 1);
  if (!METHOD.test(method) || !path.startsWith("/")) {
    report(r, "bad-endpoint", slot, {
      message: `\`${slot.text}\` is no method and path.`,
      hint: "Write such as `GET /articles/{slug}`.",
    });
    return undefined;
  }
  if (!KNOWN.has(method)) {
    report(
      r,
      "bad-endpoint",
      { start: slot.start, end: slot.start + method.length },
      {
        message: `\`${method}\` is no method that an endpoint can have.`,
        hint: `Methods: ${[...KNOWN].join(", ")}.`,
      },
    );
    return undefined;
  }
  const segments: PathSegment[] = [];
  let at = slot.start + space + 2;
  const texts = path.slice(1).split("/");
  for (const [index, segment] of pathSegments(path).entries()) {
    const text = texts[index] ?? "";
    if (segment === undefined) {
      report(
        r,
        "bad-endpoint",
        { start: at, end: at + Math.max(1, text.length) },
        {
          message: `\`${text}\` is no segment of a path.`,
          hint: hintFor(text),
        },
      );
      return undefined;
    }
    segments.push(segment);
    at += text.length + 1;
  }
  return { method, path: packed(segments) };
}

/** The parameters of a path as members of `path`; reports, at `at`, one that stands twice. */
export function pathMembers(
  r: Resolver,
  at: Span,
  path: readonly PathSegment[],
): Map<string, Member> {
  const found = new Map<string, Member>();
  for (const segment of path) {
    if (!("param" in segment)) continue;
    if (found.has(segment.param)) {
      report(r, "second-name", at, { message: `The path has \`{${segment.param}}\` twice.` });
    }
    found.set(segment.param, { type: { kind: "string" }, absent: false });
  }
  return found;
}

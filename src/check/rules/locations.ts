/** Rule: a `Location` on this service is the address of an endpoint. */
import type { Code } from "../../expr/index.ts";
import { isStated } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** A character, (undefined) any text that is not empty, or (null) one that has a `/`, too. */
type Piece = string | undefined | null;

/** The text that an expression gives, piece by piece. */
function piecesOf(code: Code): Piece[] {
  if (code.op === "literal" && typeof code.value === "string") return [...code.value];
  if (code.op === "call" && code.fn === "+" && code.type.kind === "string") {
    return code.args.flatMap(piecesOf);
  }
  return [undefined];
}

/** Paths by what they begin with: what many have in common is looked at once. */
interface Beginning {
  readonly id: number;
  readonly next: Map<Piece, Beginning>;
  isWhole: boolean;
}

function beginningsOf(paths: readonly (readonly Piece[])[]): Beginning {
  let id = 0;
  const make = (): Beginning => ({ id: id++, next: new Map(), isWhole: false });
  const root = make();
  for (const path of paths) {
    let at = root;
    for (const piece of path) {
      const next = at.next.get(piece) ?? make();
      at.next.set(piece, next);
      at = next;
    }
    at.isWhole = true;
  }
  return root;
}

/** Whether some text has the form of the address and of a path; a parameter is one segment. */
function meet(address: readonly Piece[], paths: Beginning): boolean {
  const known = new Set<number>();
  const from = (i: number, at: Beginning): boolean => {
    if (i === address.length || at.next.size === 0) return i === address.length && at.isWhole;
    const key = at.id * address.length + i;
    if (known.has(key)) return false;
    known.add(key);
    return step(i, at);
  };
  const step = (i: number, at: Beginning): boolean => {
    const piece = address[i];
    if (piece === undefined || piece === null) {
      if (from(i + 1, at)) return true;
      return [...at.next.values()].some((next) => from(i + 1, next) || from(i, next));
    }
    const same = at.next.get(piece);
    if (same !== undefined && from(i + 1, same)) return true;
    const open = [at.next.get(null), piece === "/" ? undefined : at.next.get(undefined)];
    return open.some(
      (one) => one !== undefined && (from(i + 1, one) || from(i + 1, at) || from(i, one)),
    );
  };
  return from(0, paths);
}

function pathsOf(c: RuleContext): Piece[][] {
  const { basePath } = c.service.about;
  const base = isStated(basePath) ? [...basePath.value] : [];
  const streams = c.service.streams.flatMap(({ path }) =>
    isStated(path) ? [path.value.replace(/^\S+ /, "")] : [],
  );
  const endpoints = c.service.endpoints.map(({ path }) =>
    path.flatMap((segment): Piece[] => [
      "/",
      ...("param" in segment
        ? [...(segment.before ?? ""), segment.rest ? null : undefined, ...(segment.after ?? "")]
        : segment.literal),
    ]),
  );
  const others = streams.map((path) =>
    path.split(/(\{\w+(?:\.\.\.)?\})/).flatMap((one): Piece[] => {
      if (!one.startsWith("{")) return [...one];
      return [one.endsWith("...}") ? null : undefined];
    }),
  );
  return [...endpoints, ...others].map((path) => [...base, ...path]);
}

/** The address without what stands behind its path. */
function untilQuery(pieces: readonly Piece[]): readonly Piece[] {
  const end = pieces.findIndex((one) => one === "?" || one === "#");
  return end < 0 ? pieces : pieces.slice(0, end);
}

/** Reports `location-lost`. */
export const locations: Rule = (c) => {
  const { basePath } = c.service.about;
  if (basePath.is === "gap" || c.service.endpoints.length === 0) return;
  const paths = beginningsOf(pathsOf(c));
  for (const { step } of c.steps) {
    if (step.kind !== "respond") continue;
    const header = step.headers.find(({ name }) => name.toLowerCase() === "location");
    if (header === undefined) continue;
    const address = untilQuery(piecesOf(header.value.code));
    // What begins otherwise is relative, or on another host.
    if (address[0] !== "/" || address[1] === "/") continue;
    if (meet(address, paths)) continue;
    report(c, {
      code: "location-lost",
      severity: "warning",
      at: c.places.get(header.value) ?? step.id,
      message: "No endpoint has the path that this `Location` names.",
      hint: "Write the base path and the path of the endpoint that shows what was made.",
    });
  }
};

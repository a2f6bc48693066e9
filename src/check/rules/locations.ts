/** Rule: a `Location` on this service is the address of an endpoint. */
import type { Code } from "../../expr/index.ts";
import { isStated } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** A character, or (undefined) any text that is not empty. */
type Piece = string | undefined;

/** The text that an expression gives, piece by piece. */
function piecesOf(code: Code): Piece[] {
  if (code.op === "literal" && typeof code.value === "string") return [...code.value];
  if (code.op === "call" && code.fn === "+" && code.type.kind === "string") {
    return code.args.flatMap(piecesOf);
  }
  return [undefined];
}

/** Whether some text has both forms; a parameter is any text within one segment. */
function meet(address: readonly Piece[], path: readonly Piece[]): boolean {
  const known = new Map<number, boolean>();
  const from = (i: number, j: number): boolean => {
    if (i === address.length || j === path.length) {
      return i === address.length && j === path.length;
    }
    const key = i * (path.length + 1) + j;
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, false);
    const found = step(i, j);
    known.set(key, found);
    return found;
  };
  const step = (i: number, j: number): boolean => {
    const [a, b] = [address[i], path[j]];
    if (a !== undefined && b !== undefined) return a === b && from(i + 1, j + 1);
    const fits = a === undefined || a !== "/";
    return fits && (from(i + 1, j + 1) || from(i + 1, j) || from(i, j + 1));
  };
  return from(0, 0);
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
      ...("param" in segment ? [undefined] : [...segment.literal]),
    ]),
  );
  const others = streams.map((path) =>
    path
      .split(/(\{\w+\})/)
      .flatMap((one): Piece[] => (one.startsWith("{") ? [undefined] : [...one])),
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
  const paths = pathsOf(c);
  for (const { step } of c.steps) {
    if (step.kind !== "respond") continue;
    const header = step.headers.find(({ name }) => name.toLowerCase() === "location");
    if (header === undefined) continue;
    const address = untilQuery(piecesOf(header.value.code));
    // What begins otherwise is relative, or on another host.
    if (address[0] !== "/" || address[1] === "/") continue;
    if (paths.some((path) => meet(address, path))) continue;
    report(c, {
      code: "location-lost",
      severity: "warning",
      at: c.places.get(header.value) ?? step.id,
      message: "No endpoint has the path that this `Location` names.",
      hint: "Write the base path and the path of the endpoint that shows what was made.",
    });
  }
};

/** Answers to pages of other origins, as far as they are stated (Fetch standard, section 3.3). */
import { type About, durationOf, isStated } from "../../plan/index.ts";

/** What cross-origin requests get. All lists are names and values of headers in turn. */
export interface CrossOrigin {
  /**
   * Headers of every answer to a request with this Origin header, or with none. `isUnread`: it may
   * have had one, for its head could not be read to the end.
   */
  headers(origin: string | undefined, isUnread?: boolean): readonly string[];
  /** Further headers of the answer to a preflight. `methods`: those of the path. */
  preflight(origin: string | undefined, methods: readonly string[]): readonly string[];
}

const NOTHING: readonly string[] = [];

/** Undefined where no cross-origin answers are stated. */
export function makeCrossOrigin({ crossOrigin }: About): CrossOrigin | undefined {
  if (!isStated(crossOrigin)) return undefined;
  const { origins, headers, credentials, shown, kept } = crossOrigin.value;
  const everyone = origins.includes("*");
  const known = new Set(origins);
  const isKnown = (origin: string | undefined): boolean =>
    origin !== undefined && (everyone || known.has(origin));
  const micros = kept === undefined ? undefined : durationOf(kept);
  const fixed = [
    ...(headers.length === 0 ? [] : ["Access-Control-Allow-Headers", headers.join(", ")]),
    ...(micros === undefined ? [] : ["Access-Control-Max-Age", String(micros / 1_000_000n)]),
  ];
  const further = [
    ...(credentials === undefined ? [] : ["Access-Control-Allow-Credentials", "true"]),
    ...(shown === undefined ? [] : ["Access-Control-Expose-Headers", shown.join(", ")]),
  ];
  return {
    headers: (origin, isUnread = false) => {
      const vary = ["Vary", "Origin"];
      if (!isKnown(origin) && !(everyone && isUnread)) return vary;
      return ["Access-Control-Allow-Origin", everyone ? "*" : String(origin), ...further, ...vary];
    },
    preflight: (origin, methods) =>
      isKnown(origin) ? ["Access-Control-Allow-Methods", methods.join(", "), ...fixed] : NOTHING,
  };
}

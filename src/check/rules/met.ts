/** Which answers may depend on something that is not shown. */
import { causesOf, type Endpoint, type ItemId } from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";
import { occurrencesOf } from "./occurs.ts";

/** Beginnings of the names of gaps that may hide how any request is refused. */
const REFUSING = ["errors/", "limits/", "authentication/", "endpoints/every endpoint/"];

/** What is not shown of a document, by the answers that can meet it. */
export class Unknown {
  /** Whether it may be hidden which requests an endpoint takes, or what another one gets. */
  readonly hidesRoute: boolean;
  readonly #c: RuleContext;
  readonly #gaps: readonly ItemId[];
  readonly #hidesRefusals: boolean;
  readonly #met = new Map<ItemId, boolean>();

  constructor(c: RuleContext) {
    const gaps = [...c.gaps.values()].filter(({ blocking }) => blocking);
    this.#c = c;
    this.#gaps = gaps.map(({ id }) => id);
    this.#hidesRefusals = this.#gaps.some((id) => REFUSING.some((one) => id.startsWith(one)));
    this.hidesRoute = gaps.some(
      ({ id, part, scope }) =>
        id === "service/base path" ||
        id.startsWith("errors/") ||
        (id.startsWith("endpoints/") && part === scope),
    );
  }

  /** Whether an answer of the endpoint with that status may depend on it. */
  isMet(endpoint: Endpoint, status: number): boolean {
    if (this.#gaps.length === 0) return false;
    if (status >= 400 && this.#hidesRefusals) return true;
    const known = this.#met.get(endpoint.id) ?? this.#find(endpoint);
    this.#met.set(endpoint.id, known);
    return known;
  }

  #find(endpoint: Endpoint): boolean {
    const { service } = this.#c;
    const causes = causesOf(service, endpoint, occurrencesOf(service)(endpoint));
    // Nothing ends it that is known.
    if (causes === undefined) return true;
    const items = new Set([...causes.ends, ...causes.before, ...causes.shown, endpoint.id]);
    return this.#gaps.some((gap) => {
      for (let end = gap.length; end > 0; end = gap.lastIndexOf("/", end - 1)) {
        if (items.has(gap.slice(0, end))) return true;
      }
      return false;
    });
  }
}

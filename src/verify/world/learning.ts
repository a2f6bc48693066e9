/** What a model takes from an answer that hangs on what it does not know. */
import { type Endpoint, everyStep, type Step, statedOf, touchesOf } from "../../plan/index.ts";
import { type Names, namesOf, parseJson } from "../../run/index.ts";
import { Adopting } from "./adopt.ts";
import type { Answer, Request } from "./message.ts";
import { storedPlan } from "./openable.ts";
import { rowsShown } from "./shown.ts";
import type { World } from "./world.ts";

/** Methods that ask for no change (RFC 9110 section 9.2.1). */
const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** What is known of an answer that nobody could judge; `status` 0: none came. */
export type Seen = Pick<Answer, "status"> & Partial<Pick<Answer, "headers" | "body">>;

export class Learning {
  readonly #world: World;
  readonly #names: Names;
  readonly #keeps = new Map<Endpoint, boolean>();
  readonly #touches = new Map<Endpoint, ReturnType<typeof touchesOf>>();

  constructor(world: World) {
    this.#world = world;
    this.#names = namesOf(world.plan);
  }

  /** The endpoint of a request; undefined: none of the document's. */
  endpointOf({ method, target }: Pick<Request, "method" | "target">): Endpoint | undefined {
    const { program, plan } = this.#world;
    const match = program.match(method, target.split("?")[0] ?? "");
    return match.is === "endpoint" ? plan.endpoints[match.endpoint] : undefined;
  }

  /** Whether the request changes nothing, by its document or else by its method. */
  isSafe(request: Pick<Request, "method" | "target">): boolean {
    const endpoint = this.endpointOf(request);
    if (endpoint === undefined) return SAFE.has(request.method);
    const { program } = this.#world;
    const isWriting = program.endpoints.some(({ id, writes }) => id === endpoint.id && writes);
    // Steps that are not shown may do anything.
    return !isWriting && this.#touchesOf(endpoint).size === 0;
  }

  #touchesOf(endpoint: Endpoint): ReturnType<typeof touchesOf> {
    const known = this.#touches.get(endpoint);
    if (known !== undefined) return known;
    const found = touchesOf(storedPlan(this.#world.plan), endpoint);
    this.#touches.set(endpoint, found);
    return found;
  }

  /** Takes in the rows that the answer shows, and what is new of those known; whether any was. */
  learn(request: Request, { status, body }: Answer): boolean {
    const endpoint = this.endpointOf(request);
    const parsed = body === undefined ? undefined : parseJson(body);
    if (endpoint === undefined || parsed?.ok !== true) return false;
    const { plan } = this.#world;
    const adopting = new Adopting(this.#world, this.#names);
    const touches = this.#touchesOf(endpoint);
    for (const row of rowsShown(plan, endpoint, { status, body: parsed.value })) {
      // What is shown of a row that is deleted is there no more.
      if (touches.get(row.resource.name)?.gone !== true) adopting.take(row);
    }
    return adopting.isAny;
  }

  /** A request may have done whatever its document lets it do, and have issued what is answered. */
  disturb(
    request: Pick<Request, "method" | "target">,
    { status, headers = [], body }: Seen,
    at: bigint,
  ): void {
    const { plan, past, session } = this.#world;
    past.noteUncounted(at);
    const isSeen = headers.length > 0;
    past.noteTokens(isSeen ? [body ?? "", ...headers.map(([, value]) => value)] : undefined);
    if (this.isSafe(request)) return;
    const endpoint = this.endpointOf(request);
    const isRefused = status >= 400 && status < 500;
    if (isRefused && (endpoint === undefined || !this.#keepsRefused(endpoint))) return;
    const touches =
      endpoint === undefined ? touchesOf(storedPlan(plan), undefined) : this.#touchesOf(endpoint);
    past.disturb(session, touches);
  }

  /** Everything may have been done. */
  disturbAll(at: bigint): void {
    const { plan, past, session } = this.#world;
    past.noteUncounted(at);
    past.noteTokens(undefined);
    past.disturb(session, touchesOf(storedPlan(plan), undefined));
  }

  /** Whether a refusal of the endpoint may keep what was done before it, or is a gap. */
  #keepsRefused(endpoint: Endpoint): boolean {
    const known = this.#keeps.get(endpoint);
    if (known !== undefined) return known;
    const { plan } = this.#world;
    const seen = new Set<string>();
    const keeps = (steps: readonly Step[]): boolean =>
      [...everyStep(steps)].some((step): boolean => {
        if (step.kind === "gap" || (step.kind === "refuse" && step.keep)) return true;
        if (step.kind === "respond" && step.status >= 400) return true;
        if (step.kind !== "do" || seen.has(step.routine)) return false;
        seen.add(step.routine);
        const routine = plan.routines.find(({ name }) => name === step.routine);
        return keeps(routine?.steps ?? []);
      });
    // What is done before a refusal is undone only where the document says so.
    const found = statedOf(plan.about.isolation) === undefined || keeps(endpoint.steps);
    this.#keeps.set(endpoint, found);
    return found;
  }
}

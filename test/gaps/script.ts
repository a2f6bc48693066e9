/** Code behind the calls of a plan, as a script: now it says one word, now another, or fails. */
import { createHash } from "node:crypto";
import type { Call, Plan } from "../../src/plan/index.ts";
import type { Attempted, Door, Request } from "../../src/serve/calls/door.ts";
import { Random } from "../histories/random.ts";
import { jsonText } from "../histories/values.ts";
import { emptyWorld } from "../reference/world.ts";

/** What a call gets: an answer, or none in the time that the document gives it. */
type Told = Attempted | "late";

/** Ways to answer besides the words of the call. */
const FAULTS: readonly Told[] = [
  { is: "fault", message: "scripted" },
  "late",
  { is: "said", text: '{"word":"unheard"}' },
];

const LOST: Attempted = { is: "lost", arrived: true, message: "scripted" };

/** A call that the store asks for by itself may be asked again: another step, another answer. */
const isOfStore = (call: Call | undefined, { undoes }: Request): boolean =>
  undoes !== undefined || (call?.kind.is === "stated" && call.kind.value === "long");

export class Script implements Door {
  private readonly plan: Plan;
  private seed = 0;
  private held: Promise<void> | undefined;
  private release: () => void = () => {};
  private calls: () => void = () => {};

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Begins a step. */
  begin(seed: number): void {
    this.seed = seed;
  }

  /** From now on no call is answered before `go`; resolves when one is made. */
  hold(): Promise<void> {
    this.held ??= new Promise((resolve) => {
      this.release = resolve;
    });
    return new Promise((resolve) => {
      this.calls = resolve;
    });
  }

  /** Calls that were held back are answered, others at once. */
  go(): void {
    this.held = undefined;
    this.release();
  }

  async ask(request: Request): Promise<Attempted> {
    const told = this.answer(request);
    if (this.held !== undefined) {
      this.calls();
      await this.held;
    }
    return told === "late" ? await never(request) : told;
  }

  /** Hangs on the call alone, whatever was called before: one that is made again is told the same. */
  private answer(request: Request): Told {
    const { plan, seed } = this;
    const call = plan.calls.find((one) => one.name === request.call);
    const turn = isOfStore(call, request) ? seed : 0;
    const random = new Random(hashOf(`${turn} ${request.call} ${request.key}`));
    const says = call?.says ?? [];
    const at = random.below(2 * says.length + FAULTS.length);
    const fault = FAULTS[at - 2 * says.length];
    if (fault === "late" && isOfStore(call, request)) return LOST;
    // Where no time is stated, it is never over.
    if (fault !== undefined && (fault !== "late" || call?.timeOut.is === "stated")) return fault;
    const said = says[at % Math.max(says.length, 1)];
    const making = { plan, random, world: emptyWorld(), now: 0n };
    const members = (said?.data ?? []).map(
      (one) => `,${JSON.stringify(one.name)}:${jsonText(making, one.type, [], 0)}`,
    );
    return { is: "said", text: `{"word":${JSON.stringify(said?.word ?? "")}${members.join("")}}` };
  }

  close(): void {
    this.release();
  }
}

const hashOf = (text: string): number => createHash("sha256").update(text).digest().readInt32BE();

/** Nobody answers: the time is over at once, whatever the machine's clock says. */
function never({ signal }: Request): Promise<Attempted> {
  setImmediate(() => signal.dispatchEvent(new Event("abort")));
  return new Promise(() => {});
}

/** The plan in which no machine is too slow to answer a call; `long` ones go by the clock. */
export function unhurried(plan: Plan): Plan {
  const calls = plan.calls.map((one): Call => {
    const isLong = one.kind.is === "stated" && one.kind.value === "long";
    if (isLong || one.timeOut.is !== "stated") return one;
    return { ...one, timeOut: { ...one.timeOut, value: "24 h" } };
  });
  return { ...plan, calls };
}

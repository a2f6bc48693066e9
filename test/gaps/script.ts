/** Code behind the calls of a plan, as a script: now it says one word, now another, or fails. */
import type { Plan } from "../../src/plan/index.ts";
import type { Attempted, Door, Request } from "../../src/serve/calls/door.ts";
import { Random } from "../histories/random.ts";
import { jsonText } from "../histories/values.ts";
import { emptyWorld } from "../reference/world.ts";

/** Ways to answer besides the words of the call. */
const FAULTS: readonly Attempted[] = [
  { is: "fault", message: "scripted" },
  { is: "lost", arrived: true, message: "scripted" },
  { is: "said", text: '{"word":"unheard"}' },
];

export class Script implements Door {
  private readonly plan: Plan;
  /** Which call of the step it was, by key: one that is made again is answered alike. */
  private readonly counts = new Map<string, number>();
  private seed = 0;
  private held: Promise<void> | undefined;
  private release: () => void = () => {};

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Begins a step: what is said hangs on it alone. */
  begin(seed: number): void {
    this.seed = seed;
    this.counts.clear();
  }

  /** Answers that are held back are given when this is next said to be false. */
  hold(isHeld: boolean): void {
    if (isHeld) {
      this.held = new Promise((resolve) => {
        this.release = resolve;
      });
      return;
    }
    // Behind the request that is asked now, which is judged in the next turn.
    const { release } = this;
    this.held = undefined;
    setTimeout(release, 5);
  }

  async ask({ call: name, key }: Request): Promise<Attempted> {
    const told = this.answer(name, key);
    await this.held;
    return told;
  }

  private answer(name: string, key: string): Attempted {
    const call = this.plan.calls.find((one) => one.name === name);
    const count = this.counts.get(key) ?? this.counts.size;
    this.counts.set(key, count);
    const random = new Random(Math.imul(this.seed + 7 * name.length + count, 2_654_435_761));
    const says = call?.says ?? [];
    const at = random.below(2 * says.length + FAULTS.length);
    const fault = FAULTS[at - 2 * says.length];
    // What nobody answers takes its time: that is rare.
    if (fault !== undefined && (fault.is !== "lost" || random.chance(0.3))) return fault;
    const said = says[at % Math.max(says.length, 1)];
    const making = { plan: this.plan, random, world: emptyWorld(), now: 0n };
    const members = (said?.data ?? []).map(
      (one) => `,${JSON.stringify(one.name)}:${jsonText(making, one.type, [], 0)}`,
    );
    return { is: "said", text: `{"word":${JSON.stringify(said?.word ?? "")}${members.join("")}}` };
  }

  close(): void {
    this.release();
  }
}

/** The plan with times in which calls are waited for that a test has. */
export function hurried(plan: Plan): Plan {
  const calls = plan.calls.map((one) =>
    one.timeOut.is === "stated" ? { ...one, timeOut: { ...one.timeOut, value: "80 ms" } } : one,
  );
  return { ...plan, calls };
}

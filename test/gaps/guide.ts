/** The reference interpreter beside a session that is being made: tells what there is at each step. */
import type { Plan } from "../../src/plan/index.ts";
import { makeId } from "../../src/run/chance/random.ts";
import { seededRandom } from "../../src/serve/calls/call-run.ts";
import { START, settingsOf } from "../histories/history.ts";
import { SEED_BYTES, StepBytes } from "../histories/random.ts";
import type { Step as HistoryStep, Surroundings } from "../histories/requests.ts";
import { textRows, undelivered } from "../histories/subjects.ts";
import { fieldsSent, type RawRequest } from "../histories/talk.ts";
import { Reference } from "../reference/service.ts";
import type { Outside } from "../reference/work.ts";
import { type Answer, copyWorld } from "../reference/world.ts";
import type { Session, Step } from "./play.ts";
import { settingsGiven } from "./service.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

const ADDRESS = "127.0.0.1";

function sent(request: RawRequest) {
  const body = Uint8Array.from(Buffer.from(request.body, "latin1"));
  return { ...request, headers: fieldsSent(request), body, address: ADDRESS };
}

export class Guide {
  readonly plan: Plan;
  readonly steps: Step[] = [];
  private readonly outside: Outside;
  private readonly bytes = new StepBytes();
  private readonly reference: Reference;
  private readonly before: HistoryStep[] = [];
  private readonly start: bigint;
  private now: bigint;

  constructor(ready: Ready, subject: Subject, start = START) {
    this.start = start;
    this.now = start;
    const plan = undelivered(ready.plan);
    const { bytes } = this;
    bytes.begin(1);
    const turn =
      plan.calls.length === 0
        ? undefined
        : () => seededRandom(Buffer.from(bytes.draw(SEED_BYTES)).toString("base64url"));
    this.plan = plan;
    this.outside = {
      settings: settingsOf({ plan, settings: settingsGiven(plan, subject) }),
      random: bytes.draw,
      turn,
      idText: (now, random) => makeId({ now, random }),
    };
    this.reference = new Reference(plan, this.outside);
    this.reference.start(start, subject.rows === undefined ? {} : textRows(subject.rows));
  }

  get session(): Session {
    return { start: this.start, steps: this.steps };
  }

  /** What the next step can be made of. */
  around(): Omit<Surroundings, "random"> {
    const { plan, outside, now, before } = this;
    return { plan, outside, world: this.reference.world, now, before };
  }

  /** What a request would be answered; it changes nothing. */
  tried(request: RawRequest, seed: number): Answer {
    const trial = new Reference(this.plan, this.outside);
    trial.world = copyWorld(this.reference.world);
    this.bytes.begin(seed);
    return trial.request(sent(request), this.now);
  }

  /** Lets time pass for a trial; it changes nothing. */
  moved(micros: bigint): void {
    const trial = new Reference(this.plan, this.outside);
    trial.world = copyWorld(this.reference.world);
    trial.time(this.now + micros);
  }

  /** Adds the step to the session. */
  take(step: Step): Answer | undefined {
    this.bytes.begin(step.seed);
    this.steps.push(step);
    if (step.is === "move") {
      this.before.push({ ...step, micros: String(step.micros) });
      this.now += step.micros;
      this.reference.time(this.now);
      return undefined;
    }
    this.before.push(step);
    return this.reference.request(sent(step.request), this.now);
  }
}

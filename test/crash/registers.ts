/** What clients of a run do with registers, from one start of the service to the next. */
import { linearize, type Operation } from "../../src/verify/races/linearize.ts";
import { type Registering, registerModel } from "../verify/races/models.ts";
import type { Client } from "./clients.ts";

const BUDGET = 5_000_000;
const NAMES = ["r0", "r1", "r2", "r3", "r4", "r5"];

/** The history of all registers since the service was started last. */
export class Registers {
  /** Operations that have been judged, of all times. */
  judged = 0;
  readonly odd: string[] = [];
  private readonly histories = new Map<string, Operation<Registering>[]>();
  private readonly values = new Map(NAMES.map((name) => [name, "0"]));
  /** What clients saw last: swaps expect it. */
  private readonly known = new Map<string, string>();
  private written = 0;
  private readonly mayFail: boolean;

  /** `mayFail`: answers that the service has failed are as stated, and nothing is done then. */
  constructor(mayFail = false) {
    this.mayFail = mayFail;
  }

  /** One operation of a client; false when the connection is lost. */
  async touch(client: Client, random: () => number): Promise<boolean> {
    const name = NAMES[Math.floor(random() * NAMES.length)] as string;
    const roll = random();
    if (roll < 0.5) return await this.read(client, name);
    const value = String(++this.written);
    const from = this.known.get(name) ?? "0";
    const what: Registering =
      roll < 0.75 ? { op: "write", value } : { op: "swap", from, to: value };
    const called = performance.now();
    const answer =
      what.op === "write"
        ? await client.ask("PUT", `/registers/${name}`, { value: Number(value) })
        : await client.ask("POST", `/registers/${name}/swap`, {
            from: Number(from),
            to: Number(value),
          });
    if (this.mayFail && answer?.status === 500) return true;
    const returned = answer === undefined ? Number.POSITIVE_INFINITY : performance.now();
    const done = answer?.status === 200;
    if (done) this.known.set(name, value);
    else if (answer !== undefined && (answer.status !== 409 || what.op === "write")) {
      this.odd.push(`${what.op} of ${name}: ${answer.status} ${answer.body.slice(0, 200)}`);
    }
    const known = what.op === "swap" && answer !== undefined ? { ...what, done } : what;
    this.add(name, { called, returned, what: known });
    return answer !== undefined;
  }

  private async read(client: Client, name: string): Promise<boolean> {
    const called = performance.now();
    const answer = await client.ask("GET", `/registers/${name}`);
    if (answer === undefined) return false;
    if (this.mayFail && answer.status === 500) return true;
    const value = valueOf(answer.body);
    if (answer.status !== 200) this.odd.push(`read of ${name}: ${answer.status}`);
    else this.known.set(name, value);
    this.add(name, { called, returned: performance.now(), what: { op: "read", value } });
    return true;
  }

  private add(name: string, operation: Operation<Registering>): void {
    const history = this.histories.get(name) ?? [];
    this.histories.set(name, history);
    history.push(operation);
  }

  /** Reads all registers, which nobody writes now, and judges what was done up to now. */
  async judge(client: Client): Promise<string[]> {
    const faults = this.odd.splice(0);
    for (const name of NAMES) {
      if (!(await this.read(client, name))) faults.push(`${name} could not be read`);
      const history = this.histories.get(name) ?? [];
      this.histories.delete(name);
      if (history.at(-1)?.what.op !== "read") faults.push(`${name} was not read at the end`);
      this.judged += history.length;
      const initial = this.values.get(name) ?? "0";
      const { is } = linearize(history, registerModel(initial), BUDGET);
      if (is === "no") {
        faults.push(`lost: the history of ${name} has no order: ${JSON.stringify(history)}`);
      }
      if (is === "unknown") faults.push(`the history of ${name} was not judged`);
      const last = history.at(-1)?.what;
      if (last?.op === "read" && last.value !== undefined) this.values.set(name, last.value);
    }
    return faults;
  }
}

function valueOf(body: string): string {
  return String((JSON.parse(body) as { value: unknown }).value);
}

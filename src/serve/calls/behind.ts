/** What stands behind the calls of a document: a module, functions, an address, stand-ins. */
import type { Plan } from "../../plan/index.ts";
import { CannotServe } from "../settings/refused.ts";
import type { Clock } from "../time/clock.ts";
import { Caller, type CallWriter } from "./caller.ts";
import { codeThread } from "./code-thread.ts";
import type { Door, Functions } from "./door.ts";
import { functionDoor } from "./functions.ts";
import type { Code } from "./terms.ts";
import { webDoor } from "./web.ts";

/** What the operator says of the code. `log` takes the lines that a module writes. */
interface CodeOptions {
  readonly code?: string | Functions;
  readonly standIns?: boolean;
  readonly log?: (line: string) => void;
}

export interface BehindCalls {
  readonly code: Code;
  readonly door: Door;
  /** Makes the calls of a store. */
  caller(writer: CallWriter, clock: Clock, hasOthers: boolean): Caller;
  /** Ends what stands behind them, where the service does not start. */
  close(): void;
}

function behind(code: Code, door: Door): BehindCalls {
  return {
    code,
    door,
    caller: (writer, clock, hasOthers) => new Caller({ writer, door, clock, hasOthers }),
    close: () => door.close(),
  };
}

/** Code of these names among the calls; each call needs some, unless a stand-in may answer. */
function behindNames(plan: Plan, all: readonly string[], standIn: boolean): Code {
  const names = plan.calls.map((one) => one.name).filter((one) => all.includes(one));
  const missing = plan.calls.filter((one) => !names.includes(one.name));
  if (missing.length > 0 && !standIn) {
    throw new CannotServe(
      missing.map(({ name }) => `The code has no function \`${name}\`, which the document calls.`),
    );
  }
  return { names, standIn };
}

async function behindModule(
  plan: Plan,
  path: string,
  { standIns = false, log }: CodeOptions,
): Promise<BehindCalls> {
  const thread = await codeThread(path, (line) => log?.(line));
  try {
    return behind(behindNames(plan, thread.names, standIns), thread);
  } catch (fault) {
    thread.close();
    throw fault;
  }
}

/** Finds the code. Rejects with `CannotServe` where it is not there. */
export async function behindCalls(plan: Plan, options: CodeOptions): Promise<BehindCalls> {
  const { code, standIns = false } = options;
  if (code === undefined) return behind({ names: [], standIn: standIns }, functionDoor({}));
  if (typeof code !== "string") {
    return behind(behindNames(plan, Object.keys(code), standIns), functionDoor(code));
  }
  if (!/^https?:\/\//.test(code)) return await behindModule(plan, code, options);
  if (!URL.canParse(code)) throw new CannotServe([`\`${code}\` is no address of code.`]);
  if (standIns) {
    throw new CannotServe(["Name the address of the code, or let stand-ins answer; not both."]);
  }
  return behind({ names: "all", standIn: false }, webDoor(code));
}

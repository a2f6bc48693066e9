/** What stands behind the calls of a document: a module, functions, an address, stand-ins. */
import type { Plan } from "../../plan/index.ts";
import type { Clock } from "../clock.ts";
import { CannotServe, type ServeOptions } from "../options.ts";
import { Caller, type CallWriter } from "./caller.ts";
import type { Door, Functions } from "./door.ts";
import { functionDoor, functionsOf } from "./functions.ts";
import type { Code } from "./terms.ts";
import { webDoor } from "./web.ts";

export interface BehindCalls {
  readonly code: Code;
  /** Makes the calls of a store. */
  caller(writer: CallWriter, clock: Clock): Caller;
}

function behind(code: Code, door: Door): BehindCalls {
  return { code, caller: (writer, clock) => new Caller({ writer, door, clock }) };
}

/** The functions among the calls; each call needs one, unless a stand-in may answer. */
function behindFunctions(plan: Plan, functions: Functions, standIn: boolean): BehindCalls {
  const names = plan.calls.map((one) => one.name).filter((one) => Object.hasOwn(functions, one));
  const missing = plan.calls.filter((one) => !names.includes(one.name));
  if (missing.length > 0 && !standIn) {
    throw new CannotServe(missing.map(({ name }) =>
      `The code has no function \`${name}\`, which the document calls.`));
  }
  return behind({ names, standIn }, functionDoor(functions));
}

/** Finds the code. Rejects with `CannotServe` where it is not there. */
export async function behindCalls(plan: Plan, options: ServeOptions): Promise<BehindCalls> {
  const { code, standIns = false } = options;
  if (code === undefined) return behind({ names: [], standIn: standIns }, functionDoor({}));
  if (typeof code !== "string") return behindFunctions(plan, code, standIns);
  if (!/^https?:\/\//.test(code)) {
    return behindFunctions(plan, await functionsOf(code), standIns);
  }
  if (!URL.canParse(code)) throw new CannotServe([`\`${code}\` is no address of code.`]);
  if (standIns) {
    throw new CannotServe(["Name the address of the code, or let stand-ins answer; not both."]);
  }
  return behind({ names: "all", standIn: false }, webDoor(code));
}

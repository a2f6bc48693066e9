/** A door to functions of this process: those of an ES module, or given by whoever embeds it. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CannotServe } from "../options.ts";
import type { Attempted, CallFunction, Door, Functions, Request } from "./door.ts";

/** Integers of any size are written as the text of their digits. */
function exact(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

async function run(code: CallFunction, request: Request): Promise<Attempted> {
  const { given, key, undoes, signal } = request;
  try {
    const context = { key, signal, ...(undoes === undefined ? {} : { undoes }) };
    const answer = await code(JSON.parse(given) as never, context);
    if (answer === undefined || answer === null) return { is: "later" };
    return { is: "said", text: JSON.stringify(answer, exact) ?? "null" };
  } catch (thrown) {
    const message = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { is: "fault", message };
  }
}

/** The door to functions named as the calls. */
export function functionDoor(functions: Functions): Door {
  return {
    ask: async (request) => {
      const code = Object.hasOwn(functions, request.call) ? functions[request.call] : undefined;
      if (code !== undefined) return await run(code, request);
      return { is: "lost", arrived: false, message: "no code is behind it" };
    },
    close: () => {},
  };
}

/** The functions that a module exports. Throws `CannotServe` where it cannot be loaded. */
export async function functionsOf(path: string): Promise<Functions> {
  try {
    const module: unknown = await import(pathToFileURL(resolve(path)).href);
    return Object.fromEntries(Object.entries(module as Record<string, unknown>).filter(
      (entry): entry is [string, CallFunction] => typeof entry[1] === "function"));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CannotServe([`The code ${path} cannot be loaded: ${why}`]);
  }
}

/** A door to functions of this thread; knows not where they come from. */
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

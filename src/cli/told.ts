/** What a command that judges a service is told of it: where it is, what its operator knows. */
import type { Plan } from "../plan/index.ts";
import { readTold, type Told } from "../verify/index.ts";
import { readInput } from "./files.ts";
import type { Io } from "./io.ts";

const NOTHING: Told = { settings: new Map(), rows: new Map() };

/** The address of a service; undefined: it is none. */
export function urlIn(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** What stands in the file of `--given`; or what is wrong with it. */
export async function toldIn(
  io: Io,
  plan: Plan,
  file: string | undefined,
): Promise<Told | string[]> {
  if (file === undefined) return NOTHING;
  const input = await readInput(io, file);
  if (typeof input === "string") return [input];
  const told = readTold(plan, new TextDecoder().decode(input.bytes));
  return "settings" in told ? told : told.map((reason) => `${file}: ${reason}`);
}

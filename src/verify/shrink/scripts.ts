/** A replay as a script for a POSIX shell with curl. */
import type { Answer } from "../world/message.ts";
import type { ReplayFile } from "./file.ts";
import { plainScriptOf } from "./script.ts";
import { raceScriptOf } from "./script-race.ts";

/** The script. `answers` are those that the replay's requests had when it was made. */
export function scriptOf(file: ReplayFile, answers: readonly Answer[]): string {
  const { race } = file;
  return race === undefined
    ? plainScriptOf(file, answers)
    : raceScriptOf({ ...file, race }, answers);
}

/** Turns what a program gives back into what is sent and what the host's log may say. */
import type { Effects, Outcome } from "../../run/index.ts";
import type { Note, Reply } from "./job.ts";

/** The reply to a request, with a note where a gap or a fault was met. */
export function replyOf({ response, effects }: Outcome): Reply {
  const [note] = notesOf(effects);
  const { status, body, binary } = response;
  const headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  return { status, headers, body, note, ...(binary === true ? { binary } : {}) };
}

/** What the log may say of effects: names and places, never values. */
export function notesOf({ gap, unsupported, fault }: Effects): Note[] {
  if (fault !== undefined) return [{ what: "fault", text: fault }];
  if (unsupported !== undefined) return [{ what: "unsupported", text: unsupported }];
  return gap === undefined ? [] : [{ what: "gap", text: `${gap.id} ${gap.place}` }];
}

/** Turns what a program gives back into what is sent and what the host's log may say. */
import type { Effects, Outcome } from "../../run/index.ts";
import { gapNote, type Note, type Reply } from "./job.ts";

/** The reply to a request, with notes where a gap or a fault was met. */
export function replyOf({ response, effects }: Outcome): Reply {
  const notes = notesOf(effects);
  const { status, body, binary } = response;
  const headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  const noted = notes.length === 0 ? {} : { notes };
  return { status, headers, body, ...noted, ...(binary === true ? { binary } : {}) };
}

/** What the log may say of effects: names and places, never values. */
export function notesOf({ gap, unsupported, fault }: Effects): Note[] {
  const notes: Note[] = [];
  if (fault !== undefined) notes.push({ what: "fault", text: fault });
  if (unsupported !== undefined) notes.push({ what: "unsupported", text: unsupported });
  // The answer to a fault may be a gap, too.
  if (gap !== undefined) notes.push(gapNote(gap));
  return notes;
}

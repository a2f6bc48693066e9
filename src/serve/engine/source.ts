/** What open streams read from: the store of an engine, at the time of a clock. */
import type { Source } from "../streams/hub.ts";
import type { StreamReader } from "../streams/reader.ts";
import type { EngineParts } from "./parts.ts";
import type { ReadTurn } from "./read-turn.ts";
import { ambientOf } from "./surroundings.ts";

/** Whoever hears of a write is to read it: each reading of a stream begins a transaction. */
export function sourceOf(
  parts: EngineParts,
  { streams, turn }: { readonly streams: StreamReader; readonly turn: ReadTurn },
  clock: { now(): bigint },
): Source {
  const { session } = parts.storage;
  return {
    states: (opening) => streams.states(opening),
    begin: (opening) => turn.run(() => streams.begin(opening, session)),
    terms: (stream) => streams.terms(stream, clock.now()),
    read: (opening, after) => {
      turn.end();
      return turn.run(() => streams.read(opening, after, session, ambientOf(parts, clock.now())));
    },
  };
}

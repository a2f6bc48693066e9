/** Moves every span of a specification, so that two documents can share one line of offsets. */
import type { Spec } from "../../spec/index.ts";

/** A copy of plain data in which every `start` and `end` is greater by `by`. */
function moved(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((one) => moved(one, by));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const isPlace = (key === "start" || key === "end") && typeof member === "number";
    copy[key] = isPlace ? member + by : moved(member, by);
  }
  return copy;
}

/** Any part of a specification, or a finding, with its spans moved by so many code units. */
export function shifted<T>(value: T, by: number): T {
  return moved(value, by) as T;
}

/** What stands between the two texts: a line end, so that no line belongs to both. */
const BETWEEN = "\n";

interface Joined {
  /** The assumptions, placed behind the document. */
  readonly assumptions: Spec;
  /** Both texts. */
  readonly text: string;
  /** Offset at which the second text begins. */
  readonly base: number;
}

/** Places the assumptions behind the document, so that an offset tells which text it is in. */
export function joined(spec: Spec, assumptions: Spec): Joined {
  const base = spec.text.length + BETWEEN.length;
  return {
    assumptions: shifted(assumptions, base),
    text: spec.text + BETWEEN + assumptions.text,
    base,
  };
}

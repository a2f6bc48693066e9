/** Bounds of a work, which no document widens: one table, which the reference lists. */

interface Bound {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What a request meets that goes past it. */
  readonly past: string;
}

export const RUN_BOUNDS = {
  work: {
    what: "the work of one expression: values looked at, rows gone through, text made",
    value: 1_000_000,
    unit: "units",
    past: "fault inside",
  },
  text: {
    what: "a text that an expression makes",
    value: 16_777_216,
    unit: "UTF-16 code units",
    past: "fault inside",
  },
  moves: {
    what: "transitions that one brings about",
    value: 10_000,
    unit: "transitions",
    past: "fault inside",
  },
  levels: { what: "a JSON body", value: 64, unit: "levels", past: "malformed body" },
  segments: { what: "a path", value: 256, unit: "segments", past: "unknown path" },
  mediaType: {
    what: "a value of `Content-Type`",
    value: 1_000,
    unit: "characters",
    past: "other media type",
  },
  parts: { what: "a form of several parts", value: 1_000, unit: "parts", past: "malformed body" },
  partHead: { what: "the head of a part", value: 8_192, unit: "bytes", past: "malformed body" },
} as const satisfies Readonly<Record<string, Bound>>;

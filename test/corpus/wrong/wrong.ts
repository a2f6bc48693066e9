/** What a wrong document is: one edit of a right one, and the finding that it must get. */

export interface Wrong {
  /** A document of `right/` beside this folder, of `test/long`, or of `examples`. */
  readonly base: string;
  /** A passage that stands there exactly once. */
  readonly find: string;
  /** What stands there instead; `«` and `»` mark where the finding is expected. */
  readonly put: string;
  readonly code: string;
  /** Where the edit is elsewhere: a passage that stands there once afterwards, with the marks. */
  readonly at?: string;
  /** The question of the language that is not answered. */
  readonly question?: string;
}

/** `find` becomes `put`; the finding `code` is expected at the mark in `put`. */
export const edit = (base: string, find: string, put: string, code: string): Wrong => ({
  base,
  find,
  put,
  code,
});

/** `find` becomes `put`; the finding is expected at the mark in `at`, elsewhere. */
export const far =
  (base: string, find: string, put: string, at: string): ((code: string) => Wrong) =>
  (code) => ({ base, find, put, at, code });

/** `find` is taken away; the question that it answered is silent at the mark in `at`. */
export const unanswered = (base: string, find: string, question: string, at: string): Wrong => ({
  base,
  find,
  put: "",
  code: "silent",
  at,
  question,
});

/** As `unanswered`, with something left in place of `find`. */
export const half = (wrong: Wrong, put: string): Wrong => ({ ...wrong, put });

/** What an entry of the tables of functions is. */

/**
 * One way to call a function. Words of `takes` and `gives` are types, with variables:
 * `T` any type, `O` a type that has an order, `decimal(p)` any number of places;
 * `places` (a literal 0 to 38), `count` (a literal 0 to 1,000), `rounding`, `algorithm` and
 * `encoding` (literal words), `namespace` (a literal UUID) and `pattern` (a literal pattern) stand
 * for arguments that must be literals; `zone` takes a literal zone name too.
 */
export interface Form {
  readonly takes: readonly string[];
  readonly gives: string;
}

/** A function. `example` is an expression that is true. */
export interface FunctionEntry {
  readonly name: string;
  readonly forms: readonly Form[];
  /** Exact meaning, faults included. */
  readonly does: string;
  readonly example: string;
  /** Usually written `x.f(...)`; both ways mean the same for every function. */
  readonly method?: true;
}

/** A form, by the words of what it takes, joined by commas, and of what it gives. */
export function form(takes: string, gives: string): Form {
  return { takes: takes === "" ? [] : takes.split(", "), gives };
}

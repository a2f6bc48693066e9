/** Requests and answers as they go over the wire, and when. */

export type Fields = readonly (readonly [name: string, value: string])[];

export interface Request {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Fields;
  /** Undefined: no content. */
  readonly body?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Fields;
  /** Text; undefined: no content. */
  readonly body: string | undefined;
  /** Microseconds since 1970 by this program's clock. */
  readonly sent: bigint;
  readonly received: bigint;
}

/** The value of a header, in any case; several are joined (RFC 9110 section 5.3). */
export function fieldOf(headers: Fields, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const all = headers.filter(([one]) => one.toLowerCase() === wanted).map(([, value]) => value);
  return all.length === 0 ? undefined : all.join(", ");
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Headers by name in lower case. */
export function headersOf({ headers }: Pick<Request, "headers">): ReadonlyMap<string, string> {
  if (headers.length === 0) return NOTHING;
  const found = new Map<string, string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const before = found.get(lower);
    found.set(lower, before === undefined ? value : `${before}, ${value}`);
  }
  return found;
}

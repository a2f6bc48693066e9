/** Reads `text/event-stream` (WHATWG HTML section 9.2.6), piece by piece as it comes. */

/** What a client is told of one event. */
export interface Frame {
  /** Undefined: it has none. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
  /** When it was read, in microseconds since 1970. */
  readonly at: bigint;
}

/** More than this is not kept of one event. */
const TEXT_MAX = 4 * 1024 * 1024;

/** One for each connection. */
export class FrameReader {
  readonly #take: (frame: Frame) => void;
  #rest = "";
  #isBegun = false;
  #id: string | undefined;
  #event = "";
  #data: string[] = [];
  /** Lines that clients pass over. */
  comments = 0;

  constructor(take: (frame: Frame) => void) {
    this.#take = take;
  }

  read(text: string, at: bigint): void {
    const all = this.#rest + (this.#isBegun ? text : text.replace(/^\uFEFF/, ""));
    if (text !== "") this.#isBegun = true;
    // A CR at the end may be the first half of a line's end.
    const end = all.endsWith("\r") ? all.length - 1 : all.length;
    const lines = all.slice(0, end).split(/\r\n|\r|\n/);
    this.#rest = ((lines.pop() ?? "") + all.slice(end)).slice(-TEXT_MAX);
    for (const line of lines) this.#line(line, at);
  }

  #line(line: string, at: bigint): void {
    if (line === "") this.#dispatch(at);
    else if (line.startsWith(":")) this.comments += 1;
    else {
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      this.#field(name, value);
    }
  }

  #field(name: string, value: string): void {
    if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }

  /** An event without data is none; its id stays that of the events that follow. */
  #dispatch(at: bigint): void {
    const [event, data] = [this.#event, this.#data];
    this.#event = "";
    this.#data = [];
    if (data.length === 0) return;
    const name = event === "" ? "message" : event;
    this.#take({
      id: this.#id === "" ? undefined : this.#id,
      event: name,
      data: data.join("\n"),
      at,
    });
  }
}

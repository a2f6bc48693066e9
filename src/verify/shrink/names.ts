/**
 * Requests with names in the place of what differs each time they are made: `{{tag}}` for the
 * letters that the data of one run have, `{{12.1}}` for a text that was made for request 12.
 */
import type { Request } from "../world/message.ts";

/** What a name stands for; undefined: it is not known. */
type Lookup = (name: string) => string | undefined;

const NAME = /\{\{([a-z0-9.]+)\}\}/g;
/** What is sent in Base64 (RFC 7617), as the text that it is. */
const BASIC = /\{\{:([\s\S]*):\}\}/;

/** Tells what is unknown of a text. */
class Unknown extends Error {}

function fill(text: string, lookup: Lookup): string {
  const found = text.replaceAll(NAME, (_, name: string) => {
    const known = lookup(name);
    if (known === undefined) throw new Unknown();
    return known;
  });
  return found.replace(BASIC, (_, plain: string) => Buffer.from(plain).toString("base64"));
}

/** The request with what its names stand for; undefined: one is not known. */
export function filled(request: Request, lookup: Lookup): Request | undefined {
  try {
    return changed(request, (text) => fill(text, lookup));
  } catch (fault) {
    if (fault instanceof Unknown) return undefined;
    throw fault;
  }
}

/** The request with all its texts changed. */
function changed(
  { method, target, headers, body }: Request,
  change: (text: string) => string,
): Request {
  return {
    method,
    target: change(target),
    headers: headers.map(([name, value]) => [name, change(value)] as const),
    ...(body === undefined ? {} : { body: change(body) }),
  };
}

/** The names in texts. */
export function namesIn(...texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => [...text.matchAll(NAME)].map(([, name = ""]) => name)));
}

/** Of a name such as `12.1`: the number of the request that made it, and its place there. */
export function madeBy(name: string): readonly [maker: string, place: string] | undefined {
  const [, maker, place] = /^(\d+)\.(\d+)$/.exec(name) ?? [];
  return maker === undefined || place === undefined ? undefined : [maker, place];
}

/** All texts of a request. */
export function textsOf({ target, headers, body = "" }: Request): readonly string[] {
  return [target, body, ...headers.map(([, value]) => value)];
}

/** A run of characters of which ids and tokens are made. */
const RUN = /[A-Za-z0-9._~+=-]+/g;
const WORD = /^[A-Za-z0-9._~+=-]+$/;
/** Where a text may begin or end inside of a run: behind a prefix such as `todo_`. */
const isBetween = (letter: string | undefined): boolean =>
  letter === undefined || /[._~+=-]/.test(letter);
/** A shorter text may stand somewhere by chance. */
const CERTAIN = 8;

/** Puts names in the place of a tag and of texts that were made. */
export class Naming {
  readonly #tag: string;
  readonly #names = new Map<string, string>();
  /** The longest first. */
  #lengths: readonly number[] = [];
  /** Texts with other characters, the longest first. */
  #odd: string[] = [];

  constructor(tag: string) {
    this.#tag = tag;
  }

  /** Notes that a text has that name; one that was noted before keeps its name. */
  note(text: string, name: string): void {
    if (text === "" || this.#names.has(text)) return;
    this.#names.set(text, name);
    const { length } = text;
    if (WORD.test(text)) {
      if (this.#lengths.includes(length)) return;
      this.#lengths = [...this.#lengths, length].sort((a, b) => b - a);
    } else this.#odd = [...this.#odd, text].sort((a, b) => b.length - a.length);
  }

  request(request: Request): Request {
    const { headers, ...rest } = changed(request, (text) => this.text(text));
    return {
      ...rest,
      headers: headers.map(([name, value], i) => {
        const [, sent = ""] = /^basic +(\S+)$/i.exec(request.headers[i]?.[1] ?? "") ?? [];
        if (name.toLowerCase() !== "authorization" || sent === "") return [name, value];
        const plain = Buffer.from(sent, "base64").toString("utf8");
        return [name, `Basic {{:${this.text(plain)}:}}`];
      }),
    };
  }

  text(text: string): string {
    let found = text.replaceAll(RUN, (run, at: number) =>
      this.#run(run, { before: text[at - 1], after: text[at + run.length] }),
    );
    for (const odd of this.#odd) found = found.replaceAll(odd, `{{${this.#names.get(odd)}}}`);
    return found.replaceAll(this.#tag, "{{tag}}");
  }

  #run(
    run: string,
    around: { readonly before: string | undefined; readonly after: string | undefined },
  ): string {
    let found = "";
    let from = 0;
    for (let at = 0; at < run.length; at++) {
      if (!isBetween(run[at - 1])) continue;
      const name = this.#at(run, at, around);
      if (name === undefined) continue;
      found += `${run.slice(from, at)}{{${name.name}}}`;
      from = at + name.length;
      at = from - 1;
    }
    return found + run.slice(from);
  }

  #at(
    run: string,
    at: number,
    { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
  ): { readonly name: string; readonly length: number } | undefined {
    for (const length of this.#lengths) {
      if (at + length > run.length || !isBetween(run[at + length])) continue;
      const name = this.#names.get(run.slice(at, at + length));
      if (name === undefined) continue;
      const isWhole = at + length === run.length && /^[/?"]?$/.test(after ?? "");
      const isAlone = isWhole && (at > 0 ? run[at - 1] === "_" : /^[/"]$/.test(before ?? ""));
      if (length >= CERTAIN || isAlone) return { name, length };
    }
    return undefined;
  }
}

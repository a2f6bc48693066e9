/** Functions of URLs: parameters of a query, and links of pages. */
import { encodeUri } from "./encodings.ts";
import type { Build } from "./values.ts";
import { argument, chargeText } from "./values.ts";

/** The name of a parameter as a form reads it; one that is malformed as it is. */
function nameOf(pair: string): string {
  const [name = ""] = pair.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

type Changes = ReadonlyMap<string, string | null>;

function withQuery(url: string, changes: Changes): string {
  const [, before = "", query = "", fragment = ""] =
    /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  const left = new Map(changes);
  const written = (name: string): readonly string[] => {
    const value = left.get(name);
    left.delete(name);
    return value == null ? [] : [`${encodeUri(name)}=${encodeUri(value)}`];
  };
  const kept = query.split("&").flatMap((pair) => {
    if (pair === "") return [];
    const name = nameOf(pair);
    return changes.has(name) ? written(name) : [pair];
  });
  const pairs = [...kept, ...[...left.keys()].flatMap(written)];
  return `${before}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}${fragment}`;
}

function lengthOf(changes: Changes): number {
  let length = 0;
  for (const [name, value] of changes) length += name.length + (value?.length ?? 0) + 2;
  return length;
}

interface Pages {
  readonly url: string;
  readonly name: string;
  readonly page: bigint;
  readonly last: bigint;
}

/** Links to pages beside this one (RFC 8288); null where there is no other. */
function pageLinks({ url, name, page, last }: Pages): string | null {
  const to = (rel: string, at: bigint): string =>
    `<${withQuery(url, new Map([[name, String(at)]]))}>; rel="${rel}"`;
  const prior = page - 1n < last ? page - 1n : last;
  const links = [
    ...(page > 1n ? [to("prev", prior < 1n ? 1n : prior)] : []),
    ...(page < last ? [to("next", page + 1n), to("last", last)] : []),
    ...(page > 1n ? [to("first", 1n)] : []),
  ];
  return links.length === 0 ? null : links.join(", ");
}

export const linkBuilds = {
  with_query: (args) => {
    const [url, changes] = [argument<string>(args, 0), argument<Changes>(args, 1)];
    return (state) => {
      const [found, made] = [url(state), changes(state)];
      chargeText(state, found.length + 9 * lengthOf(made));
      return withQuery(found, made);
    };
  },
  page_links: (args) => {
    const [url, name] = [argument<string>(args, 0), argument<string>(args, 1)];
    const [page, last] = [argument<bigint>(args, 2), argument<bigint>(args, 3)];
    return (state) => {
      const pages = { url: url(state), name: name(state), page: page(state), last: last(state) };
      chargeText(state, 4 * (pages.url.length + 9 * pages.name.length + 99));
      return pageLinks(pages);
    };
  },
} as const satisfies Readonly<Record<string, Build>>;

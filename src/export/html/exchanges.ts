/** Examples of `http` blocks: requests with their answers, and which endpoint each is about. */
import { lineTable, positionOf } from "../../base/index.ts";
import { type Endpoint, type ItemId, isStated, paramIn, pathText } from "../../plan/index.ts";
import { type ExampleExchange, type ExampleHeader, parseExample } from "../../spec/index.ts";
import { jsonHtml, laidOut } from "./code.ts";
import { lineId, type Page } from "./page.ts";
import { escaped } from "./text.ts";

interface Block {
  readonly name: string;
  readonly content: string;
  /** The line of the fence; the content begins behind it. */
  readonly line: number;
}

function headersHtml(headers: readonly ExampleHeader[]): string {
  return headers
    .map(
      ({ name, value }) => `\n<span class="k">${escaped(name.text)}</span>: ${escaped(value.text)}`,
    )
    .join("");
}

function bodyHtml(body: { readonly text: string } | undefined): string {
  return body === undefined ? "" : `\n\n${jsonHtml(laidOut(body.text))}`;
}

const code = (label: string, html: string): string =>
  `<pre role="region" tabindex="0" aria-label="${label}"><code>${html}</code></pre>`;

/** A request and its answer, one above the other. */
export function exchangeHtml({ request, response }: ExampleExchange): string {
  const { method, target } = request;
  const first =
    `<b class="m m-${escaped(method.text.toLowerCase())}">${escaped(method.text)}</b> ` +
    escaped(target.text);
  const { status } = response;
  return (
    code("Request", first + headersHtml(request.headers) + bodyHtml(request.body)) +
    code(
      "Answer",
      `<b class="st s${Math.floor(status / 100)}">${status}</b>` +
        headersHtml(response.headers) +
        bodyHtml(response.body),
    )
  );
}

/** The line of the document that an offset of a block's content is in. */
function lineIn(content: string, line: number): (offset: number) => number {
  const table = lineTable(content);
  return (offset) => line + positionOf(table, offset).line;
}

/** A whole `http` block; one that cannot be read is shown as it is written. */
export function exampleHtml({ name, content, line }: Block): string {
  const parsed = parseExample(content);
  const { exchanges, moves, clock } = parsed;
  const lineAt = lineIn(content, line);
  let inner: string;
  if (parsed.problems.length > 0) inner = code("Example", escaped(content));
  else {
    const all = exchanges.map((one, i) => {
      const clocks = moves.filter(({ before }) => before === i);
      const passed = clocks.map(({ at }) => `<p class="clock">${escaped(at.text)}</p>`).join("");
      const own = lineAt(one.request.method.start);
      return (
        `${passed}<div class="exchange line" id="${lineId(own)}" data-l="${own}">` +
        `${exchangeHtml(one)}</div>`
      );
    });
    const start = clock === undefined ? "" : `<p class="clock">At ${escaped(clock.text)}</p>`;
    inner = start + all.join("");
  }
  return (
    `<figure class="code example" id="${lineId(line)}" data-l="${line}">` +
    `<figcaption>Example: ${escaped(name)}</figcaption>${inner}</figure>`
  );
}

/** An exchange with the line of its request. */
export interface PlacedExchange {
  readonly exchange: ExampleExchange;
  readonly line: number;
  readonly name: string;
}

function segmentsOf(target: string): string[] {
  const path = target.replace(/[?#].*$/, "").slice(1);
  return path === "" ? [] : path.split("/");
}

/** How many segments of a path are written as in the endpoint; undefined: it is another path. */
function fit({ path }: Endpoint, segments: readonly string[]): number | undefined {
  const last = path.at(-1);
  const hasRest = last !== undefined && "rest" in last;
  if (hasRest ? segments.length < path.length : segments.length !== path.length) return undefined;
  let literals = 0;
  for (const [i, own] of path.entries()) {
    const segment = segments[i] ?? "";
    if ("literal" in own) {
      if (own.literal !== segment) return undefined;
      literals++;
    } else if (!("rest" in own) && paramIn(own, segment) === undefined) return undefined;
  }
  return literals;
}

/** The exchanges of all `http` blocks by the endpoint that they ask. Linear in their number. */
export function exchangesOf(page: Page): ReadonlyMap<ItemId, readonly PlacedExchange[]> {
  const { about, endpoints } = page.plan;
  const base = isStated(about.basePath) ? about.basePath.value : "";
  const found = new Map<ItemId, PlacedExchange[]>();
  const byShape = new Map<string, Endpoint[]>();
  const shape = (method: string, count: number | string): string => `${method} ${count}`;
  for (const one of endpoints) {
    const isRest = pathText(one.path).endsWith("...}");
    const key = shape(one.method, isRest ? "any" : one.path.length);
    const all = byShape.get(key);
    if (all === undefined) byShape.set(key, [one]);
    else all.push(one);
  }
  const endpointOf = (method: string, target: string): Endpoint | undefined => {
    const own = target.startsWith(`${base}/`) ? target.slice(base.length) : target;
    const segments = segmentsOf(own);
    const near = [
      ...(byShape.get(shape(method, segments.length)) ?? []),
      ...(byShape.get(shape(method, "any")) ?? []),
    ];
    let best: { readonly one: Endpoint; readonly literals: number } | undefined;
    for (const one of near) {
      const literals = fit(one, segments);
      if (literals !== undefined && literals > (best?.literals ?? -1)) best = { one, literals };
    }
    return best?.one;
  };
  for (const { sections } of page.spec.parts) {
    for (const { fences } of sections) {
      for (const { block, name, content, start } of fences) {
        if (block !== "example") continue;
        const line = page.lineAt(start);
        const text = content.text.replace(/\s+$/, "");
        const lineAt = lineIn(text, line);
        for (const exchange of parseExample(text).exchanges) {
          const { method, target } = exchange.request;
          const endpoint = endpointOf(method.text, target.text);
          if (endpoint === undefined) continue;
          const placed = { exchange, line: lineAt(method.start), name: name.text };
          const all = found.get(endpoint.id);
          if (all === undefined) found.set(endpoint.id, [placed]);
          else all.push(placed);
        }
      }
    }
  }
  return found;
}

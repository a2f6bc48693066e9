/** All exchanges as a HAR 1.2 archive, which browsers and proxies open. */
import { STATUS_CODES } from "node:http";
import type { Exchange, Fields } from "../../../verify/index.ts";
import { version } from "../../version.ts";
import { jsonPieces, lazily } from "../pieces.ts";
import type { Looked } from "./model.ts";

const MICROS_OF_MILLISECOND = 1000;
const HTTP = "HTTP/1.1";
/** What is not known. */
const UNKNOWN = -1;

const named = (fields: Iterable<readonly [string, string]>): object[] =>
  [...fields].map(([name, value]) => ({ name, value }));

const headerOf = (headers: Fields, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";

const bytesOf = (text: string | undefined): number => Buffer.byteLength(text ?? "");

/** Cookies of a request, or of an answer, which has one in a field. */
function cookiesOf(headers: Fields, field: "cookie" | "set-cookie"): object[] {
  const values = headers.filter(([name]) => name.toLowerCase() === field).map(([, text]) => text);
  const pairs = values.flatMap((text) =>
    field === "cookie" ? text.split(/;\s*/) : [text.split(";")[0] ?? ""],
  );
  return pairs.map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, Math.max(0, at)), value: pair.slice(at + 1) };
  });
}

function entryOf({ redactor, address }: Looked, exchange: Exchange): object {
  const request = redactor.request(exchange.request);
  const answer = redactor.message(exchange.answer);
  const { sent, received } = exchange.answer;
  const url = new URL(address);
  const path = url.pathname.replace(/\/$/, "") + request.target;
  const query = request.target.split("?").slice(1).join("?");
  const time = Number(received - sent) / MICROS_OF_MILLISECOND;
  const type = headerOf(request.headers, "content-type");
  return {
    startedDateTime: new Date(Number(sent) / MICROS_OF_MILLISECOND).toISOString(),
    time,
    request: {
      method: request.method,
      url: url.origin + path,
      httpVersion: HTTP,
      cookies: cookiesOf(request.headers, "cookie"),
      headers: named(request.headers),
      queryString: named(new URLSearchParams(query)),
      ...(request.body === undefined
        ? {}
        : { postData: { mimeType: type, params: [], text: request.body } }),
      headersSize: UNKNOWN,
      bodySize: bytesOf(exchange.request.body),
    },
    response: {
      status: answer.status,
      statusText: STATUS_CODES[answer.status] ?? "",
      httpVersion: HTTP,
      cookies: cookiesOf(answer.headers, "set-cookie"),
      headers: named(answer.headers),
      content: {
        size: bytesOf(exchange.answer.body),
        mimeType: headerOf(answer.headers, "content-type"),
        ...(answer.body === undefined ? {} : { text: answer.body }),
      },
      redirectURL: headerOf(answer.headers, "location"),
      headersSize: UNKNOWN,
      bodySize: bytesOf(exchange.answer.body),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: `${exchange.number}: ${exchange.judgement.is}`,
  };
}

/** The archive in pieces, entries in the order of their requests. */
export function harReport(looked: Looked): Iterable<string> {
  const { exchanges, title } = looked;
  return jsonPieces({
    log: {
      version: "1.2",
      creator: { name: "Lacuna", version: version() },
      comment: `lacuna verify: ${title}`,
      entries: lazily(exchanges.values(), (one) => entryOf(looked, one)),
    },
  });
}

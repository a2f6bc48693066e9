/** Requests and answers with what a service has made in the place of its marks. */
import type { Response } from "../../run/index.ts";
import { headersOf, type Request } from "./message.ts";
import { inJson, isMarked, type Writing, withTexts } from "./texts.ts";

/** What knows of texts that a service has made. */
interface Knowing {
  shown(text: string, write?: Writing): string;
}

/** What a field value may hold (RFC 9110 section 5.5). */
const FIELD = /^[\t\x20-\x7e\x80-\xff]*$/;

/** How a text is written in a body: what a service makes may hold any character. */
function writingIn(message: Pick<Request, "headers">): Writing {
  const type = headersOf(message).get("content-type") ?? "";
  if (/json/i.test(type)) return inJson;
  return /x-www-form-urlencoded/i.test(type) ? encodeURIComponent : (text) => text;
}

/**
 * The request as it is sent. `known`: texts of marks besides those that the world knows. Undefined:
 * nobody has seen all of it, or a header cannot hold it.
 */
export function realRequest(
  world: Knowing,
  request: Request,
  known: ReadonlyMap<string, string>,
): Request | undefined {
  const { method, target, headers, body } = request;
  const real = (text: string, write?: Writing): string =>
    world.shown(withTexts(text, known, write), write);
  const found: Request = {
    method,
    target: real(target, encodeURIComponent),
    headers: headers.map(([name, value]) => [name, real(value)]),
    ...(body === undefined ? {} : { body: real(body, writingIn(request)) }),
  };
  const isSendable = found.headers.every(([, value]) => FIELD.test(value));
  return isMarked(JSON.stringify(found)) || !isSendable ? undefined : found;
}

/** The answer with what is known of its marks. */
export function realResponse(response: Response, known: ReadonlyMap<string, string>): Response {
  const { headers, body } = response;
  return {
    ...response,
    headers: headers.map(([name, value]) => [name, withTexts(value, known)] as const),
    ...(body === undefined ? {} : { body: withTexts(body, known, writingIn(response)) }),
  };
}

/** Finds the credential that a request carries for a scheme, in a header, query or cookie. */
import type { CredentialLocation } from "../../plan/index.ts";
import { decodeUtf8, readCookies, readPairs } from "../../run/index.ts";

/** `bad`: something was sent in its place that has not its form. */
export type Found =
  | { readonly is: "none" | "bad" }
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "basic"; readonly username: string; readonly password: string };

const NONE: Found = { is: "none" };
const BAD: Found = { is: "bad" };
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Lower-case name of the header that has to be passed on for the placement. */
export function headerOf(placement: CredentialLocation): string | undefined {
  switch (placement.in) {
    case "header":
      return placement.name.toLowerCase();
    case "cookie":
      return "cookie";
    case "basic":
      return "authorization";
    case "query":
      return undefined;
  }
}

/** The credential; the word of an authentication scheme ignores case (RFC 9110 section 11.1). */
export function findCredential(
  placement: CredentialLocation,
  headers: ReadonlyMap<string, string>,
  query: string,
): Found {
  switch (placement.in) {
    case "header":
      return inHeader(placement, headers.get(placement.name.toLowerCase()));
    case "basic":
      return basic(headers.get("authorization"));
    case "cookie":
      return single(readCookies(headers.get("cookie")).get(placement.name));
    case "query":
      return single(readPairs(query)?.get(placement.name));
  }
}

function single(values: readonly string[] | undefined): Found {
  const [text, ...more] = values ?? [];
  if (text === undefined) return NONE;
  return text === "" || more.length > 0 ? BAD : { is: "text", text };
}

function inHeader(
  { before, after }: CredentialLocation & { readonly in: "header" },
  value: string | undefined,
): Found {
  if (value === undefined) return NONE;
  const begins = /^[A-Za-z0-9-]+ $/.test(before)
    ? value.slice(0, before.length).toLowerCase() === before.toLowerCase()
    : value.startsWith(before);
  const text = value.slice(before.length, value.length - after.length);
  return begins && value.endsWith(after) && text !== "" ? { is: "text", text } : BAD;
}

/** RFC 7617 with the charset UTF-8: user name up to the first colon. */
function basic(value: string | undefined): Found {
  if (value === undefined) return NONE;
  const text = decodeUtf8(Buffer.from(BASIC.exec(value)?.[1] ?? "", "base64"));
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) return BAD;
  return { is: "basic", username: text.slice(0, colon), password: text.slice(colon + 1) };
}

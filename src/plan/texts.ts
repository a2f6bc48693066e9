/** Which texts are an email address, a URI, a UUID or the name of a time zone. All linear. */
import { isZone } from "../expr/index.ts";

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const LOCAL_MAX = 64;
const DOMAIN_MAX = 255;
const MAILBOX_MAX = 254;
const LABEL_MAX = 63;

/**
 * RFC 5321 section 4.1.2 `Mailbox` with a `Dot-string` before the `@` and a `Domain` after it (no
 * quoted string, no address literal, ASCII), within the lengths of section 4.5.3.1 and RFC 1035.
 */
export function isEmail(text: string): boolean {
  const at = text.indexOf("@");
  if (at < 1 || at > LOCAL_MAX || text.length > MAILBOX_MAX) return false;
  const domain = text.slice(at + 1);
  if (domain.length > DOMAIN_MAX || !LOCAL.test(text.slice(0, at))) return false;
  return domain.split(".").every((label) => label.length <= LABEL_MAX && LABEL.test(label));
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const PATH = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;
const QUERY = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
const USER = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*$/;
const NAME = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const FUTURE = /^[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/;
const PORT = /^[0-9]*$/;
const OCTET = /^(?:0|[1-9][0-9]{0,2})$/;
const GROUP = /^[0-9A-Fa-f]{1,4}$/;

/** RFC 3986 section 3 `URI`: with a scheme (no relative reference); a fragment is allowed. */
export function isUri(text: string): boolean {
  const colon = text.indexOf(":");
  if (colon < 1 || !SCHEME.test(text.slice(0, colon))) return false;
  const hash = text.indexOf("#");
  if (hash >= 0 && !QUERY.test(text.slice(hash + 1))) return false;
  const whole = text.slice(colon + 1, hash < 0 ? text.length : hash);
  const question = whole.indexOf("?");
  if (question >= 0 && !QUERY.test(whole.slice(question + 1))) return false;
  const hierarchy = question < 0 ? whole : whole.slice(0, question);
  if (!hierarchy.startsWith("//")) return PATH.test(hierarchy);
  const slash = hierarchy.indexOf("/", 2);
  const authority = hierarchy.slice(2, slash < 0 ? hierarchy.length : slash);
  return isAuthority(authority) && (slash < 0 || PATH.test(hierarchy.slice(slash)));
}

/** The scheme of a URI in lower case (RFC 3986 section 3.1: schemes ignore case). */
export function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(":")).toLowerCase();
}

function isAuthority(authority: string): boolean {
  const at = authority.indexOf("@");
  if (at >= 0 && !USER.test(authority.slice(0, at))) return false;
  const host = authority.slice(at + 1);
  if (host.startsWith("[")) {
    const close = host.indexOf("]");
    const rest = host.slice(close + 1);
    if (close < 0 || !(rest === "" || (rest.startsWith(":") && PORT.test(rest.slice(1))))) {
      return false;
    }
    const inner = host.slice(1, close);
    return isIpv6(inner) || FUTURE.test(inner);
  }
  const colon = host.lastIndexOf(":");
  if (colon >= 0 && !PORT.test(host.slice(colon + 1))) return false;
  return NAME.test(colon < 0 ? host : host.slice(0, colon));
}

/** RFC 3986 section 3.2.2 `IPv6address`. */
function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let count = 0;
  for (const [half, part] of halves.entries()) {
    const groups = part === "" ? [] : part.split(":");
    for (const [i, group] of groups.entries()) {
      const last = half === halves.length - 1 && i === groups.length - 1;
      if (GROUP.test(group)) count++;
      else if (last && isIpv4(group)) count += 2;
      else return false;
    }
  }
  return halves.length === 2 ? count <= 7 : count === 8;
}

function isIpv4(text: string): boolean {
  const octets = text.split(".");
  return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) < 256);
}

const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

/** RFC 9562 section 4: the text form in lower case (case means nothing), or undefined. */
export function readUuid(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined;
}

const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** A name of the IANA time zone database that the runtime knows; never a bare offset. */
export function isZoneName(text: string): boolean {
  return text.length <= 64 && ZONE.test(text) && isZone(text);
}

/** How many Unicode code points a text has: the unit in which a document counts characters. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code <= 0xdbff) count--;
  }
  return count;
}

/** The text without spaces, tabs and line ends (U+0009 to U+000D, U+0020) at both ends; linear. */
export function trimmed(text: string): string {
  const isSpace = (at: number): boolean => {
    const code = text.charCodeAt(at);
    return code === 32 || (code >= 9 && code <= 13);
  };
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

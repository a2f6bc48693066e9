/** Forms of text that published standards fix: addresses, URIs, queries, cookies, media types. */

/** RFC 5321 section 4.1.2 `Mailbox` with a Dot-string and a domain, at most 254 characters. */
export function isEmail(text: string): boolean {
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
  const form = new RegExp(`^(${atom}(?:\\.${atom})*)@(${label}(?:\\.${label})*)$`);
  const found = form.exec(text);
  if (found === null || text.length > 254) return false;
  const [, local = "", domain = ""] = found;
  return local.length <= 64 && domain.split(".").every((one) => one.length <= 63);
}

/** An absolute URI (RFC 3986), a fragment allowed; hosts in brackets are left to the generator. */
export function isUri(text: string): boolean {
  const pchar = "[A-Za-z0-9\\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2}";
  const authority =
    "(?:(?:[A-Za-z0-9\\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*@)?" +
    "(?:[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*(?::\\d*)?";
  const path = `(?://${authority}(?:/(?:${pchar})*)*|/?(?:(?:${pchar})+(?:/(?:${pchar})*)*)?)`;
  const tail = `(?:${pchar}|[/?])*`;
  return new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${path}(?:\\?${tail})?(?:#${tail})?$`).test(text);
}

export function schemeOf(uri: string): string {
  return (uri.split(":")[0] ?? "").toLowerCase();
}

/** Without spaces, tabs and line ends (U+0009 to U+000D, U+0020) at both ends. */
export function trimmed(text: string): string {
  return text.replace(/^[\u0009-\u000d\u0020]+|[\u0009-\u000d\u0020]+$/g, "");
}

/** Names and values of a query; undefined: it is not percent-encoded UTF-8. */
export function queryPairs(query: string): readonly (readonly [string, string])[] | undefined {
  if (!/^[!-~]*$/.test(query)) return undefined;
  try {
    return query
      .split("&")
      .filter((one) => one !== "")
      .map((one) => {
        const [name = "", ...rest] = one.replaceAll("+", " ").split("=");
        return [decodeURIComponent(name), decodeURIComponent(rest.join("="))];
      });
  } catch {
    return undefined;
  }
}

/** The value of a cookie (RFC 6265 section 4.2.1). */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const [key = "", ...rest] = pair.split("=");
    if (key.trim() === name && rest.length > 0) {
      return rest
        .join("=")
        .trim()
        .replace(/^"(.+)"$/, "$1");
    }
  }
  return undefined;
}

/** Whether the media types are the same, parameters aside; a charset has to be UTF-8. */
export function isSameMedia(sent: string | undefined, stated: string): boolean {
  if (sent === undefined) return false;
  const [essence = "", ...parameters] = sent.split(";").map((one) => one.trim().toLowerCase());
  const charset = parameters.find((one) => one.startsWith("charset="))?.slice(8);
  const same = essence === stated.split(";")[0]?.trim().toLowerCase();
  return same && (charset === undefined || charset.replaceAll('"', "") === "utf-8");
}

/** Which header fields a proxy passes on, as RFC 9110 section 7.6 asks. */

/** Fields as they stand on the wire: name, value, name, value ... */
type Raw = readonly string[];

/** Fields that are meant for the next recipient alone (RFC 9110 section 7.6.1). */
const OF_ONE_HOP = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"],
]);

/** The name under which the proxy is told of in `Via` (RFC 9110 section 7.6.3). */
const PSEUDONYM = "lacuna";

/** Each field with its value, in the order of the wire. */
export function* pairsOf(raw: Raw): Generator<readonly [name: string, value: string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i] ?? "", raw[i + 1] ?? ""];
}

function valuesOf(raw: Raw, name: string): readonly string[] {
  return [...pairsOf(raw)]
    .filter(([one]) => one.toLowerCase() === name)
    .flatMap(([, value]) => value.split(","))
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== "");
}

/** The fields that go on to the next recipient. */
function onward(raw: Raw): string[] {
  const named = new Set(valuesOf(raw, "connection"));
  const found: string[] = [];
  for (const [name, value] of pairsOf(raw)) {
    const lower = name.toLowerCase();
    if (!OF_ONE_HOP.has(lower) && !named.has(lower)) found.push(name, value);
  }
  return found;
}

interface Asked {
  readonly raw: Raw;
  /** Of the message that was received: `1.1`. */
  readonly version: string;
  /** The field `Host` that the service gets; undefined: the client's own. */
  readonly host: string | undefined;
}

/** The fields of a request for the service. */
export function requestFields({ raw, version, host }: Asked): string[] {
  const found: string[] = [];
  const passed = onward(raw);
  for (const [name, value] of pairsOf(passed)) {
    const isHost = name.toLowerCase() === "host";
    if (!isHost || host === undefined) found.push(name, value);
  }
  if (host !== undefined) found.unshift("Host", host);
  // Framing is of one hop; that there is content whose length is not told is not.
  if (valuesOf(raw, "transfer-encoding").length > 0) found.push("Transfer-Encoding", "chunked");
  if (valuesOf(raw, "te").includes("trailers")) {
    found.push("TE", "trailers", "Connection", "TE, keep-alive");
  }
  found.push("Via", `${version} ${PSEUDONYM}`);
  return found;
}

/** The fields of an answer for the client. */
export function answerFields(raw: Raw): string[] {
  return onward(raw);
}

/** The fields of a request, or an answer, that takes the connection over for another protocol. */
export function upgradeFields(raw: Raw, fields: string[]): string[] {
  const wanted = [...pairsOf(raw)].filter(([name]) => name.toLowerCase() === "upgrade");
  return [...fields, ...wanted.flat(), "Connection", "Upgrade"];
}

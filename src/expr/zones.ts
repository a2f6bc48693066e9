/** Time zones: which names exist, and their offsets, from the runtime's IANA data. */

const FORMATTERS_MAX = 1000;
const FIXED = /^([+-]?)([0-9]{2}):([0-9]{2})$/;
const OFFSET = /([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?/;
const formatters = new Map<string, Intl.DateTimeFormat | number | undefined>();

/** Whether `text` names a zone: an IANA name (`Europe/Paris`, `UTC`) or an offset (`+02:00`). */
export function isZone(text: string): boolean {
  return zoneOf(text) !== undefined;
}

/**
 * Seconds that local time in `zone` is ahead of UTC at `ms` (milliseconds since the epoch);
 * undefined where there is no such zone.
 */
export function zoneOffset(zone: string, ms: number): number | undefined {
  const known = zoneOf(zone);
  if (known === undefined || typeof known === "number") return known;
  const found = OFFSET.exec(known.format(ms));
  if (!found) return 0;
  const [hours, minutes, seconds] = [Number(found[2]), Number(found[3]), Number(found[4] ?? 0)];
  return (found[1] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

/** A fixed offset in seconds, or the formatter of an IANA zone; remembered, for it is costly. */
function zoneOf(text: string): Intl.DateTimeFormat | number | undefined {
  if (formatters.has(text)) return formatters.get(text);
  if (formatters.size >= FORMATTERS_MAX) formatters.clear();
  const zone = makeZone(text);
  formatters.set(text, zone);
  return zone;
}

function makeZone(text: string): Intl.DateTimeFormat | number | undefined {
  const fixed = FIXED.exec(text);
  if (fixed) {
    const [hours, minutes] = [Number(fixed[2]), Number(fixed[3])];
    if (hours > 23 || minutes > 59) return undefined;
    return (fixed[1] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
  }
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
}

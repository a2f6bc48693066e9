/** Widens decimal literals exactly to the places of what they stand beside; knows only code. */
import type { Code, Type } from "../types.ts";

/** The places of the decimals in a type (in its items, where it is a list), if it has any. */
export function placesOf(type: Type): number | undefined {
  if (type.kind === "decimal") return type.places;
  const outer = type.kind === "list" || type.kind === "map" || type.kind === "nullable";
  return outer ? placesOf(type.of) : undefined;
}

/** `code` with its decimal literals brought to `places`; code of anything else stays. */
export function widen(code: Code, places: number): Code {
  const own = placesOf(code.type);
  if (own === undefined || own >= places) return code;
  if (code.op === "literal" && code.type.kind === "decimal" && typeof code.value === "string") {
    const point = own === 0 ? "." : "";
    const value = code.value + point + "0".repeat(places - own);
    return { ...code, type: { kind: "decimal", places }, value };
  }
  if (code.op === "list") {
    const items = code.items.map((item) => widen(item, places));
    const narrow = items.some((item) => tooNarrow(item, places));
    return narrow ? code : { ...code, items, type: widened(code.type, places) };
  }
  if (code.op === "map") {
    const entries = code.entries.map(({ key, value }) => ({ key, value: widen(value, places) }));
    const narrow = entries.some((entry) => tooNarrow(entry.value, places));
    return narrow ? code : { ...code, entries, type: widened(code.type, places) };
  }
  if (code.op === "call" && code.fn === "?:") {
    const [condition, ...branches] = code.args;
    const wide = branches.map((branch) => widen(branch, places));
    if (!condition || wide.some((branch) => tooNarrow(branch, places))) return code;
    return { ...code, args: [condition, ...wide], type: widened(code.type, places) };
  }
  return code;
}

function tooNarrow(code: Code, places: number): boolean {
  return (placesOf(code.type) ?? places) < places;
}

function widened(type: Type, places: number): Type {
  if (type.kind === "decimal") return { kind: "decimal", places };
  const outer = type.kind === "list" || type.kind === "map" || type.kind === "nullable";
  return outer ? { ...type, of: widened(type.of, places) } : type;
}

/** All of `codes`, their decimal literals brought to the most places that one of them has. */
export function widenTogether(codes: readonly Code[]): readonly Code[] {
  let places = 0;
  for (const code of codes) places = Math.max(places, placesOf(code.type) ?? 0);
  return places === 0 ? codes : codes.map((code) => widen(code, places));
}

/** Codes lists, maps, structures and json values as JSON text that loses nothing; knows no SQL. */
import type { BaseType, Field, Plan, ValueType } from "../../plan/index.ts";
import type { KeptSecret } from "../../run/index.ts";

type Coded = null | boolean | string | number | Coded[] | { [tag: string]: Coded };
/** Both directions for one type. */
export interface JsonCodec {
  to(value: unknown): Coded;
  from(coded: Coded): unknown;
}

const plain: JsonCodec = { to: (value) => value as Coded, from: (coded) => coded };
const whole: JsonCodec = {
  to: (value) => String(value as bigint),
  from: (coded) => BigInt(coded as string),
};

function treeTo(value: unknown): Coded {
  if (Array.isArray(value)) return value.map(treeTo);
  if (value instanceof Map) return { m: [...value].map(([k, v]) => [k as string, treeTo(v)]) };
  if (typeof value === "object" && value !== null) {
    return { n: (value as { numberText: string }).numberText };
  }
  return value as Coded;
}

function treeFrom(coded: Coded): unknown {
  if (Array.isArray(coded)) return coded.map(treeFrom);
  if (typeof coded !== "object" || coded === null) return coded;
  if (typeof coded["n"] === "string") return { numberText: coded["n"] };
  const pairs = coded["m"] as [string, Coded][];
  return new Map(pairs.map(([k, v]) => [k, treeFrom(v)]));
}

const tree: JsonCodec = { to: treeTo, from: treeFrom };

function listOf(of: JsonCodec): JsonCodec {
  return {
    to: (value) => (value as readonly unknown[]).map((item) => of.to(item)),
    from: (coded) => (coded as Coded[]).map((item) => of.from(item)),
  };
}

function pairsOf(codecOf: (name: string) => JsonCodec | undefined): JsonCodec {
  return {
    to: (value) =>
      [...(value as ReadonlyMap<string, unknown>)]
        .filter(([, v]) => v !== undefined)
        .map(([k, v]) => [k, (codecOf(k) ?? plain).to(v)]),
    from: (coded) => {
      const map = new Map<string, unknown>();
      for (const [k, v] of coded as [string, Coded][]) map.set(k, (codecOf(k) ?? plain).from(v));
      return map;
    },
  };
}

function orNull(codec: JsonCodec): JsonCodec {
  return {
    to: (value) => (value === null || value === undefined ? null : codec.to(value)),
    from: (coded) => (coded === null ? null : codec.from(coded)),
  };
}

/** A secret that is kept by its hash says so in memory, and is the text of the hash here. */
const hashed: JsonCodec = {
  to: (value) => (typeof value === "string" ? value : (value as KeptSecret).keptText),
  from: (coded) => ({ keptText: coded as string }) satisfies KeptSecret,
};

function isHashed(field: Field): boolean {
  return field.rules.some((rule) => rule.kind === "kept as" && rule.hash.kind !== "plain");
}

/** A maker of codecs for the fields of one plan; structures are resolved once each, lazily. */
export function jsonCodecs(plan: Plan): (field: Field) => JsonCodec {
  const structures = new Map<string, Map<string, JsonCodec>>();
  function structure(name: string): (member: string) => JsonCodec | undefined {
    return (member) => {
      let codecs = structures.get(name);
      if (codecs === undefined) {
        codecs = new Map();
        structures.set(name, codecs);
        const part = plan.partTypes.find((one) => one.name === name);
        for (const field of part?.fields ?? []) codecs.set(field.name, ofField(field));
      }
      return codecs.get(member);
    };
  }
  function base(type: BaseType, secret: JsonCodec): JsonCodec {
    switch (type.kind) {
      case "integer":
      case "decimal":
      case "timestamp":
      case "duration":
        return whole;
      case "json":
      case "schema":
        return tree;
      case "secret":
        return secret;
      case "list":
        return listOf(codecOf(type.of, secret));
      case "map": {
        const of = codecOf(type.of, secret);
        return pairsOf(() => of);
      }
      case "structure":
        return pairsOf(structure(type.name));
      case "string":
      case "number":
      case "boolean":
      case "date":
      case "time zone":
      case "email":
      case "uri":
      case "uuid":
      case "file":
      case "state":
      case "event name":
      case "error name":
      case "id":
      case "one of":
      case "reference":
        return plain;
    }
  }
  function codecOf(type: ValueType, secret: JsonCodec): JsonCodec {
    return orNull(base(type.type, secret));
  }
  function ofField(field: Field): JsonCodec {
    return codecOf(field.type, isHashed(field) ? hashed : plain);
  }
  return ofField;
}

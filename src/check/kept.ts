/** Counts what blocks `json openapi` keep for an export: nothing is done with it when served. */
import type { Spec } from "../spec/index.ts";
import type { KeptReport } from "./types.ts";

/** Members by what they are; those of one kind are told together. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ links: "links", callbacks: "callbacks", webhooks: "webhooks", servers: "servers" },
  ...{ style: "styles", explode: "styles", allowReserved: "styles", encoding: "styles" },
  ...{ collectionFormat: "styles", allowEmptyValue: "styles", flows: "flows", scopes: "flows" },
  ...{ example: "examples", examples: "examples", operationId: "names", title: "texts" },
  ...{ summary: "texts", description: "texts", externalDocs: "texts", tags: "texts" },
  ...{ contact: "texts", license: "texts", termsOfService: "texts", schema: "schemas" },
  ...{ security: "security", deprecated: "deprecated" },
};

/** Of these each entry counts. */
const SEVERAL = new Set(["links", "callbacks", "webhooks", "servers", "examples", "flows"]);

type Found = Map<string, number>;

function take(found: Found, kind: string, count = 1): void {
  found.set(kind, (found.get(kind) ?? 0) + count);
}

function sizeOf(kind: string, value: unknown): number {
  if (!SEVERAL.has(kind) || typeof value !== "object" || value === null) return 1;
  return Object.keys(value).length;
}

/** Counts members of known kinds where they are met from outside, and what is inside of others. */
function countIn(value: unknown, found: Found): void {
  const left: unknown[] = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (Array.isArray(one)) {
      for (const each of one) if (typeof each === "object" && each !== null) left.push(each);
      continue;
    }
    for (const [name, inner] of Object.entries(one as object)) {
      const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
      if (name.startsWith("x-")) take(found, "extensions");
      else if (kind !== undefined) take(found, kind, sizeOf(kind, inner));
      else if (typeof inner === "object" && inner !== null) left.push(inner);
      else take(found, "others");
    }
  }
}

/** What a document keeps for export; undefined: nothing. Blocks that are no JSON have a finding. */
export function keptIn({ parts }: Spec): KeptReport | undefined {
  const found: Found = new Map();
  let blocks = 0;
  for (const { block, content } of parts.flatMap((part) =>
    part.sections.flatMap(({ fences }) => fences),
  )) {
    if (block !== "openapi") continue;
    blocks += 1;
    try {
      countIn([JSON.parse(content.text)], found);
    } catch {
      // The rule of these blocks has reported it.
    }
  }
  if (blocks === 0) return undefined;
  const kinds = [...found].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return {
    blocks,
    members: kinds.reduce((sum, [, count]) => sum + count, 0),
    kinds: Object.fromEntries(kinds),
  };
}

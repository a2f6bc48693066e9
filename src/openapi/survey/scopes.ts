/** The scopes that the security schemes of a description list. */
import type { Description } from "../model/index.ts";
import { type MapNode, type Node, textAt } from "../tree/index.ts";

/** Swagger has one flow beside its scheme, OpenAPI 3 an object of flows. */
function listedIn({ node }: { readonly node: MapNode }): Set<string> | undefined {
  if (textAt(node, "type") !== "oauth2") return undefined;
  const flows = node.get("flows");
  const all: readonly Node[] = flows?.kind === "map" ? flows.values : [node];
  return new Set(
    all.flatMap((each) => {
      const scopes = each.kind === "map" ? each.get("scopes") : undefined;
      return scopes?.kind === "map" ? scopes.keys : [];
    }),
  );
}

/** Looks up what a scheme lists; undefined for a scheme without scopes. */
export function scopesOf({
  securitySchemes,
}: Description): (scheme: string) => ReadonlySet<string> | undefined {
  const known = new Map(securitySchemes.map((each) => [each.name, listedIn(each)]));
  return (scheme) => known.get(scheme);
}

/** `Check the tag of x`: If-Match against the row's version tag (RFC 9110 section 13.1.1). */

import type { CompilerServices, Run } from "../compile/services.ts";
import type { Activation, Scope } from "../context/activation.ts";
import type { Row, Value } from "../ports/index.ts";
import { tagOf } from "../show/headers.ts";
import { isListed } from "../wire/tags.ts";

/** Compiles the check; a resource without a version tag passes. */
export function compileTagCheck(services: CompilerServices, scope: Scope, of: string): Run {
  const slot = scope.slot(of);
  const refusals = new Map(
    [...services.model.resources.values()].flatMap(({ name, resource }) => {
      const tag = resource.versionTag;
      return tag === undefined
        ? []
        : [
            [
              name,
              {
                absent: services.refusal(scope, tag.absent),
                other: services.refusal(scope, tag.other),
              },
            ] as const,
          ];
    }),
  );
  return (activation: Activation) => {
    const row = activation.values[slot] as Row;
    activation.tx.meetThere(row);
    const refuse = refusals.get(row.resource);
    if (refuse === undefined) {
      const gap = services.model.info(row.resource).resource.versionTagGap;
      return gap === undefined ? undefined : { is: "gap", gap };
    }
    const header = activation.tx.invocation?.inputs.header.get("if-match") as Value;
    if (typeof header !== "string") return refuse.absent(activation, row);
    if (header.trim() === "*") return undefined;
    return isListed(header, tagOf(services, activation.tx, row))
      ? undefined
      : refuse.other(activation, row);
  };
}

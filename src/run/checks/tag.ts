/** `Check the tag of x`: If-Match against the row's version tag (RFC 9110 section 13.1.1). */

import type { CompilerServices, Run } from "../compile/services.ts";
import type { Activation, Scope } from "../context/activation.ts";
import type { Row, Value } from "../ports/index.ts";
import { tagOf } from "../show/headers.ts";
import { isListed } from "../wire/tags.ts";

/** Compiles the check; a resource without a version tag passes. */
export function compileTagCheck(kit: CompilerServices, unit: Scope, of: string): Run {
  const slot = unit.slot(of);
  const refusals = new Map(
    [...kit.model.resources.values()].flatMap(({ name, resource }) => {
      const tag = resource.versionTag;
      return tag === undefined
        ? []
        : [
            [
              name,
              { absent: kit.refusal(unit, tag.absent), other: kit.refusal(unit, tag.other) },
            ] as const,
          ];
    }),
  );
  return (frame: Activation) => {
    const row = frame.values[slot] as Row;
    frame.work.meet(row);
    const refuse = refusals.get(row.resource);
    if (refuse === undefined) {
      const gap = kit.model.info(row.resource).resource.versionTagGap;
      return gap === undefined ? undefined : { is: "gap", gap };
    }
    const header = frame.work.invocation?.inputs.header.get("if-match") as Value;
    if (typeof header !== "string") return refuse.absent(frame, row);
    if (header.trim() === "*") return undefined;
    return isListed(header, tagOf(kit, row)) ? undefined : refuse.other(frame, row);
  };
}

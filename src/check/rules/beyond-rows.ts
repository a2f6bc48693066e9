/** Rule: references do not lead a caller to rows that `Rows` of their resource hides. */
import type { Span } from "../../base/index.ts";
import type { Code } from "../../expr/index.ts";
import {
  heldReference,
  type ItemId,
  isStated,
  pathsBeyond,
  rowsOf,
  staysWithin,
} from "../../plan/index.ts";
import { expressionsIn } from "./asked.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** What is read in requests that have a caller: promises and times see every row. */
function readByCallers({ service }: RuleContext): readonly unknown[] {
  const { endpoints, prologue, routines, shapes, events, streams, machines } = service;
  const asked = endpoints.filter(({ who }) => isStated(who));
  const byRequests = machines.flatMap(({ transitions }) =>
    transitions.filter(({ on }) => on.is === "step" || on.is === "transition"),
  );
  return [asked, prologue, routines, shapes, events, streams, byRequests];
}

interface Found {
  /** `Task.project`. */
  readonly field: string;
  readonly target: string;
  readonly at: Span | ItemId;
}

function followed(c: RuleContext): Found[] {
  return expressionsIn(readByCallers(c)).flatMap((expression) => {
    const at = c.places.get(expression);
    if (at === undefined) return [];
    return pathsBeyond((name) => c.resources.get(name), expression.code).flatMap((path) =>
      path.type.kind === "row" && path.of.type.kind === "row"
        ? [{ field: `${path.of.type.resource}.${path.member}`, target: path.type.resource, at }]
        : [],
    );
  });
}

/** Fields that show a reference to whoever sees their row. */
function shown(c: RuleContext): Found[] {
  return c.service.resources.flatMap(({ name, fields }) =>
    fields.flatMap(({ name: field, type, read, id }) => {
      const target = heldReference(type)?.resource;
      if (target === undefined || read.is === "no") return [];
      const it: Code = { op: "name", name: "it", type: { kind: "row", resource: name } };
      const path: Code = {
        ...{ op: "get", of: it, member: field },
        type: { kind: "row", resource: target },
      };
      const isSure =
        rowsOf(c.resources.get(target)) === undefined ||
        (type.type.kind === "reference" && staysWithin((one) => c.resources.get(one), path));
      return isSure ? [] : [{ field: `${name}.${field}`, target, at: id }];
    }),
  );
}

/** Reports `beyond-rows`, once for each field. */
export const beyondRows: Rule = (c) => {
  const told = new Set<string>();
  for (const { field, target, at } of [...followed(c), ...shown(c)]) {
    const rows = rowsOf(c.resources.get(target));
    if (rows === undefined || told.has(field)) continue;
    told.add(field);
    const [resource = "", member = ""] = field.split(".");
    report(c, {
      code: "beyond-rows",
      severity: "note",
      at,
      message:
        `\`${field}\` may name a row that \`Rows\` of \`${target}\` hides from the caller: ` +
        "a request that comes to such a row stops there.",
      hint:
        `Let \`Rows\` of \`${resource}\` ask the same of \`it.${member}\`, ` +
        "or promise with `Always` that both agree.",
      related: [{ span: c.origins.get(rows.id) ?? { start: 0, end: 0 }, message: "what hides it" }],
    });
  }
};

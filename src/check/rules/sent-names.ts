/** Rule: what is sent under one name in one place is one member. */
import {
  type Endpoint,
  type InputPlace,
  type ItemId,
  isStated,
  type Shape,
  sentName,
  sentPath,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

interface Named {
  readonly id: ItemId;
  readonly name: string;
  readonly sentAs?: string;
}

/**
 * Fields and inputs of one name are told by what reads their tables: there one of the two is sent
 * as another.
 */
function judge(c: RuleContext, all: readonly Named[], told = false): void {
  const seen = new Map<string, Named>();
  for (const one of all) {
    const path = JSON.stringify(sentPath(one));
    const before = seen.get(path);
    if (before === undefined) seen.set(path, one);
    else if (!told || before.sentAs !== undefined || one.sentAs !== undefined) {
      report(c, {
        code: "second-name",
        severity: "error",
        at: one.id,
        hint: "Each member is sent once: take one of the two out, or give it another name.",
        message:
          before.name === one.name
            ? `\`${one.name}\` stands twice in what is sent.`
            : `\`${before.name}\` and \`${one.name}\` are both sent as \`${sentName(one)}\`.`,
      });
    }
  }
}

function ofShape(c: RuleContext, shape: Shape): readonly Named[] {
  const { taken, viewOf } = shape;
  const fields = taken === undefined ? [] : (c.resources.get(viewOf ?? "")?.fields ?? []);
  const own = fields.filter(({ name }) => taken?.fields.includes(name) !== taken?.allBut);
  // Rows of one name that follow each other are one member.
  const rows = shape.fields.filter(({ name }, i) => shape.fields[i - 1]?.name !== name);
  return [...own, ...rows];
}

const PLACES: readonly InputPlace[] = ["query", "cookie"];

function ofBody(c: RuleContext, { body, inputs }: Endpoint): readonly Named[] {
  const rows = inputs.filter((one) => one.in === "body");
  if (!isStated(body) || body.value.content.is === "type" || body.value.member !== undefined) {
    return rows;
  }
  const { resource, is } = body.value.content;
  const fields = c.resources.get(resource)?.fields ?? [];
  const given = fields.filter((one) => (is === "new" ? one.create : one.update).is !== "no");
  return [...given, ...rows];
}

/** Reports `second-name`. */
export const sentNames: Rule = (c) => {
  for (const { fields } of [...c.service.resources, ...c.service.partTypes]) judge(c, fields, true);
  for (const shape of c.service.shapes) judge(c, ofShape(c, shape));
  for (const endpoint of c.service.endpoints) {
    for (const place of PLACES) {
      judge(
        c,
        endpoint.inputs.filter((one) => one.in === place),
        true,
      );
    }
    judge(c, ofBody(c, endpoint), true);
  }
};

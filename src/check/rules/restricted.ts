/** Rule: a view does not show to everybody what Read allows to some actors. */
import { type Answer, isStated, type Step, type ValueType } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { membersShown, takenBy } from "./shown.ts";

interface Restricted {
  readonly field: string;
  readonly at: string;
  readonly actors: readonly string[];
}

const FOUND_MAX = 8;
/** Shapes inside shapes are followed this deep. */
const DEPTH_MAX = 40;

function shapeNames(type: ValueType): string[] {
  const { type: base } = type;
  if (base.kind === "list" || base.kind === "map") return shapeNames(base.of);
  if (base.kind === "structure") return [base.name];
  return base.kind === "reference" && base.view !== undefined ? [base.view] : [];
}

function own(c: RuleContext, name: string): Restricted[] {
  const shape = c.shapes.get(name);
  const resource = c.resources.get(shape?.viewOf ?? "");
  if (shape === undefined || resource === undefined) return [];
  const limited = new Map(
    resource.fields.flatMap((field) =>
      field.read.is === "actors" ? [[field.name, field.read.actors] as const] : [],
    ),
  );
  const members = membersShown(c, shape).flatMap(({ part, field, at }) =>
    field.read.is === "actors"
      ? [{ field: `${part.name}.${field.name}`, at, actors: field.read.actors }]
      : [],
  );
  const fields = takenBy(shape).flatMap(([field, at]) => {
    const actors = limited.get(field);
    return actors === undefined ? [] : [{ field: `${resource.name}.${field}`, at, actors }];
  });
  return [...fields, ...members];
}

/** What a shape shows, itself or through the shapes of its members; bounded. */
function reach(
  c: RuleContext,
  name: string,
  known: Map<string, readonly Restricted[]>,
  depth = 0,
): readonly Restricted[] {
  const before = known.get(name);
  if (before !== undefined || depth > DEPTH_MAX) return before ?? [];
  known.set(name, []);
  const members = c.shapes.get(name)?.fields ?? [];
  const inner = members
    .flatMap((one) => shapeNames(one.type))
    .flatMap((one) => reach(c, one, known, depth + 1).slice(0, FOUND_MAX));
  const found = [...own(c, name), ...inner].slice(0, FOUND_MAX);
  known.set(name, found);
  return found;
}

function bodyShape(step: Step): string | undefined {
  if (step.kind !== "respond") return undefined;
  const { body } = step;
  return body.is === "shape" || body.is === "shape with" ? body.shape : undefined;
}

function others(who: Answer<readonly string[]>, actors: readonly string[]): string | undefined {
  if (who.is === "none") return "everybody";
  if (!isStated(who)) return undefined;
  const other = who.value.find((actor) => !actors.includes(actor));
  return other === undefined ? undefined : `\`${other}\``;
}

/** Reports `restricted-shown`. */
export const restricted: Rule = (c) => {
  const known = new Map<string, readonly Restricted[]>();
  for (const { step, owner } of c.steps) {
    const shape = bodyShape(step);
    if (shape === undefined || owner.endpoint === undefined) continue;
    for (const one of reach(c, shape, known)) {
      const reader = others(owner.endpoint.who, one.actors);
      if (reader === undefined) continue;
      report(c, {
        code: "restricted-shown",
        severity: "warning",
        at: step.id,
        message:
          `This answer shows \`${one.field}\` to ${reader}, and Read allows it to ` +
          `${one.actors.map((actor) => `\`${actor}\``).join(", ")} alone.`,
        hint: "Take it out of the view, or add the actor under Read.",
        related: [
          {
            span: c.origins.get(one.at) ?? { start: 0, end: 0 },
            message: "the view shows it here",
          },
        ],
      });
    }
  }
};

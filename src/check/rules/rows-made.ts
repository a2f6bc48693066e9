/** Rule: rows of every resource can come to be, above all those that receive or call. */
import { heldReference, isStated, type Resource } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Why rows of some resources are needed. */
function needs(c: RuleContext): Map<string, string> {
  const found = new Map<string, string>();
  for (const one of c.service.webhooks) {
    if (!isStated(one.receivers)) continue;
    found.set(one.receivers.value.resource, `So nobody can receive \`${one.name}\`.`);
  }
  for (const one of c.service.schemes) {
    if (isStated(one.caller)) {
      found.set(one.caller.value.resource, `So nobody can call with \`${one.name}\`.`);
    }
  }
  return found;
}

/** Resources of which a row must name another before it can be made. */
function mustName({ fields }: Resource): string[] {
  return fields.flatMap(({ type, gap }) => {
    const held = heldReference(type);
    const isFree = held === undefined || held.inside || type.orNull || type.orAbsent;
    return isFree || gap !== undefined ? [] : [held.resource];
  });
}

/** Resources whose rows can be made, since those that they must name can be made before. */
function makeable(c: RuleContext): Set<string> {
  const found = new Set<string>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const resource of c.service.resources) {
      const begins = resource.startRows.is !== "none" || !c.writes.creates.has(resource.name);
      if (begins || mustName(resource).every((name) => found.has(name))) found.add(resource.name);
    }
  }
  return found;
}

/** The resources that rows of one must name, themselves or through those that they name. */
function mustFollow(c: RuleContext, resource: Resource, within: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const open = [resource];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const name of mustName(one)) {
      const next = c.resources.get(name);
      if (within.has(name) || found.has(name) || next === undefined) continue;
      found.add(name);
      open.push(next);
    }
  }
  return found;
}

/** Rows that must name each other: none can be the first. One finding for each circle. */
function judgeFirst(c: RuleContext): void {
  const found = makeable(c);
  const told = new Set<string>();
  for (const resource of c.service.resources) {
    if (found.has(resource.name)) continue;
    const circle = mustFollow(c, resource, found);
    if (!circle.has(resource.name) || told.has(resource.name)) continue;
    for (const name of circle) told.add(name);
    const named = mustName(resource).filter((name) => circle.has(name));
    report(c, {
      code: "no-first-row",
      severity: "error",
      at: resource.id,
      message:
        `No first row of \`${resource.name}\` can be made: it must name a row of ` +
        `${named.map((name) => `\`${name}\``).join(" and ")}, of which there is none before it.`,
      hint: "Make one of the references `or null`, or state rows at the start.",
    });
  }
}

/** Reports `never-made`, `no-first-row`. */
export const rowsMade: Rule = (c) => {
  if (c.service.endpoints.length === 0) return;
  judgeFirst(c);
  const needed = needs(c);
  for (const resource of c.service.resources) {
    if (resource.startRows.is !== "none" || c.writes.creates.has(resource.name)) continue;
    const why = needed.get(resource.name);
    report(c, {
      code: "never-made",
      severity: "warning",
      at: resource.id,
      message:
        `No row of \`${resource.name}\` can ever exist: no step makes one, and there are ` +
        `none at the start.${why === undefined ? "" : ` ${why}`}`,
      hint: `Write a step that creates a \`${resource.name}\`, or state \`- Rows at the start\`.`,
    });
  }
};

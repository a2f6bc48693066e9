/** States and resources as Mermaid diagrams, one after the other, each with its title. */
import type { Machine, Plan, Resource, Transition, Trigger, ValueType } from "../../plan/index.ts";
import type { Exportable, Exporter } from "../types.ts";

/** One diagram for each machine, then one for all resources; empty where there are neither. */
export const mermaid: Exporter = (from) => {
  const { plan } = from;
  const diagrams = plan.machines.map((one) => statesOf(from, one));
  if (plan.resources.length > 0) diagrams.push(resourcesOf(from));
  return diagrams.join("\n");
};

/** What a label may hold: Mermaid reads `;`, `#`, `"` and `:` as its own. */
const label = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[#;:"{}<>`[\]\\%]/g, (one) => `#${one.charCodeAt(0)};`);

/** The text in quotes. */
const quoted = (text: string): string => `"${label(text)}"`;

/** The text of a title, which is YAML. */
const title = (text: string): string => `---\ntitle: ${JSON.stringify(text)}\n---`;

/** A name that Mermaid takes as one: letters, digits and `_`, and none of its own words. */
function id(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]/g, (one) => `_${one.charCodeAt(0)}_`);
  return `s_${plain}`;
}

/** What causes a transition; undefined: a step of an endpoint does. */
function causeOf(on: Trigger): string | undefined {
  switch (on.is) {
    case "step":
      return undefined;
    case "time":
      return `at ${on.field}`;
    case "every":
      return `every ${on.durationText}`;
    case "transition":
      return `with ${on.transition} of ${on.resource}`;
    case "refused":
      return `when ${on.transition} is refused`;
    case "call":
      return `when ${on.call} says ${on.word}`;
    case "by itself":
      return `by itself within ${on.withinText}`;
    case "gap":
      return undefined;
  }
}

function gapText({ plan, lineOf }: Exportable, gap: string | undefined): string {
  const line = gap === undefined ? undefined : lineOf(gap);
  const subject = plan.gaps.find((one) => one.id === gap)?.subject;
  const place = line === undefined ? "" : ` (line ${line})`;
  return `not shown${subject === undefined ? "" : `: ${subject}`}${place}`;
}

/** Its name, what causes it, under which condition, and what of it is not shown. */
function edgeLabel(from: Exportable, { name, on, when, gap }: Transition): string {
  const cause = causeOf(on);
  const parts = [
    label(name),
    ...(cause === undefined ? [] : [label(cause)]),
    ...(on.is === "gap" ? [label(gapText(from, on.gap))] : []),
    ...(when === undefined ? [] : [label(`if ${when.text}`)]),
    ...(gap === undefined ? [] : [label(gapText(from, gap))]),
  ];
  return parts.join("<br/>");
}

function statesOf(from: Exportable, machine: Machine): string {
  const { resource, states, transitions, gap } = machine;
  const lines = [title(`States of ${resource}`), "stateDiagram-v2"];
  for (const { name } of states) lines.push(`  state ${quoted(name)} as ${id(name)}`);
  for (const { name, initial } of states) if (initial) lines.push(`  [*] --> ${id(name)}`);
  for (const each of transitions) {
    for (const one of each.from) {
      lines.push(`  ${id(one)} --> ${id(each.to)}: ${edgeLabel(from, each)}`);
    }
  }
  for (const { name, final } of states) if (final) lines.push(`  ${id(name)} --> [*]`);
  if (gap !== undefined) lines.push(`  state ${quoted(gapText(from, gap))} as not_shown`);
  return `${lines.join("\n")}\n`;
}

interface Target {
  readonly resource: string;
  /** Of how many: one, one or none, any number. */
  readonly many: "||" | "o|" | "o{";
}

/** Resources that a type refers to, through lists, maps and parts. */
function targets(plan: Plan, type: ValueType, many: Target["many"]): Target[] {
  const found: Target[] = [];
  const seen = new Set<string>();
  const open: { readonly type: ValueType; readonly many: Target["many"] }[] = [{ type, many }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { type: base, orNull, orAbsent } = one.type;
    const count = one.many === "||" && (orNull || orAbsent) ? "o|" : one.many;
    if (base.kind === "reference") found.push({ resource: base.resource, many: count });
    if (base.kind === "list" || base.kind === "map") open.push({ type: base.of, many: "o{" });
    if (base.kind !== "structure" || seen.has(base.name)) continue;
    seen.add(base.name);
    const part = plan.partTypes.find(({ name }) => name === base.name);
    open.push(...(part?.fields ?? []).map((field) => ({ type: field.type, many: count })));
  }
  return found;
}

/** Kinds of types as one word each. */
function typeWord({ type, orNull }: ValueType): string {
  const word = type.kind === "structure" ? type.name : type.kind;
  return `${word.replaceAll(/[^A-Za-z0-9]/g, "_")}${orNull ? "_or_null" : ""}`;
}

function resourcesOf(from: Exportable): string {
  const lines = [title("Resources"), "erDiagram"];
  for (const resource of from.plan.resources) lines.push(...entity(from, resource));
  return `${lines.join("\n")}\n`;
}

const word = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, "_");

/** Keys of a field: it names the row, it names another row, it is unique. */
function keysOf(resource: Resource, field: Resource["fields"][number]): string {
  const isUnique = field.rules.some(({ kind }) => kind === "unique");
  const keys = [
    ...(resource.key === field.name ? ["PK"] : []),
    ...(field.type.type.kind === "reference" ? ["FK"] : []),
    ...(isUnique && resource.key !== field.name ? ["UK"] : []),
  ];
  return keys.length === 0 ? "" : ` ${keys.join(", ")}`;
}

function entity(from: Exportable, resource: Resource): string[] {
  const { name, fields } = resource;
  const rows = fields.map((field) => {
    const gap = field.gap ?? field.type.gap;
    if (gap !== undefined) return `    not_shown ${word(field.name)} ${quoted(gapText(from, gap))}`;
    return `    ${typeWord(field.type)} ${word(field.name)}${keysOf(resource, field)}`;
  });
  const links = fields.flatMap((field) => {
    // One row names at most one row of the other side, unless that side may name it once only.
    const isUnique = field.rules.some((rule) => rule.kind === "unique" && rule.within.length === 0);
    const side = isUnique ? "|o" : "}o";
    return targets(from.plan, field.type, "||").map(
      (to) => `  ${name} ${side}--${to.many} ${to.resource} : ${quoted(field.name)}`,
    );
  });
  return [`  ${name} {`, ...rows, "  }", ...links];
}

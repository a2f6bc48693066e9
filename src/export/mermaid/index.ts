/** States and resources as Mermaid diagrams, one after the other, each with its title. */
import type { Machine, Plan, Resource, ValueType } from "../../plan/index.ts";
import type { Exporter } from "../types.ts";

/** One diagram for each machine, then one for all resources; empty where there are neither. */
export const mermaid: Exporter = ({ plan }) => {
  const diagrams = plan.machines.map(statesOf);
  if (plan.resources.length > 0) diagrams.push(resourcesOf(plan));
  return diagrams.join("\n");
};

/** What a label may hold: Mermaid reads `;`, `#`, `"` and `:` as its own. */
const label = (text: string): string =>
  text.replaceAll(/[#;:"{}<>\n]/g, (one) => `#${one.charCodeAt(0)};`);

function statesOf(machine: Machine): string {
  const lines = [`---\ntitle: States of ${machine.resource}\n---`, "stateDiagram-v2"];
  for (const state of machine.states) {
    if (state.initial) lines.push(`  [*] --> ${state.name}`);
  }
  for (const each of machine.transitions) {
    for (const from of each.from) lines.push(`  ${from} --> ${each.to}: ${label(each.name)}`);
  }
  for (const state of machine.states) if (state.final) lines.push(`  ${state.name} --> [*]`);
  if (machine.gap !== undefined) lines.push("  note right of [*]: not shown");
  return `${lines.join("\n")}\n`;
}

/** Resources that a type refers to, through lists and maps. */
function targets({ type }: ValueType): string[] {
  if (type.kind === "reference") return [type.resource];
  return type.kind === "list" || type.kind === "map" ? targets(type.of) : [];
}

function resourcesOf(plan: Plan): string {
  const lines = ["---\ntitle: Resources\n---", "erDiagram"];
  for (const resource of plan.resources) lines.push(...entity(resource));
  return `${lines.join("\n")}\n`;
}

function entity(resource: Resource): string[] {
  const fields = resource.fields.map(({ name, type, gap }) => {
    const word = gap === undefined ? type.type.kind.replaceAll(" ", "_") : "not_shown";
    return `    ${word} ${name}`;
  });
  const links = resource.fields.flatMap(({ name, type }) =>
    targets(type).map((to) => `  ${resource.name} }o--o| ${to} : ${name}`),
  );
  return [`  ${resource.name} {`, ...fields, "  }", ...links];
}

/** Rule: the path of a group is one, some endpoint is below it, and parameters are called alike. */
import { pathSegments } from "../../plan/index.ts";
import type { SectionNode } from "../../spec/index.ts";
import { type Around, groupPath, groupsAround } from "../resolve/endpoints/groups.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

function isPath(text: string): boolean {
  return text.startsWith("/") && pathSegments(text).every((one) => one !== undefined);
}

/** How the endpoints around which a group stands are to it. */
interface Below {
  readonly endpoint: SectionNode;
  readonly around: Around;
}

function judge(c: RuleContext, group: SectionNode, all: readonly Below[]): void {
  const path = groupPath(group);
  if (!isPath(path.text)) {
    report(c, {
      code: "bad-endpoint",
      severity: "error",
      at: path,
      message: `\`${path.text}\` is no path with which others begin.`,
      hint: "Write such as `/articles/{slug}`: it begins with `/`.",
    });
    return;
  }
  for (const { endpoint, around } of all) {
    if (around.other === undefined) continue;
    const { there, here } = around.other;
    const { start, end } = endpoint.heading ?? endpoint;
    report(c, {
      code: "contradiction",
      severity: "error",
      at: path,
      message: `\`${there}\` is \`${here}\` in an endpoint below this path.`,
      hint: "Call the parameter the same in both.",
      related: [{ span: { start, end }, message: "the endpoint" }],
    });
  }
  if (all.length > 0 || c.service.endpoints.length === 0) return;
  report(c, {
    code: "never-used",
    severity: "warning",
    at: path,
    message: `No endpoint is below \`${path.text}\`: what stands here holds for none.`,
    hint: "Write the path as the endpoints have it, or take the heading away.",
  });
}

/** Reports `bad-endpoint`, `contradiction`, `second-name`, `never-used`. */
export const groups: Rule = (c) => {
  const below = new Map<SectionNode, Below[]>();
  for (const [endpoint, all] of groupsAround(c.spec)) {
    for (const around of all) {
      const found = below.get(around.group) ?? [];
      found.push({ endpoint, around });
      below.set(around.group, found);
    }
  }
  const seen = new Map<string, SectionNode>();
  for (const group of c.spec.parts.flatMap((part) => part.sections)) {
    if (group.scope !== "group") continue;
    const path = groupPath(group);
    const before = seen.get(path.text);
    if (before !== undefined) {
      const { start, end } = groupPath(before);
      report(c, {
        code: "second-name",
        severity: "error",
        at: path,
        message: `Every endpoint below \`${path.text}\` has a heading already.`,
        hint: "Put what belongs together under one heading.",
        related: [{ span: { start, end }, message: "first stated here" }],
      });
    }
    seen.set(path.text, before ?? group);
    judge(c, group, below.get(group) ?? []);
  }
};

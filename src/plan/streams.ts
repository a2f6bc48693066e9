/** Streams: the request that opens one, as an endpoint. */
import { gapOf, isStated } from "./answers.ts";
import { pathSegments } from "./paths.ts";
import type { Endpoint, Plan, Step, Stream } from "./types/index.ts";

/** Opening meets the gap of what a caller sees, and for who resumes that of resuming. */
function stepsOf({ id, ends, sees, resume, bindingGap, heartbeat }: Stream): readonly Step[] {
  const respond: Step = {
    id: `${id}/open`,
    kind: "respond",
    status: 200,
    body: { is: "none" },
    headers: [],
  };
  const gap = bindingGap ?? gapOf(ends) ?? gapOf(heartbeat) ?? gapOf(sees);
  if (gap !== undefined) return [{ id: `${id}/open`, kind: "gap", gap }];
  if (resume.is !== "gap") return [respond];
  const type = { kind: "boolean" } as const;
  const header = { op: "name", type: { kind: "object", name: "header" }, name: "header" } as const;
  const resumes = { op: "has", type, of: header, member: "last-event-id" } as const;
  const then: Step = { id: `${id}/resume`, kind: "gap", gap: resume.gap };
  const condition = { code: resumes, text: "" };
  return [{ id: `${id}/resuming`, kind: "when", condition, then: [then] }, respond];
}

/** The endpoint that a stream is; none where its path is not shown. */
export function endpointOfStream(stream: Stream): Endpoint[] {
  const { id, path, who } = stream;
  if (!isStated(path)) return [];
  return [
    {
      id,
      who,
      method: "GET",
      path: pathSegments(path.value.replace(/^\S+ /, "")).filter((one) => one !== undefined),
      inputs: [
        {
          id: `${id}/last event`,
          name: "Last-Event-ID",
          in: "header",
          needed: "no",
          rules: [],
          type: { type: { kind: "string" }, orNull: false, orAbsent: true },
        },
      ],
      body: { is: "none", id },
      bindings: stream.bindings ?? [],
      failures: [],
      steps: stepsOf(stream),
    },
  ];
}

/** The plan with an endpoint for each stream behind its own endpoints. Done once for a service. */
export function withStreams(plan: Plan): Plan {
  if (plan.streams.length === 0) return plan;
  return { ...plan, endpoints: [...plan.endpoints, ...plan.streams.flatMap(endpointOfStream)] };
}

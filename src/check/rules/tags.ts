/** Rule: where a version tag does not stand for the whole answer, the author is told. */
import { everyStep, type Service, type Step, whyNotCompared } from "../../plan/index.ts";
import { type Rule, report } from "./context.ts";

/** Whether the step answers with one row that has a version tag. */
function isTagged(service: Service, step: Step): boolean {
  if (step.kind !== "respond" || step.status >= 300) return false;
  if (step.body.is !== "shape" || step.body.list) return false;
  const { shape: name } = step.body;
  const shape = service.shapes.find((one) => one.name === name);
  const resource = service.resources.find((one) => one.name === (shape?.viewOf ?? name));
  return resource?.versionTag !== undefined;
}

/** Reports `tag-not-compared`. */
export const tags: Rule = (c) => {
  for (const endpoint of c.service.endpoints) {
    if (endpoint.method !== "GET") continue;
    const step = everyStep(endpoint.steps).find((one) => isTagged(c.service, one));
    const why = step && whyNotCompared(c.service, endpoint);
    if (step === undefined || typeof why !== "string") continue;
    report(c, {
      code: "tag-not-compared",
      severity: "note",
      at: step.id,
      message: `\`If-None-Match\` is not compared here: ${why}.`,
      hint: "Every request gets the whole answer; its tag is good for `If-Match`.",
    });
  }
};

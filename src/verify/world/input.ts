/** What was wrong with the inputs of a request, and which items of a document state these. */
import { type Endpoint, type ItemId, type Plan, sentName, statedOf } from "../../plan/index.ts";
import type { InputFailure } from "../../run/index.ts";

/** The item of the input or field that has this name in a failure; undefined: none states it. */
function inputItem(
  plan: Plan,
  { inputs, body }: Endpoint,
  place: string,
  name: string,
): ItemId | undefined {
  const names = name.split(".");
  const input = inputs.find((one) => one.in === place && [name, names[0]].includes(sentName(one)));
  if (input !== undefined || place !== "body") return input?.id;
  const content = statedOf(body)?.content;
  if (content === undefined || !("resource" in content)) return undefined;
  const fields = plan.resources.find((one) => one.name === content.resource)?.fields ?? [];
  return fields.find((field) => names.includes(sentName(field)))?.id;
}

/** The failures that the answer reports: all, or the first. */
export function reportedOf(
  { failuresReported }: Plan,
  failures: readonly InputFailure[],
): readonly InputFailure[] {
  return statedOf(failuresReported) === "all" ? failures : failures.slice(0, 1);
}

/** That the items of these inputs and fields failed. */
export function failedInputs(
  plan: Plan,
  endpoint: Endpoint,
  failures: readonly InputFailure[],
): readonly (readonly [item: ItemId, came: "failed"])[] {
  return failures.flatMap(({ field, in: place }) => {
    const item = field === null ? undefined : inputItem(plan, endpoint, place, field);
    return item === undefined ? [] : [[item, "failed"] as const];
  });
}

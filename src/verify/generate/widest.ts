/** Queries that ask for whole lists. */
import { type Endpoint, sentName } from "../../plan/index.ts";
import { constant } from "../../run/index.ts";

/** None, and the greatest number of each input that has one: they ask for all that there is. */
export function widest({ inputs }: Endpoint): readonly string[] {
  const greatest = inputs.flatMap((input) => {
    const range = input.rules.find((one) => one.kind === "range");
    const most = range?.max === undefined ? undefined : constant(range.max);
    if (input.in !== "query" || typeof most !== "bigint") return [];
    return [`?${encodeURIComponent(sentName(input))}=${most}`];
  });
  return ["", ...greatest];
}

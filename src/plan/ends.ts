/** What is told, in the answers of an endpoint or a stream, of when it goes. */
import type { Answer, Versioning } from "./types/index.ts";

/** The item that stands for all endpoints among the deprecations. */
export const EVERY_ENDPOINT = "every endpoint";

/** What answers tell of one endpoint: which day each field names. */
interface Ending {
  readonly field: "Deprecation" | "Sunset";
  /** `YYYY-MM-DD`. */
  readonly day: Answer<string>;
}

/** The row of the deprecations about the endpoint or stream: its own before that of all. */
export function deprecationOf(
  { deprecations }: Versioning,
  name: string,
): Versioning["deprecations"][number] | undefined {
  const find = (item: string) => deprecations.find((one) => one.item === item);
  return find(name) ?? find(EVERY_ENDPOINT);
}

/** What is told of the endpoint or stream of that name, as far as it is stated which fields are. */
export function endingsOf(versioning: Versioning, name: string): readonly Ending[] {
  const { endFields } = versioning;
  const row = deprecationOf(versioning, name);
  if (row === undefined || endFields?.is !== "stated") return [];
  const all: readonly Ending[] = [
    { field: "Deprecation", day: row.on },
    { field: "Sunset", day: row.removed },
  ];
  return all.filter(({ field }) => endFields.value.includes(field));
}

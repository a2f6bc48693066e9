/** Counts what a file in AsyncAPI has straight from its values: another way than the model's. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Members = { [name: string]: Json };

const membersOf = (value: Json | undefined): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** The counts of one file whose channels and operations stand in it. */
export function asyncCountsOf(root: Members): Record<string, number | string> {
  const version = String(root["asyncapi"]);
  const channels = membersOf(root["channels"]);
  const components = membersOf(root["components"]);
  const parametersOf = (channel: Json | undefined): number =>
    Object.keys(membersOf(membersOf(channel)["parameters"])).length;
  const counts = { operations: 0, parameters: 0, responses: 0 };
  if (version.startsWith("2")) {
    for (const channel of Object.values(channels)) {
      const own = Object.keys(membersOf(channel)).filter((key) => /^(pub|sub)/.test(key));
      counts.operations += own.length;
      counts.parameters += own.length * parametersOf(channel);
    }
  } else {
    const operations = Object.values(membersOf(root["operations"])).map(membersOf);
    const named = operations.map((each) =>
      String(membersOf(each["channel"])["$ref"]).replace("#/channels/", ""),
    );
    counts.operations = operations.length;
    counts.parameters = sum(named.map((name) => parametersOf(channels[name])));
    counts.responses = operations.filter((each) => "reply" in each).length;
  }
  return {
    kind: "asyncapi",
    version,
    ...counts,
    schemas: Object.keys(membersOf(components["schemas"])).length,
    securitySchemes: Object.keys(membersOf(components["securitySchemes"])).length,
    webhooks: 0,
    callbacks: 0,
  };
}

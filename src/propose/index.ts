/** The door of `propose`: conventional effects for a document whose effects are gaps. */
import { type Actor, type Endpoint, type Plan, pathText } from "../plan/index.ts";
import { type Collection, Finder, type LeftOut, type Proposal } from "./collections.ts";

/** What is proposed, as an assumptions file, and what is left open. */
interface Proposed {
  readonly text: string;
  readonly proposed: number;
  readonly leftOut: readonly LeftOut[];
}

/** Proposals for every endpoint that does not say what it does, where a convention says it. */
export function propose(plan: Plan): Proposed {
  const finder = new Finder(plan);
  const collections = finder.all();
  const endpoints = collections.flatMap((one) =>
    one.proposals.flatMap((proposal) => endpointLines(one, proposal)),
  );
  const lines = [
    `# Assumptions for ${plan.title}`,
    "",
    "Proposed by convention, not stated by anybody: read each one, change what is wrong, take away",
    "what should stay open. `lacuna serve FILE --assume THIS` runs the document with them.",
    "",
    ...serviceLines(plan),
    "## Resources and their fields",
    "",
    ...collections.flatMap(resourceLines),
    "## Endpoints",
    "",
    ...checkLines(plan),
    ...endpoints,
    ...actorLines(plan),
    ...errorLines(),
    ...versionLines(plan),
  ];
  const proposed = collections.reduce((sum, { proposals }) => sum + proposals.length, 0);
  const text = proposed === 0 ? "" : lines.join("\n");
  return { text, proposed, leftOut: finder.leftOut };
}

function serviceLines({ about }: Plan): string[] {
  const bullets = [
    ...(about.basePath.is === "gap" ? ["- Base path: none"] : []),
    ...(about.bodyFormat.is === "gap" ? ["- Body format: `application/json`"] : []),
    "- One request: all or nothing, as if alone",
  ];
  return ["## What the service does", "", ...bullets, ""];
}

function resourceLines({ path, name, key, keyType, within, proposals }: Collection): string[] {
  const methods = [...new Set(proposals.map(({ endpoint }) => endpoint.method))].join(", ");
  const type = keyType === "integer" ? "integer" : "id";
  const rules = keyType === "integer" ? "counts up from 1; key" : "none";
  return [
    `### \`${name}\`, many \`${name}_all\`, kept inside`,
    "",
    `> What ${methods} of \`${path}\` and of what is below it seem to keep: each value as JSON, ` +
      `found`,
    `> by \`${key}\`, which the service makes.`,
    "",
    "- Rows at the start: none",
    "",
    "| Field | Type | Rules |",
    "|---|---|---|",
    `| \`id\` | ${type} | ${rules} |`,
    ...within.map((one) => `| \`in_${one.name}\` | ${one.type} | none |`),
    "| `value` | json | none |",
    "",
  ];
}

function checkLines({ prologue }: Plan): string[] {
  if (prologue[0]?.kind !== "gap") return [];
  return ["### Every endpoint", "", "1. Check the inputs.", ""];
}

const WORDS: Readonly<Record<Proposal["effect"], string>> = {
  create: "a POST on a collection makes a row of what is sent",
  read: "a GET on an item answers the row",
  list: "a GET on a collection answers its rows, as they were made; the query does nothing",
  replace: "a PUT on an item replaces the row",
  merge: "a PATCH on an item changes the members that are sent (RFC 7396)",
  delete: "a DELETE on an item deletes the row",
};

function endpointLines(collection: Collection, proposal: Proposal): string[] {
  const { endpoint, effect } = proposal;
  const needsBody = effect === "create" || effect === "replace" || effect === "merge";
  const bullets = [
    ...(endpoint.who.is === "gap" ? ["- Who: none"] : []),
    ...(endpoint.body.is === "gap" ? [needsBody ? "- Body: json" : "- Body: none"] : []),
  ];
  return [
    `### \`${endpoint.method} ${pathText(endpoint.path)}\``,
    "",
    `> By convention ${WORDS[effect]}.`,
    "",
    ...bullets,
    ...(bullets.length === 0 ? [] : [""]),
    ...stepsOf(collection, proposal, endpoint).map((step) => `1. ${step}`),
    "",
  ];
}

function stepsOf(collection: Collection, proposal: Proposal, endpoint: Endpoint): string[] {
  const { name, within, shown } = collection;
  const { effect, status, shows, member } = proposal;
  const params = endpoint.path.flatMap((one) => ("param" in one ? [one.param] : []));
  const fields = within.map((one, at) => ({ field: `in_${one.name}`, param: params[at] ?? "" }));
  const inside = fields.map(({ field, param }) => `it.${field} == path.${param}`);
  const respond = `Respond \`${status}\` with ${shows ? "`row.value`" : "no body"}.`;
  const marked = (value: string): string => {
    if (shown === undefined) return value;
    const key = shown.asText ? "string(row.id)" : "row.id";
    return `patched(${value}, json({${JSON.stringify(shown.member)}: ${key}}))`;
  };
  if (effect === "list") {
    const where = inside.length === 0 ? "" : ` where \`${inside.join(" && ")}\``;
    const rows = "found.map(row, row.value)";
    const body = member === undefined ? rows : `json({${JSON.stringify(member)}: ${rows}})`;
    return [
      `Let \`found\` be every \`${name}\`${where}.`,
      "Order `found` by `it.id` ascending.",
      `Respond \`${status}\` with \`${body}\`.`,
    ];
  }
  if (effect === "create") {
    const withs = [
      ...fields.map(({ field, param }) => `\`${field}\` = \`path.${param}\``),
      "`value` = `body`",
    ].join(" and ");
    const set = shown === undefined ? [] : [`Set \`row.value\` = \`${marked("row.value")}\`.`];
    return [`Create a \`${name}\` as \`row\` with ${withs}.`, ...set, respond];
  }
  const found = [`it.id == path.${params.at(-1) ?? ""}`, ...inside].join(" && ");
  const one = `Let \`row\` be the \`${name}\` where \`${found}\`, else \`not_found\`.`;
  if (effect === "read") return [one, respond];
  if (effect === "replace") return [one, `Set \`row.value\` = \`${marked("body")}\`.`, respond];
  if (effect === "merge") {
    return [one, `Set \`row.value\` = \`${marked("patched(row.value, body)")}\`.`, respond];
  }
  if (!shows) return [one, "Delete `row`.", respond];
  return [
    one,
    "Let `shown` be `row.value`.",
    "Delete `row`.",
    `Respond \`${status}\` with \`shown\`.`,
  ];
}

/** Actors of which nobody has said when they hold: everybody is taken for each. */
function actorLines({ actors }: Plan): string[] {
  const open = actors.filter(({ holds }: Actor) => holds.is === "gap");
  if (open.length === 0) return [];
  return [
    "## Authentication",
    "",
    "> Nobody is asked for credentials: whoever asks is taken for each of these.",
    "",
    "| Actor | Holds when |",
    "|---|---|",
    ...open.map(({ name }) => `| \`${name}\` | always |`),
    "",
  ];
}

function errorLines(): string[] {
  return [
    "## Errors",
    "",
    "| Error | Status | Body |",
    "|---|---|---|",
    "| `not_found` | 404 | none |",
    "| `invalid` | 400 | none |",
    "| `fault` | 500 | none |",
    "",
    "| Failure | Error |",
    "|---|---|",
    "| unknown path | `not_found` |",
    "| unknown method | `not_found` |",
    "| unknown query parameter | ignored |",
    "| body not expected | ignored |",
    "| fault inside | `fault` |",
    "| every other failure | `invalid` |",
    "",
  ];
}

function versionLines({ versioning }: Plan): string[] {
  return versioning.chosenBy.is === "gap" ? ["## Versioning", "", "- Chosen by: none", ""] : [];
}

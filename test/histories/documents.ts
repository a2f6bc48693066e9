/** Makes right documents at random: resources, invariants, machines, endpoints, limits of all kinds. */
import { accessText, ownerEndpoints, ownerText } from "./features/access.ts";
import type { Choice, Made } from "./features/choice.ts";
import { edgeText } from "./features/edge.ts";
import { listEndpoint, otherEndpoints, writeEndpoints } from "./features/endpoints.ts";
import type { Feature } from "./features/feature.ts";
import { flow } from "./features/flow.ts";
import { jobs } from "./features/jobs.ts";
import { kits } from "./features/kits.ts";
import { places } from "./features/places.ts";
import { machineText, resourceText, viewText } from "./features/resources.ts";
import { ties } from "./features/ties.ts";
import { zoo } from "./features/zoo.ts";
import type { Random } from "./random.ts";

const FEATURES = [flow, jobs, kits, places, ties, zoo];
const NAMES = ["Apple", "Brick", "Cloud", "Drum"];

function makeAll(random: Random, count: number, caller: boolean): readonly Made[] {
  return NAMES.slice(0, count).map((name, i) => ({
    name,
    many: `${name.toLowerCase()}s`,
    word: name.toLowerCase(),
    machine: random.chance(0.6),
    tagged: random.chance(0.4),
    tenant: caller && random.chance(0.5),
    refers: i > 0 ? NAMES[random.below(i)] : undefined,
    self: random.chance(0.3),
  }));
}

/** Some refusals are not shown. */
function withGaps(random: Random, text: string): string {
  return text.replace(/, else `[a-z_]+`(?: on `[a-z]+`)?(?=\.|\n|;| \|)/g, (tail) =>
    random.chance(0.015) ? ", else not shown" : tail,
  );
}

/** A whole document. */
export function documentText(random: Random): string {
  const caller = random.chance(0.5);
  const isFeatured = random.chance(0.6);
  const who = (tenant: boolean): string =>
    !caller
      ? ""
      : `- Who: ${
          tenant
            ? random.pick(["`owner`", "`boss`", "`boss` or `owner`"])
            : random.pick(["`owner`", "`anyone`", "`owner` or `anyone`"])
        }\n`;
  const chosen = FEATURES.filter(() => isFeatured && random.chance(0.4));
  const features = chosen.map((make) => make({ random, caller, who: who(false) }));
  const isBare = features.every((one) => one.stateless === undefined && one.machines === undefined);
  const all = makeAll(
    random,
    isFeatured && !isBare ? random.below(2) : isFeatured ? 1 : 2 + random.below(2),
    caller,
  );
  const access = caller ? accessText(random) : undefined;
  const nested = random.pick([undefined, "in brackets", "with dots"]);
  const wishes = random.chance(0.3);
  const choice: Choice = {
    random,
    caller,
    base: random.pick(["", "/v1"]),
    nested,
    wishes,
    features,
    access,
  };
  return withGaps(random, textOf(choice, all, who));
}

/** What every request may give. */
const WISHES = `| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`wish\` | query | string | no | none |

`;

function textOf(choice: Choice, all: readonly Made[], who: (tenant: boolean) => string): string {
  const { random, caller, base, nested, wishes, features, access } = choice;
  const stateless = [
    ...all.filter((one) => !one.machine).map((one) => one.name),
    ...(caller ? ["Owner"] : []),
    ...features.flatMap((one) => one.stateless ?? []),
  ];
  const machines = all.filter((one) => one.machine);
  const events = [
    ...machines.map(
      ({ name }) =>
        `| \`${name.toLowerCase()}.done\` | \`${name}\` | \`${name}\` of \`it\` | none |`,
    ),
    ...features.flatMap((one) => one.events ?? []),
  ];
  const endpoints = all.map((made) => {
    const asks = who(made.tenant);
    return [
      writeEndpoints(choice, made, asks),
      listEndpoint(choice, made, asks),
      otherEndpoints(choice, made, asks),
    ].join("\n");
  });
  const parts = (of: (feature: Feature) => string | undefined): string =>
    features
      .map((one) => of(one) ?? "")
      .filter((one) => one !== "")
      .join("\n");
  const checks = [
    ...(caller ? ["caller"] : []),
    ...random.pick([
      ["limits", "inputs", "idempotency key", "paths"],
      ["inputs", "limits", "paths", "idempotency key"],
      ["idempotency key", "paths", "limits", "inputs"],
    ]),
  ];
  const machined = [
    ...machines.map((made) => machineText(choice, made)),
    parts((one) => one.machines),
  ].filter((one) => one !== "");
  return withDeprecated(`# Made up

## What the service does

It is made up.

- Base path: ${base === "" ? "none" : `\`${base}\``}
- Body format: \`application/json\`
- One request: all or nothing, as if alone
${nested === undefined ? "" : `- Nested names: ${nested}\n`}- Timestamps: in ${random.pick(["seconds", "milliseconds", "microseconds"])}
- Cross-origin: none
${[...(access?.about ?? []), ...features.flatMap((one) => one.about ?? [])].join("\n")}

## Resources and their fields

### Every resource

- Rows at the start: none

${access === undefined ? "" : ownerText(access)}${all.map((made) => resourceText(choice, made)).join("\n")}
### \`Spot\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`x\` | integer | required | no | yes | 0 to 9 |
| \`label\`, sent as \`$label\` | string or absent | optional | optional | yes | 1 to 3 characters |
| \`pin\` | secret or absent | optional | optional | no | kept as SHA-256 |
| \`kind\` | string | optional | optional | yes | trimmed; starts \`"s"\` |
| \`twice\` | integer | no | no | yes | set to \`it.x * 2\` when \`x\` changes |
| \`hidden\` | string | optional | no | no | starts \`it.kind + "h"\` |
| \`mark\` | string | no | no | on create | 3 random bytes as hex |
| \`late\` | integer | no | no | yes | starts \`0\`; set to \`it.late + 1\` on update |
| \`why\` | string or absent | required when \`body.x > 7\` | optional | yes | none |
| \`next\` | \`Spot\` or absent | optional | optional | yes | none |

${all.map((made) => viewText(choice, made, all)).join("\n")}
${parts((one) => one.resources)}
## States and transitions

${stateless.length === 0 ? "" : `- No states: ${stateless.map((one) => `\`${one}\``).join(", ")}\n`}${machined.length === 0 ? "\nStates and transitions: none.\n" : ""}
${machined.join("\n")}
## Endpoints

### Every endpoint

${caller ? "" : "- Who: none\n\n"}${wishes ? WISHES : ""}${checks.map((one, i) => `${i + 1}. Check the ${one}.`).join("\n")}

${access === undefined ? "" : ownerEndpoints(access)}${endpoints.join("\n")}
${parts((one) => one.endpoints)}
${edgeText(
  choice,
  all.some((one) => one.name === "Apple"),
).replace(
  "EVENTS",
  events.length === 0
    ? "Events, notifications and callbacks: none."
    : `Notifications and callbacks: none.\n\n| Event | About | Data | Sent to |\n|---|---|---|---|\n${events.join("\n")}`,
)}`);
}

/** One endpoint that the document has stands where one is deprecated. */
function withDeprecated(text: string): string {
  const names = [...text.matchAll(/^### `([A-Z]+ \/[^`]*)`/gm)].map(([, name]) => name ?? "");
  return text.replace("DEPRECATED", () => names[names.length >> 1] ?? "every endpoint");
}

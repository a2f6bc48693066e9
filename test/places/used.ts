/** Places in which a kept value is used: by steps, views, events and expressions; and literals. */
import { FIELDS, INPUTS, MEMBERS, table } from "./frame.ts";
import { neededType, type Slot } from "./slot.ts";
import { type Case, fieldRow, SIBLING, surroundings } from "./stored.ts";
import { ask, type CaseStep, type Expected, RESTARTS } from "./traffic.ts";
import type { Right } from "./types.ts";

/** One use: what is put beside a resource with the field `v`. */
export interface Use {
  readonly resources?: (slot: Slot) => string;
  /** Further rows of the field table. */
  readonly fields?: (slot: Slot) => readonly string[];
  readonly endpoints: (slot: Slot) => string;
  /** Steps behind the creation of one thing by `POST /things`. */
  readonly also?: (slot: Slot) => string;
  readonly events?: readonly string[];
  /** What is asked when there are things. */
  readonly steps: (slot: Slot, round: number) => readonly CaseStep[];
  /** Whether code is behind a call that says what it was given. */
  readonly echoes?: true;
  /** Whether it stands on a literal of the type. */
  readonly needsLiteral?: true;
}

const literal = ({ literal: found }: Slot): string => found?.expression ?? "null";
const showsLiteral = ({ literal: found, isShownElse, needs }: Slot): Expected =>
  found === undefined || isShownElse || needs === "rows" ? {} : { has: [`"v":${found.shown}`] };

/** A guard of a row's value that may be absent. */
const there = ({ isAbsentable }: Slot, row: string): string =>
  isAbsentable ? `has(${row}.v) && ` : "";
/** Steps before those that read a row's value that may be absent. */
const needed = ({ isAbsentable }: Slot): readonly string[] =>
  isAbsentable ? ["Require `has(thing.v)`, else `not_found`."] : [];

const notNull = ({ isNullable }: Slot, of: string): readonly string[] =>
  isNullable ? [`Require \`${of}.v != null\`, else \`not_found\`.`] : [];

const ECHO = (slot: Slot): string =>
  `### \`Echo\`, a shape\n\n- Given \`v\`: ${neededType(slot)}\n\n${table(MEMBERS, [`| \`v\` | ${neededType(slot)} | \`v\` |`])}`;
const CODE = "| `code` | body | string | yes | none |";
const VALUE = (slot: Slot, rules = "none"): string =>
  `| \`v\` | body | ${neededType(slot)} | yes | ${rules} |`;
function endpoint(head: string, steps: readonly string[], inputs: readonly string[] = []): string {
  const path = "- Path `code`: `thing`, the `Thing` by `code`, else `not_found`\n\n";
  const isBare = inputs.length === 0 && !head.startsWith("GET");
  return `### \`${head}\`: asked

${isBare ? "- Body: none\n" : ""}${head.includes("{code}") ? path : ""}
${inputs.length === 0 ? "" : table(INPUTS, inputs)}
${steps.map((one, i) => `${i + 1}. ${one}`).join("\n")}

`;
}
const each = ({ right, wrong }: Slot, method: string, target: string): CaseStep[] => [
  ...right.map(({ json }) => ask(method, target, `{"v":${json}}`)),
  ...wrong.slice(0, 1).map(([json]) => ask(method, target, `{"v":${json}}`)),
];

const CALL = (slot: Slot): string => `### \`echo\`, a call

- Given \`v\`: ${neededType(slot)}
- Kind: pure
- Time-out: 10 s
- No answer in time: \`fault\`
- Stand-in: \`ok\`

${table("| Says | Data | Meaning |", [`| \`ok\` | \`v\`: ${neededType(slot)} | the same |`])}
`;

const SAID = "Require `has(said.v)`, else `not_found`.";
const ORDERED = "Order `found` by `it.code` ascending.";

export const USES: Readonly<Record<string, Use>> = {
  "view member": {
    resources: (slot) =>
      `### \`Seen\`, a view of \`Thing\`\n\n- Fields: \`code\`\n\n${table(MEMBERS, [`| \`a.v\` | ${slot.type} | \`it.v\` |`, `| \`v\` | ${slot.type} | \`it.v\` |`])}`,
    endpoints: () =>
      endpoint("GET /seen", [
        "Let `found` be every `Thing`.",
        ORDERED,
        "Respond `200` with list of `Seen` of `found`.",
      ]),
    steps: () => [ask("GET", "/seen", undefined, { status: 200 })],
  },
  "view field": {
    resources: () => "### `Seen`, a view of `Thing`\n\n- Fields: `v`\n",
    endpoints: () =>
      endpoint("GET /seen", [
        "Let `found` be every `Thing`.",
        ORDERED,
        "Respond `200` with list of `Seen` of `found`.",
      ]),
    steps: () => [ask("GET", "/seen", undefined, { status: 200 })],
  },
  "event data": {
    endpoints: () => "",
    also: () => "Emit `thing.noted` of `thing`.",
    events: ["| `thing.noted` | `Thing` | `Thing` of `it` | none |"],
    steps: () => [],
  },
  "value looked for": {
    endpoints: (slot) =>
      endpoint(
        "PUT /find",
        [
          `Let \`found\` be every \`Thing\` where \`${there(slot, "it")}it.v == body.v\`.`,
          ORDERED,
          "Respond `200` with list of `Thing` of `found`.",
        ],
        [VALUE(slot)],
      ),
    steps: (slot) => each(slot, "PUT", "/find"),
  },
  "value not looked for": {
    endpoints: (slot) =>
      endpoint(
        "PUT /find",
        [
          `Let \`found\` be every \`Thing\` where \`${there(slot, "it")}!(it.v == body.v) && it.v in [body.v] == false\`.`,
          ORDERED,
          "Respond `200` with list of `Thing` of `found`.",
        ],
        [VALUE(slot)],
      ),
    steps: (slot) => each(slot, "PUT", "/find"),
  },
  "word form of a condition": {
    endpoints: (slot) =>
      endpoint(
        "PUT /find",
        [
          "Require a `Thing` with `v` = `body.v` is there, else `not_found`.",
          "Let `found` be every `Thing` where `v` is `body.v`.",
          ORDERED,
          "Respond `200` with list of `Thing` of `found`.",
        ],
        [VALUE(slot)],
      ),
    steps: (slot) => each(slot, "PUT", "/find"),
  },
  "value ordered by": {
    endpoints: () =>
      endpoint("GET /ordered", [
        "Let `found` be every `Thing`.",
        "Order `found` by `it.v` descending, then `it.code` ascending.",
        "Let `page` be `found` from `1`, at most `2`.",
        "Respond `200` with list of `Thing` of `page`.",
      ]),
    steps: () => [ask("GET", "/ordered", undefined, { status: 200 })],
  },
  "different values": {
    endpoints: () =>
      endpoint("GET /values", [
        "Let `found` be every `Thing`.",
        ORDERED,
        "Let `values` be the different values of `v` in `found`.",
        'Respond `200` with `{"count": size(values)}`.',
      ]),
    steps: () => [ask("GET", "/values", undefined, { status: 200 })],
  },
  "value of Let": {
    resources: ECHO,
    endpoints: (slot) =>
      endpoint(
        "PUT /echo",
        ["Let `x` be `body.v`.", "Respond `200` with `Echo` where `v` = `x`."],
        [VALUE(slot)],
      ) +
      endpoint("PUT /alone", ["Let `x` be `body.v`.", "Respond `200` with `x`."], [VALUE(slot)]) +
      endpoint("PUT /map", ['Respond `200` with `{"v": body.v}`.'], [VALUE(slot)]) +
      endpoint(
        "PUT /choice",
        ["Respond `200` with `Echo` where `v` = `size(things) > 100 ? body.v : body.v`."],
        [VALUE(slot)],
      ),
    steps: (slot) => [
      ...each(slot, "PUT", "/echo"),
      ...each(slot, "PUT", "/alone"),
      ...each(slot, "PUT", "/map"),
      ...each(slot, "PUT", "/choice"),
    ],
  },
  "value of a row in an answer": {
    resources: ECHO,
    endpoints: (slot) =>
      endpoint("GET /things/{code}/echo", [
        ...needed(slot),
        "Respond `200` with `Echo` where `v` = `thing.v`.",
      ]) +
      endpoint("GET /things/{code}/alone", [...needed(slot), "Respond `200` with `thing.v`."]) +
      endpoint("GET /things/{code}/map", [...needed(slot), 'Respond `200` with `{"v": thing.v}`.']),
    steps: () =>
      ["echo", "alone", "map"].flatMap((name) => [
        ask("GET", `/things/c0/${name}`),
        ask("GET", `/things/c1/${name}`),
      ]),
  },
  "header of an answer": {
    endpoints: (slot) =>
      endpoint(
        "PUT /head",
        ["Respond `204` with no body, header `X-Value` = `body.v`."],
        [VALUE(slot)],
      ) +
      endpoint("GET /things/{code}/head", [
        ...needed(slot),
        "Respond `204` with no body, header `X-Value` = `thing.v`.",
      ]),
    steps: (slot) => [
      ...each(slot, "PUT", "/head"),
      ask("GET", "/things/c0/head"),
      ask("GET", "/things/c1/head"),
    ],
  },
  "text of an answer": {
    endpoints: (slot) =>
      endpoint(
        "PUT /text",
        [...notNull(slot, "body"), "Respond `200` with text `body.v` as `text/plain`."],
        [VALUE(slot)],
      ) +
      endpoint("GET /things/{code}/text", [
        ...needed(slot),
        ...notNull(slot, "thing"),
        "Respond `200` with text `thing.v` as `text/plain`.",
      ]),
    steps: (slot) => [...each(slot, "PUT", "/text"), ask("GET", "/things/c0/text")],
  },
  "value of an element": {
    endpoints: (slot) =>
      endpoint(
        "PUT /all",
        [
          'For each `one` in `body.v`, into `outcome`:\n   1. Create a `Thing` with `code` = `"e" + string(size(things))` and `v` = `one`.',
          'Respond `200` with `{"made": size(outcome)}`.',
        ],
        [`| \`v\` | body | list of ${slot.type.replace(/ or absent$/, "")} | yes | none |`],
      ),
    steps: ({ right }) => [
      ask("PUT", "/all", `{"v":[${right.map(({ json }) => json).join(",")}]}`),
      ask("PUT", "/all", '{"v":[]}'),
    ],
  },
  "given to steps": {
    endpoints: (slot) =>
      `### \`keep\`, steps\n\n- Given \`x\`: ${neededType(slot)}\n- Given \`on\`: \`Thing\`\n\n1. Set \`on.v\` = \`x\`.\n\n` +
      endpoint(
        "PUT /things/{code}/kept",
        [
          "Do `keep` with `x` = `body.v` and `on` = `thing`.",
          "Respond `200` with `Thing` of `thing`.",
        ],
        [VALUE(slot)],
      ),
    steps: (slot) => [...each(slot, "PUT", "/things/c0/kept"), ask("GET", "/things/c0")],
  },
  "given to a call and said": {
    resources: (slot) => (slot.isSecret ? "" : ECHO(slot)),
    echoes: true,
    endpoints: (slot) => {
      const answer = slot.isSecret
        ? 'Respond `200` with `{"word": said.word}`.'
        : "Respond `200` with `Echo` where `v` = `said.v`.";
      return (
        CALL(slot) +
        endpoint(
          "PUT /call",
          ["Call `echo` with `v` = `body.v` as `said`.", SAID, answer],
          [VALUE(slot)],
        )
      );
    },
    steps: (slot) => each(slot, "PUT", "/call"),
  },
  "value of a row given to a call": {
    echoes: true,
    endpoints: (slot) =>
      CALL(slot) +
      endpoint("PUT /things/{code}/call", [
        ...needed(slot),
        "Call `echo` with `v` = `thing.v` as `said`.",
        SAID,
        "Set `thing.v` = `said.v`.",
        "Respond `200` with `Thing` of `thing`.",
      ]),
    steps: () => [
      ask("PUT", "/things/c0/call"),
      ask("PUT", "/things/c1/call"),
      ask("GET", "/things"),
    ],
  },
  "compared in an invariant": {
    fields: (slot) => [
      `| \`w\` | ${slot.type} | optional | optional | yes | starts \`${slot.isNullable ? "null" : literal(slot)}\` |`,
    ],
    needsLiteral: true,
    endpoints: () => "",
    steps: ({ right }) => [
      ask("PATCH", "/things/c0", `{"w":${right[1]?.json ?? ""}}`),
      ask("PATCH", "/things/c0", `{"w":${right[0]?.json ?? ""}}`),
      ask("GET", "/things"),
    ],
  },
  "literal in Create": {
    needsLiteral: true,
    endpoints: (slot) =>
      endpoint(
        "POST /lit",
        [
          `Create a \`Thing\` as \`thing\` with \`code\` = \`body.code\` and \`v\` = \`${literal(slot)}\`.`,
          "Respond `201` with `Thing` of `thing`.",
        ],
        [CODE],
      ),
    steps: (slot, round) => [
      ask("POST", "/lit", `{"code":"lit${round}"}`, { status: 201, ...showsLiteral(slot) }),
      ask("GET", `/things/lit${round}`),
    ],
  },
  "literal in Set": {
    needsLiteral: true,
    endpoints: (slot) =>
      endpoint("PUT /things/{code}/lit", [
        `Set \`thing.v\` = \`${literal(slot)}\`.`,
        "Respond `200` with `Thing` of `thing`.",
      ]),
    steps: (slot) => [
      ask("PUT", "/things/c0/lit", undefined, { status: 200, ...showsLiteral(slot) }),
      ask("GET", "/things/c0"),
    ],
  },
  "literal in a choice": {
    needsLiteral: true,
    resources: ECHO,
    endpoints: (slot) =>
      endpoint("GET /lit", [
        `Respond \`200\` with \`Echo\` where \`v\` = \`size(things) > 100 ? ${literal(slot)} : ${literal(slot)}\`.`,
      ]) +
      endpoint("GET /things/{code}/lit", [
        `Set \`thing.v\` = \`size(things) > 100 ? ${literal(slot)} : ${literal(slot)}\`.`,
        "Respond `200` with `Thing` of `thing`.",
      ]),
    steps: (slot) => [
      ask("GET", "/lit", undefined, { status: 200, ...showsLiteral(slot) }),
      ask("GET", "/things/c0/lit"),
    ],
  },
  "literal in a list": {
    needsLiteral: true,
    endpoints: (slot) =>
      endpoint("PUT /things/{code}/lit", [
        `For each \`one\` in \`[${literal(slot)}]\`:\n   1. Set \`thing.v\` = \`one\`.`,
        "Respond `200` with `Thing` of `thing`.",
      ]),
    steps: (slot) => [
      ask("PUT", "/things/c0/lit", undefined, { status: 200, ...showsLiteral(slot) }),
    ],
  },
  "literal in an answer": {
    needsLiteral: true,
    resources: ECHO,
    endpoints: (slot) =>
      endpoint("GET /lit", [`Respond \`200\` with \`Echo\` where \`v\` = \`${literal(slot)}\`.`]) +
      endpoint("GET /map", [`Respond \`200\` with \`{"v": ${literal(slot)}}\`.`]),
    steps: (slot) => [
      ask("GET", "/lit", undefined, { status: 200, ...showsLiteral(slot) }),
      ask("GET", "/map"),
    ],
  },
  "literal compared": {
    needsLiteral: true,
    endpoints: (slot) =>
      endpoint("GET /lit", [
        `Let \`found\` be every \`Thing\` where \`${there(slot, "it")}it.v == ${literal(slot)}\`.`,
        ORDERED,
        "Respond `200` with list of `Thing` of `found`.",
      ]) +
      endpoint("GET /in", [
        `Let \`found\` be every \`Thing\` where \`${there(slot, "it")}${slot.isNullable ? "it.v != null && " : ""}it.v in [${literal(slot)}]\`.`,
        ORDERED,
        "Respond `200` with list of `Thing` of `found`.",
      ]),
    steps: () => [ask("GET", "/lit"), ask("GET", "/in")],
  },
  "literal in starts": {
    needsLiteral: true,
    fields: (slot) => [
      `| \`w\` | ${slot.type} | optional | optional | yes | starts \`${literal(slot)}\` |`,
    ],
    endpoints: () => "",
    steps: () => [ask("GET", "/things")],
  },
  "literal in absent means": {
    needsLiteral: true,
    endpoints: (slot) =>
      endpoint(
        "PUT /things/{code}/lit",
        ["Set `thing.v` = `body.v`.", "Respond `200` with `Thing` of `thing`."],
        [`| \`v\` | body | ${neededType(slot)} | no | absent means \`${literal(slot)}\` |`],
      ),
    steps: (slot) => [
      ask("PUT", "/things/c0/lit", "{}", { status: 200, ...showsLiteral(slot) }),
      ask("PUT", "/things/c0/lit", `{"v":${slot.right[1]?.json ?? ""}}`),
    ],
  },
};

function document(slot: Slot, use: Use): Case["document"] {
  const create = use.also === undefined ? [] : [use.also(slot)];
  const steps = [
    "Create a `Thing` as `thing` from `body`.",
    ...create,
    "Respond `201` with `Thing` of `thing`.",
  ];
  return {
    stateless: ["Thing"],
    ...surroundings(slot, false),
    ...(use.events === undefined ? {} : { events: use.events }),
    resources: `### \`Thing\`, many \`things\`

- Rows at the start: none
${use.fields !== undefined && use.needsLiteral && use.endpoints(slot) === "" && use === USES["compared in an invariant"] ? `- Always: \`${slot.isAbsentable ? "!has(it.v) || !has(it.w) || " : ""}it.v == it.w || it.code != "c0"\`, else \`taken\`\n` : ""}
${table(FIELDS, ["| `code` | string | required | no | yes | key; unique, else `taken` |", fieldRow(slot), SIBLING, ...(use.fields?.(slot) ?? [])])}
${use.resources?.(slot) ?? ""}`,
    endpoints: `### \`POST /things\`: one more

- Body: new \`Thing\`

${steps.map((one, i) => `${i + 1}. ${one}`).join("\n")}

### \`PATCH /things/{code}\`: change some

- Body: changed \`Thing\`
- Path \`code\`: \`thing\`, the \`Thing\` by \`code\`, else \`not_found\`

1. Set \`thing\` from \`body\`, given members only.
2. Respond \`200\` with \`Thing\` of \`thing\`.

${endpoint("GET /things", ["Let `found` be every `Thing`.", ORDERED, "Respond `200` with list of `Thing` of `found`."])}
${endpoint("GET /things/{code}", ["Respond `200` with `Thing` of `thing`."])}
${use.endpoints(slot)}`,
  };
}

/** Numbers inside JSON pass code as numbers of JavaScript: those alone come back as they were. */
const isSameInCode = ({ json }: Right): boolean => JSON.stringify(JSON.parse(json)) === json;

export function usedCase(given: Slot, use: Use): Case {
  const isJson = use.echoes === true && given.type.includes("json");
  const slot = isJson ? { ...given, right: given.right.filter(isSameInCode) } : given;
  const steps = (round: number): readonly CaseStep[] => use.steps(slot, round);
  const makes = slot.right.map(({ json }, i) =>
    ask("POST", "/things", `{"code":"c${i}","v":${json}}`),
  );
  return {
    document: document(slot, use),
    ...(use.echoes ? { echoes: true } : {}),
    steps: [
      ...makes,
      ask("POST", "/things", '{"code":"bare"}'),
      ask("POST", "/things", '{"code":"nil","v":null}'),
      ...steps(1),
      ask("PATCH", "/things/c0", `{"v":${slot.right[1]?.json ?? ""}}`),
      ...steps(2),
      ask("GET", "/things"),
      ...RESTARTS.slice(0, 1),
      ...steps(3),
      ask("GET", "/things"),
      ...(slot.needs === "rows"
        ? [
            ask("PATCH", "/others/o1", '{"word":"uno"}'),
            ...steps(4),
            ask("DELETE", "/others/o1"),
            ...steps(5),
          ]
        : []),
    ],
  };
}

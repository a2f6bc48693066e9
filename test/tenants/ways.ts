/** Every way to reach a hidden row, from the tables of the language: a new entry needs a way. */
import { type Code, functionTable } from "../../src/expr/index.ts";
import type { Step } from "../../src/plan/index.ts";
import type { Way } from "./document.ts";

type Macro = Extract<Code, { op: "each" }>["macro"];

/** Why nothing of it reaches a row. */
interface Reason {
  readonly none: string;
}
const none = (why: string): Reason => ({ none: why });

const MACROS: Readonly<Record<Macro, readonly string[]>> = {
  exists: ["projects.exists(p, p.n > 50)", "task.links.exists(l, l.n > 50)"],
  all: ["projects.all(p, p.n < 50)", "task.links.all(l, l.n < 50)"],
  exists_one: ["projects.exists_one(p, p.n > 50)", "task.links.exists_one(l, l.n > 50)"],
  filter: ["size(projects.filter(p, p.n > 50))", "size(task.links.filter(l, l.n > 50))"],
  map: ["sorted(projects.map(p, p.name))", "task.links.map(l, l.name)"],
  group: ["projects.group(p, p.tenant, p.n)", "task.links.group(l, l.name, l.n)"],
};

const CODES: Readonly<Record<Code["op"], readonly string[] | Reason>> = {
  gap: none("it is met"),
  absent: none("it reads nothing"),
  literal: none("it reads nothing"),
  name: none("rows that are named were found"),
  rows: ["size(projects)"],
  list: ["[task.project.name]"],
  map: ['{"a": task.project.name}'],
  get: [
    "task.project.name",
    "task.project.n",
    "task.project",
    'task.other == null ? "" : task.other.name',
    "task.spot.project.name",
    "task.spot",
    "task.links",
    "task.pins",
  ],
  has: ["has(task.project.note)"],
  index: [
    'size(task.links) > 0 ? task.links[0].name : ""',
    '"a" in task.pins ? task.pins["a"].name : ""',
  ],
  call: ['task.project.name + "!"', 'task.project.name == "alphamarked" ? 1 : 2'],
  each: ["tasks.map(t, t.project.name)", "tasks.exists(t, t.project.n > 50)"],
};

const ANSWER = "Respond `204` with no body.";
const value = (expression: string): string => `1. Respond \`200\` with \`{"v": ${expression}}\`.`;
const numbered = (...steps: readonly string[]): string =>
  steps.map((step, i) => `${i + 1}. ${step}`).join("\n");

/** Texts of steps; those that write begin with `!`. */
const STEPS: Readonly<Record<Step["kind"], readonly string[] | Reason>> = {
  check: none("the callers of the campaign come through all checks"),
  "check tag": none("it compares the row that the path names"),
  gap: none("it is met"),
  call: none("what is given is named as by `do`"),
  require: [
    numbered('Require `task.project.name.startsWith("alpha")`, else `gone`.', ANSWER),
    numbered("Require `projects.exists(p, p.n > 50)`, else `gone`.", ANSWER),
  ],
  "let one": [
    numbered(
      "Let `one` be the `Project` where `it.slug == task.project.slug`, else `gone`.",
      "Respond `200` with `Project` of `one`.",
    ),
  ],
  "let every": [
    numbered(
      "Let `all` be every `Project`.",
      "Order `all` by `it.slug` ascending.",
      "Respond `200` with list of `Project` of `all`.",
    ),
    numbered(
      'Let `all` be every `Task` where `it.project.name.startsWith("alpha")`.',
      'Respond `200` with `{"v": size(all)}`.',
    ),
    numbered(
      "Let `all` be every `Task` where `it.project.n > 50`.",
      "Order `all` by `it.slug` ascending.",
      "Respond `200` with list of `Task` of `all`.",
    ),
    numbered(
      "Let `all` be every `Task` where `it.links.exists(l, l.n > 50)`.",
      'Respond `200` with `{"v": size(all)}`.',
    ),
  ],
  let: [
    numbered("Let `p` be `task.project`.", "Respond `200` with `Project` of `p`."),
    numbered(
      "Let `all` be every `Task`.",
      "Let `d` be the different values of `project` in `all`.",
      'Respond `200` with `{"v": size(d)}`.',
    ),
    numbered(
      "Let `all` be every `Task`.",
      "Let `d` be the different values of `links` in `all`.",
      "Order `d` by `it.slug` ascending.",
      "Respond `200` with list of `Project` of `d`.",
    ),
  ],
  order: [
    numbered(
      "Let `all` be every `Task`.",
      "Order `all` by `it.project.n` ascending, then `it.slug` ascending.",
      'Respond `200` with `{"v": all.map(t, t.slug)}`.',
    ),
    numbered(
      "Let `all` be every `User`.",
      "Order `all` by `size(projects.filter(p, p.tenant == it.tenant && p.n > 50))` ascending, then `it.name` ascending.",
      'Respond `200` with `{"v": all.map(u, u.name)}`.',
    ),
  ],
  page: [
    numbered(
      "Let `all` be every `Project`.",
      "Order `all` by `it.slug` ascending.",
      "Let `some` be `all` from `0`, at most `size(projects)`.",
      "Respond `200` with list of `Project` of `some`.",
    ),
    numbered(
      "Let `all` be every `User`.",
      "Order `all` by `it.name` ascending.",
      "Let `some` be `all` from `0`, at most `task.project.n > 50 ? 0 : 2`.",
      'Respond `200` with `{"v": size(some)}`.',
    ),
  ],
  "page after": [
    numbered(
      "Let `all` be every `Project`.",
      "Order `all` by `it.slug` ascending.",
      "Let `some` be `all` before `task.project`, at most `5`, else `gone`.",
      "Respond `200` with list of `Project` of `some`.",
    ),
    numbered(
      "Let `all` be every `Project`.",
      "Order `all` by `it.slug` ascending.",
      "Let `some` be `all` after `task.project.slug`, at most `5`, else `gone`.",
      "Respond `200` with list of `Project` of `some`.",
    ),
  ],
  create: [
    `!${numbered(
      "Create a `Task` as `made` with `slug` = `caller.name + task.project.name`, `project` = `task.project`, `links` = `task.links`, `pins` = `task.pins` and `spot` = `task.spot`.",
      "Respond `200` with `Task` of `made`.",
    )}`,
  ],
  "set from": none("a body names rows as a path does"),
  set: [
    `!${numbered("Let `p` be `task.project`.", 'Set `p.name` = `"owned"`.', ANSWER)}`,
    `!${numbered("Set `task.label` = `task.project.name`.", "Respond `200` with `Task` of `task`.")}`,
  ],
  delete: [`!${numbered("Let `p` be `task.project`.", "Delete `p`.", ANSWER)}`],
  "delete every": [
    `!${numbered("Delete every `Project` where `it.n > 50`.", ANSWER)}`,
    `!${numbered("Delete every `Task` where `it.project.n > 50`.", ANSWER)}`,
  ],
  fire: [`!${numbered("Fire `finish` on `task`.", ANSWER)}`],
  "may fire": [numbered("Require that `task` may `finish`, else `gone`.", ANSWER)],
  emit: [`!${numbered("Emit `task.told` of `task`.", ANSWER)}`],
  do: none("its steps stand in this table, and what is handed on is a `let`"),
  respond: [
    numbered("Respond `200` with `Task` of `task`."),
    numbered("Respond `200` with `Card` of `task`."),
    numbered("Respond `200` with `User` of `caller`."),
    numbered("Respond `200` with `Project` of `task.project`."),
    numbered("Respond `200` with list of `Project` of `task.links`."),
    numbered("Respond `200` with `Named` of `task.project`."),
    numbered("Respond `200` with `Whole` of `task`."),
    numbered("Respond `200` with text `task.project.name` as `text/plain`."),
    numbered("Respond `204` with no body, header `X-Name` = `task.project.name`."),
  ],
  refuse: none("its values are expressions"),
  when: [
    `1. When \`task.project.n > 50\`:\n   1. Refuse with \`gone\`.\n2. ${ANSWER}`,
    `1. When \`projects.exists(p, p.n > 50)\`:\n   1. Refuse with \`gone\`.\n2. ${ANSWER}`,
  ],
  cases: [
    `1. By \`task.project.n > 50\`:\n   - \`true\`: refuse with \`gone\`.\n   - \`false\`: respond \`204\` with no body.`,
  ],
  "for each": [
    `!1. For each \`p\` in \`task.links\`:\n   1. Set \`task.label\` = \`p.name\`.\n2. Respond \`200\` with \`Task\` of \`task\`.`,
  ],
  "any order": none("its steps stand in this table"),
};

/** What a function is given: values of a hidden row, of each type that it may take. */
const GIVEN = ["task.project.name", "task.project.n", "task.links.map(l, l.n)", "task.project"];
const FURTHER = ["", ', "a"', ", 1", ', "a", "b"', ", 0, 1"];

function functionWays(): Way[] {
  return functionTable.flatMap(({ name }) =>
    GIVEN.flatMap((given, i) =>
      FURTHER.map((more, k) => ({
        name: `function_${name.replaceAll(/\W/g, "_")}_${i}_${k}`,
        steps: value(`${name}(${given}${more})`),
      })),
    ),
  );
}

function listed(
  prefix: string,
  table: Readonly<Record<string, readonly string[] | Reason>>,
  make: (text: string) => string,
): Way[] {
  return Object.entries(table).flatMap(([kind, all]) =>
    "none" in all
      ? []
      : all.map((text, i) => {
          const writes = text.startsWith("!");
          const steps = make(writes ? text.slice(1) : text);
          const name = `${prefix}_${kind.replaceAll(" ", "_")}_${i}`;
          return { name, steps, ...(writes ? { writes: true as const } : {}) };
        }),
  );
}

/** Ways that must all be well typed. */
export function statedWays(): readonly Way[] {
  return [
    ...listed("macro", MACROS, value),
    ...listed("code", CODES, value),
    ...listed("step", STEPS, (text) => text),
  ];
}

/** Every function over what a hidden row holds; those that are ill typed are left out. */
export function builtWays(): readonly Way[] {
  return functionWays();
}

const LEAVES = [
  ...["task.project.name", "task.project.n", "task.spot.project.name", "task.links[0].n"],
  ...["size(projects)", "task.project.slug", '"alpha"', "5", "task.slug", "caller.name"],
  ...["task.links.map(l, l.name)", "projects.exists(p, p.n > 50)", "task.project.n > 50"],
];
const WRAPS = [
  ...["A + B", "A == B", "A < B", "A && B", "A || B", "!A", "size(A)", "[A, B]", "C ? A : B"],
  ...["A in [B, A]", "tasks.filter(t, t.project.n > 3 && A == B).map(t, t.slug)"],
  ...["tasks.exists(t, t.project.name == A)", "projects.filter(p, p.name == A).map(p, p.n)"],
  ...["A.startsWith(B)", "string(A)", "sha256(A)", "has(task.project.note) && A", "A * B"],
];

/** An expression made at random, some levels deep. */
function randomExpression(random: () => number, depth: number): string {
  const pick = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? "";
  if (depth === 0 || random() < 0.2) return pick(LEAVES);
  return pick(WRAPS).replaceAll(/\b[ABC]\b/g, () => `(${randomExpression(random, depth - 1)})`);
}

/** So many ways made at random; most are ill typed, and left out. */
export function randomWays(random: () => number, count: number): readonly Way[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `random_${i}`,
    steps: value(randomExpression(random, 1 + Math.floor(random() * 3))),
  }));
}

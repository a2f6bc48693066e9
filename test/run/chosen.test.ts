/**
 * Values that a client chooses, given to every form of every function and operator: `check` refuses
 * what could fault, and what it accepts answers every value of the types. Where ranges or guards
 * keep the values from the ends, nothing is refused and nothing faults.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { functionTable, operatorTable } from "../../src/expr/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "./document.ts";
import { Service } from "./service.ts";

/** Whether it is known which values are far from the ends. */
const hasEnds = ({ range }: Sent): boolean => range !== undefined;

interface Sent {
  readonly type: string;
  /** A rule that keeps values far from the ends of the type. */
  readonly range?: string;
  /** JSON texts of values at the ends of the type. */
  readonly values: readonly string[];
}

const DIGITS = "9".repeat(38);
const SENT: Readonly<Record<string, Sent>> = {
  string: { type: "string", values: ['""', '"a"', `"${DIGITS}9"`, '"2026-02-30"', '"\\u0000é🜁"'] },
  integer: { type: "integer", range: "-1000 to 1000", values: ["0", "-1", DIGITS, `-${DIGITS}`] },
  number: {
    type: "number",
    range: "-1e3 to 1e3",
    values: ["0", "-0.0", "1.7e308", "-1.7e308", "5e-324"],
  },
  boolean: { type: "boolean", values: ["true", "false"] },
  timestamp: {
    type: "timestamp in microseconds",
    range: '`timestamp("1900-01-01T00:00:00Z")` to `timestamp("2100-01-01T00:00:00Z")`',
    values: ['"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59.999999Z"'],
  },
  date: {
    type: "date",
    range: '`date("1900-01-01")` to `date("2100-01-01")`',
    values: ['"0001-01-01"', '"9999-12-31"'],
  },
  duration: {
    type: "duration",
    range: '`duration("-1000h")` to `duration("1000h")`',
    values: ['"PT0S"', '"P3652058D"', '"-P3652058D"'],
  },
  zone: { type: "time zone", values: ['"Pacific/Kiritimati"', '"Pacific/Pago_Pago"'] },
  json: { type: "json", values: ["null", '{"a": [1e400]}'] },
  "decimal(0)": { type: "decimal 0", range: "0 to 1000", values: ["0", DIGITS] },
  "decimal(p)": {
    type: "decimal 2",
    range: "-1000.00 to 1000.00",
    values: ["0.00", `${DIGITS.slice(2)}.99`, "-0.01"],
  },
  "decimal(q)": {
    type: "decimal 2",
    range: "-1000.00 to 1000.00",
    values: ["0.00", `-${DIGITS.slice(2)}.99`],
  },
  T: { type: "integer", values: ["0", DIGITS] },
  O: { type: "integer", values: ["0", DIGITS] },
};

/** Arguments that must be literals. */
const LITERALS: Readonly<Record<string, string>> = {
  places: "4",
  count: "1000",
  algorithm: '"sha512"',
  encoding: '"base64url"',
  namespace: '"6ba7b810-9dad-11d1-80b4-00c04fd430c8"',
  rounding: '"half_up"',
  pattern: '"^(a|é)+$"',
};

function sentOf(pattern: string): Sent {
  const outer = /^(list|map) of (.*)$/.exec(pattern);
  if (outer === null)
    return SENT[pattern.replace(/ or null$/, "")] ?? assert.fail(`no values of ${pattern}`);
  const { type, values } = sentOf(outer[2] ?? "");
  const isList = outer[1] === "list";
  const [first = "", last = ""] = [values[0], values.at(-1)];
  return {
    type: `${outer[1]} of ${type}`,
    values: isList
      ? ["[]", `[${first}]`, `[${last},${last}]`]
      : ["{}", `{"a":${first}}`, `{"":${last}}`],
  };
}

interface Form {
  readonly text: string;
  readonly sent: ReadonlyMap<string, Sent>;
}

/** Not from a client: a row, a secret, and a token. */
const NOT_SENT = new Set(["token", "password_matches"]);

function formOf(takes: readonly string[], written: (args: readonly string[]) => string): Form {
  const sent = new Map<string, Sent>();
  const args = takes.map((pattern, i) => {
    const literal = LITERALS[pattern];
    if (literal !== undefined) return literal;
    sent.set(`v${i}`, sentOf(pattern));
    return `body.v${i}`;
  });
  return { text: written(args), sent };
}

const WRITTEN: Readonly<Record<string, (args: readonly string[]) => string>> = {
  "!": ([a]) => `!${a}`,
  neg: ([a]) => `-${a}`,
  "[]": ([a, b]) => `${a}[${b}]`,
  "?:": ([a, b, c]) => `${a} ? ${b} : ${c}`,
};

const DIVISORS: Readonly<Record<string, string>> = {
  integer: "1 to 1000",
  "decimal(p)": "0.01 to 1000.00",
  "decimal(q)": "0.01 to 1000.00",
  number: "1e-3 to 1e3",
};

/** The forms of a division, behind a guard against zero. */
function divisionOf(takes: readonly string[], written: (args: readonly string[]) => string): Form {
  const { text, sent } = formOf(takes, written);
  const by = sent.get("v1");
  const range = DIVISORS[takes[1] ?? ""];
  if (by === undefined || range === undefined) assert.fail(text);
  const zero = by.type.startsWith("decimal") ? "0.00" : by.type === "number" ? "0e0" : "0";
  return {
    text: `body.v1 != ${zero} ? [${text}] : []`,
    sent: new Map(sent).set("v1", { ...by, range }),
  };
}

const DIVISIONS: readonly Form[] = [
  ...functionTable
    .filter(({ name }) => name === "divide")
    .flatMap(({ name, forms }) =>
      forms.map(({ takes }) => divisionOf(takes, (args) => `${name}(${args.join(", ")})`)),
    ),
  ...operatorTable
    .filter(({ fn }) => fn === "/" || fn === "%")
    .flatMap(({ fn, forms }) =>
      forms.map(({ takes }) => divisionOf(takes, (args) => args.join(` ${fn} `))),
    ),
];

const FORMS: readonly Form[] = [
  ...DIVISIONS,
  ...functionTable
    .filter(({ name }) => !NOT_SENT.has(name))
    .flatMap(({ name, forms }) =>
      forms
        .filter(({ takes }) => !takes.includes("secret"))
        .map(({ takes }) => formOf(takes, (args) => `${name}(${args.join(", ")})`))
        .filter(({ sent }) => sent.size > 0),
    ),
  ...operatorTable.flatMap(({ fn, forms }) =>
    forms.map(({ takes }) => formOf(takes, WRITTEN[fn] ?? ((args) => args.join(` ${fn} `)))),
  ),
];

function documentOf({ text, sent }: Form, isBounded = false): string {
  const rows = [...sent].map(
    ([name, { type, range = "none" }]) =>
      `| \`${name}\` | body | ${type} | yes | ${isBounded ? range : "none"} |`,
  );
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    endpoints: `### \`PUT /probe\`: tried

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
${rows.join("\n")}

1. Let \`made\` be \`${text}\`.
2. Respond \`200\` with \`[made]\`.
`,
    failures:
      "| null | `bad` on its name |\n| too large | `bad` on its name |\n| malformed body | `bad` |\n| other media type | `bad` |",
  });
}

/** All ways to choose one of each, as bodies. */
function bodiesOf(sent: ReadonlyMap<string, Sent>): readonly string[] {
  let bodies: readonly string[] = [""];
  for (const [name, { values }] of sent) {
    bodies = bodies.flatMap((body) =>
      values.map((value) => `${body}${body === "" ? "" : ","}"${name}":${value}`),
    );
  }
  return bodies.map((body) => `{${body}}`);
}

const errorsOf = (text: string) =>
  check(read(Buffer.from(text))).findings.filter(
    ({ severity, code }) => severity === "error" && code !== "silent",
  );

/** What a service answers to each choice: the faults, each the one that the reference names. */
function faultsOf(form: Form, text: string): readonly string[] {
  const service = new Service(text);
  const faults: string[] = [];
  for (const body of bodiesOf(form.sent)) {
    const { status, json, outcome } = service.request("PUT", "/probe", { body });
    const { fault = "" } = outcome.effects;
    const told = `${form.text} ${body}: ${status} ${fault}`;
    if (status === 500) {
      assert.deepEqual(json, { error: "broken", field: null }, told);
      assert.match(fault, /overflow/, told);
      faults.push(told);
    } else assert.ok(status === 200 || status === 400, told);
  }
  service.close();
  return faults;
}

const codesOf = (text: string): readonly string[] => [
  ...new Set(errorsOf(text).map(({ code }) => code)),
];

/** What each form is refused with, where nothing bounds what goes in. */
const REFUSED: ReadonlyMap<Form, readonly string[]> = new Map(
  FORMS.map((form) => [form, codesOf(documentOf(form))]),
);

test("each form that is served answers all that a client can choose", () => {
  const refused: string[] = [];
  for (const [form, codes] of REFUSED) {
    const told = `${form.text}: ${codes.join()}`;
    assert.ok(
      codes.every((code) => /^(unguarded|wrong-type|overflow)$/.test(code)),
      told,
    );
    if (codes.length > 0) refused.push(told);
    else assert.deepEqual(faultsOf(form, documentOf(form)), []);
  }
  assert.ok(refused.length > 20 && refused.length < FORMS.length / 2, refused.join("\n"));
});

const PAST: readonly Form[] = FORMS.filter((form) => REFUSED.get(form)?.includes("overflow"));

test("each result that can be past the bounds of its type is refused without ranges", () => {
  const names = new Set(
    PAST.map(
      ({ text }) =>
        /(?<!\.)\b[a-z_]+(?=\()/.exec(text)?.[0] ?? / ([-+*/]) /.exec(text)?.[1] ?? text,
    ),
  );
  const whole = ["sum", "add_days", "date_of", "start_of", "divide", "+", "-", "*", "/"];
  const times = ["add_months", "days", "hours", "minutes", "seconds"];
  const instants = ["from_unix_millis", "from_unix_seconds"];
  const rounds = ["round_down", "round_half_even", "round_half_up"];
  assert.deepEqual([...names].sort(), [...whole, ...rounds, ...times, ...instants].sort());
});

test("where ranges bound what goes in, nothing is refused, and nothing faults", () => {
  const isBounded = ({ sent }: Form) =>
    [...sent.values()].every(({ range }) => range !== undefined);
  const bounded = PAST.filter(isBounded);
  assert.ok(bounded.length >= 20, `${bounded.length}`);
  for (const form of bounded) {
    const text = documentOf(form, true);
    assert.deepEqual(errorsOf(text), [], form.text);
    assert.deepEqual(faultsOf(form, text), []);
  }
});

/** The expression, where guards say what its ranges would. */
function guarded({ text, sent }: Form): Form {
  const conditions = [...sent].map(([name, { type, range = "" }]) => {
    const [from = "", to = ""] = range.replaceAll("`", "").split(" to ");
    return type.startsWith("list of ")
      ? `body.${name}.all(x, x >= ${from} && x <= ${to})`
      : `body.${name} >= ${from} && body.${name} <= ${to}`;
  });
  return { text: `${conditions.join(" && ")} ? [${text}] : []`, sent };
}

test("where guards bound what goes in, nothing is refused, and nothing faults", () => {
  const forms = PAST.filter(({ sent }) => [...sent.values()].every(hasEnds));
  assert.ok(forms.length >= 20, `${forms.length}`);
  for (const form of forms.map(guarded)) {
    const text = documentOf(form);
    assert.deepEqual(errorsOf(text), [], form.text);
    assert.deepEqual(faultsOf(form, text), []);
  }
});

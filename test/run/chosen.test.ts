/**
 * Values that a client chooses, given to every form of every function and operator: `check` refuses
 * what could fault, and what is left is the one fault that the reference names: a result that no
 * value of its type is (more than 38 digits, outside of the years, not finite).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { functionTable, operatorTable } from "../../src/expr/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "./document.ts";
import { Service } from "./service.ts";

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
  rounding: '"half_up"',
  pattern: '"^(a|é)+$"',
};

function sentOf(pattern: string): Sent {
  const outer = /^(list|map) of (.*)$/.exec(pattern);
  if (outer === null) return SENT[pattern] ?? assert.fail(`no values of ${pattern}`);
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

const FORMS: readonly Form[] = [
  ...functionTable
    .filter(({ name }) => !NOT_SENT.has(name))
    .flatMap(({ name, forms }) =>
      forms
        .filter(({ takes }) => !takes.includes("secret"))
        .map(({ takes }) => formOf(takes, (args) => `${name}(${args.join(", ")})`)),
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

/** Forms whose result may be past the bounds of its type, where nothing bounds what goes in. */
const PAST = /^(sum|add_days|date_of|start_of|round_(down|half_even|half_up))\(| [-+*] /;

test("each form that is served answers all that a client can choose", () => {
  const refused: string[] = [];
  for (const form of FORMS) {
    const text = documentOf(form);
    const errors = errorsOf(text);
    if (errors.length > 0) {
      const told = `${form.text}: ${errors.map(({ message }) => message).join()}`;
      assert.ok(
        errors.every(({ code }) => /^(unguarded|wrong-type)$/.test(code)),
        told,
      );
      refused.push(form.text);
    } else {
      const [first] = faultsOf(form, text);
      assert.ok(first === undefined || PAST.test(form.text), first);
    }
  }
  assert.ok(refused.length > 5 && refused.length < FORMS.length / 3, refused.join("\n"));
});

test("where ranges bound what goes in, no result is past the bounds of its type", () => {
  const bounded = FORMS.filter(
    ({ text, sent }) =>
      PAST.test(text) && [...sent.values()].some(({ range }) => range !== undefined),
  );
  assert.ok(bounded.length >= 10, `${bounded.length}`);
  for (const form of bounded) {
    const text = documentOf(form, true);
    assert.deepEqual(errorsOf(text), [], form.text);
    assert.deepEqual(faultsOf(form, text), []);
  }
});

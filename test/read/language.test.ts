/** Every form of the language tables is read by its own example, and by no other form before it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bullets,
  conditions,
  type Form,
  headings,
  rules,
  rulesCell,
  steps,
  tables,
  types,
  typeTails,
} from "../../src/language/index.ts";
import { tokens } from "../../src/read/blocks/index.ts";
import { compileForms, matchForms, type Stretch, stepForms } from "../../src/read/forms/index.ts";

function stretch(text: string): Stretch {
  const inline = { start: 0, end: text.length, inCell: false };
  return { text, tokens: tokens(text, inline), start: 0, end: text.length };
}

function checkTable(name: string, forms: readonly Form[]): void {
  const compiled = compileForms(forms);
  for (const form of forms) {
    test(`${name}: ${form.id}: ${form.form}`, () => {
      const attempt = matchForms(stretch(form.example), compiled);
      assert.ok(attempt.entry, `'${form.example}' has no form: here fits ${attempt.expected}`);
      assert.equal(attempt.entry.form, form.form, `'${form.example}' is read as another form`);
    });
  }
}

for (const part of new Set(headings.flatMap((heading) => heading.parts))) {
  checkTable(
    `heading in ${part}`,
    headings.filter((heading) => heading.parts.includes(part)),
  );
}
for (const scope of new Set(bullets.flatMap((bullet) => bullet.in))) {
  checkTable(
    `bullet in ${scope}`,
    bullets.filter((bullet) => bullet.in.includes(scope)),
  );
}
checkTable("type", types);
checkTable("rule", rules);
checkTable("condition", conditions);
for (const table of tables) {
  for (const column of table.columns) {
    if (column.cells !== rulesCell) checkTable(`${table.id}: ${column.title}`, column.cells);
  }
}

test("a duration past the greatest is refused wherever a duration may stand, saying how long it may be", () => {
  const cells = tables.flatMap(({ columns }) => columns.flatMap((column) => column.cells));
  const timed = [...bullets, ...steps, ...rules, ...conditions, ...cells].filter(({ form }) =>
    /:durations?\}/.test(form),
  );
  assert.ok(timed.length > 15, `${timed.length} forms`);
  for (const form of timed) {
    const [, option = ""] = /\[([^[\]]*\{\w+:durations?\})\]/.exec(form.form) ?? [];
    const isShown = /\d+ (ms|s|min|h|days?)(?!\w)/.test(form.example);
    const long = isShown
      ? form.example.replace(/\d+ (ms|s|min|h|days?)(?!\w)/, "999999999 days")
      : form.example + option.replace(/\{.*\}/, "999999999 days");
    assert.notEqual(long, form.example, `no duration in '${form.example}'`);
    const attempt = matchForms(stretch(long.replace(/\.$/, "")), compileForms([form]));
    assert.equal(attempt.match, undefined, long);
    assert.equal(attempt.expected, "a duration of at most 3652500 days", long);
  }
});

test("types take their tails", () => {
  const typeForm = compileForms([{ id: "t", form: "{type:type}", means: "", example: "" }]);
  for (const tail of typeTails) {
    const attempt = matchForms(stretch(tail.example), typeForm);
    assert.ok(attempt.match, tail.example);
  }
});

for (const form of steps) {
  test(`step: ${form.id}: ${form.form}`, () => {
    const text = form.example.endsWith(".") ? form.example.slice(0, -1) : form.example;
    const attempt = matchForms(stretch(text), stepForms());
    assert.ok(attempt.entry, `'${text}' has no form: here fits ${attempt.expected}`);
    assert.equal(attempt.entry.id, form.id, `'${text}' is read as '${attempt.entry.id}'`);
  });
}

test("no two forms of one table have one name and pattern", () => {
  for (const forms of [bullets, steps, rules, types, conditions, headings]) {
    const seen = new Set<string>();
    for (const form of forms) {
      const key = `${form.id}|${form.form}`;
      assert.ok(!seen.has(key), key);
      seen.add(key);
    }
  }
});

test("a form that is nearly right is named", async () => {
  const { noForm } = await import("../../src/read/forms/index.ts");
  const wrong = stretch("Requir `x > 0`, else `bad`");
  const attempt = matchForms(wrong, stepForms());
  assert.equal(attempt.match, undefined);
  const finding = noForm(wrong, attempt, "step", stepForms());
  assert.match(finding.hint ?? "", /^Nearest: `Require`\. Write it as in: Require `/);
  assert.equal(finding.span.start, 0);
});

/** What is no change: names that nobody but the document meets. What is one, and has no kind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf } from "../../src/change/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { kioskText, sideOf } from "./documents.ts";

const text = kioskText();

function planOf(document: string): Plan {
  const side = sideOf(document);
  assert.ok(side, "no errors");
  return side.planned.plan;
}

const plan = planOf(text);

/** Names, each with the texts that are replaced by others, wherever they stand. */
const RENAMED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "a shape": [["`TicketPage`", "`Tickets`"]],
  "a view": [["`Badge`", "`Sign`"]],
  "a part, and what holds it": [["`Seat`", "`Chair`"]],
  "the shape of errors": [["`Problem`", "`Trouble`"]],
  "named steps": [
    ["`bill`, steps", "`charge_it`, steps"],
    ["Do `bill` with", "Do `charge_it` with"],
  ],
  "an actor": [
    ["| `person` | `!caller", "| `human` | `!caller"],
    ["Who: `person`", "Who: `human`"],
  ],
  "what steps bind": [
    ["Let `mine` be", "Let `own` be"],
    ["Order `mine` by", "Order `own` by"],
    ["be `mine` from", "be `own` from"],
    ["in `mine`.", "in `own`."],
  ],
  "the variable of a macro": [["results.filter(x, x.done)", "results.filter(one_, one_.done)"]],
  "the layout of an expression": [["size(body.seats) < 8", "size( body.seats )<8"]],
  "the order of conditions": [
    ["`caller != null && it == caller`", "`it == caller && caller != null`"],
  ],
  "what a word of a call means to people": [
    ["the card said no", "a card that said no"],
    ["the money is there", "there is money"],
  ],
  "a title": [
    ["# Kiosk", "# Stand"],
    ["`: leave", "`: go away"],
  ],
};

for (const [what, edits] of Object.entries(RENAMED)) {
  test(`no change of meaning: ${what} is called otherwise`, () => {
    let now = text;
    for (const [from, to] of edits) {
      assert.ok(now.includes(from), from);
      now = now.replaceAll(from, () => to);
    }
    assert.deepEqual(changesOf(plan, planOf(now)), { changes: [], unnamed: [] });
  });
}

test("a name that clients meet is another thing under another name", () => {
  const { changes } = changesOf(plan, planOf(text.replaceAll("`busy`", "`occupied`")));
  const kinds = new Set(changes.map(({ kind }) => kind));
  assert.ok(kinds.has("error removed") && kinds.has("error added"));
});

test("two names that are exchanged are a change where they are used", () => {
  const turned = text
    .replace("where `page` = `page` and `more` = `size(tags) > 3`", "@")
    .replace("Let `page` be `mine` from", "Let `some` be `mine` from")
    .replace("@", "where `page` = `mine` and `more` = `size(tags) > 3`");
  const { changes } = changesOf(plan, planOf(turned));
  assert.deepEqual(
    changes.map(({ kind, about }) => [kind, about]),
    [["body of an answer changed", "GET /tickets"]],
  );
});

test("what differs and has no kind is a fault of the list, and told as one", () => {
  const other = { ...plan, unheardOf: "something" };
  const { changes, unnamed } = changesOf(plan, other);
  assert.deepEqual(changes, []);
  assert.equal(unnamed.length, 1);
});

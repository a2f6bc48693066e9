/** Resolves calls: the doors to code outside the document. */
import type { Member, Type } from "../../expr/index.ts";
import type { Answer, Call, CellNode, SectionNode } from "../../model/index.ts";
import { answer, silent } from "./asking.ts";
import { type Collected, nameOf } from "./collect.ts";
import { commonNames } from "./common.ts";
import { BOOLEAN, refusalSlot, resolve, withNames } from "./expression.ts";
import {
  bulletsOf,
  cellOf,
  known,
  lineEnd,
  origin,
  type Resolver,
  report,
  sectionsOf,
  slotOf,
  tablesOf,
  textOf,
  unknownName,
} from "./resolver.ts";
import { givenOf } from "./shapes.ts";
import { exprType, valueType } from "./types.ts";

/** Data of a word that a call says: `` `name`: type `` joined by `;`. */
function saidData(r: Resolver, names: Collected, cell: CellNode | undefined) {
  return (cell?.matches ?? []).flatMap((match) => {
    const name = slotOf(match, "name");
    const slot = match.slots.type;
    if (name === undefined || slot?.kind !== "type") return [];
    return [{ name: name.text, type: valueType(r, names, slot) }];
  });
}

function call(r: Resolver, names: Collected, name: string, section: SectionNode): Call {
  const given = givenOf(r, names, section);
  const says = tablesOf(section, "says").flatMap((table) =>
    table.rows.map((row) => ({
      word: textOf(row.cells[0]?.matches[0], "name"),
      data: saidData(r, names, cellOf(table, row, "Data")),
      meaning: textOf(cellOf(table, row, "Meaning")?.matches[0], "text"),
    })),
  );
  const members = new Map<string, Member>([
    ["word", { absent: false, type: { kind: "string", oneOf: says.map((one) => one.word) } }],
  ]);
  for (const one of says.flatMap((said) => said.data)) {
    members.set(one.name, { type: exprType(names, one.type), absent: says.length > 1 });
  }
  r.objects.set(`said:${name}`, members);
  r.objects.set(
    `given:${name}`,
    new Map(
      given.map((one) => [one.name, { type: exprType(names, one.type), absent: false }] as const),
    ),
  );
  if (says.length === 0 && section.sentences.length === 0) {
    silent(r, {
      question: "says",
      section,
      id: `${section.id}/says`,
      fix: { at: lineEnd(r, section.end), insert: "\n\nWhat it can say: not shown." },
    });
  }
  const kind = answer(r, {
    question: "call kind",
    key: "kind",
    label: "Kind",
    sections: [section],
    read: (match) => textOf(match, "kind") as "pure" | "effect" | "long",
  });
  const acts = kind.is === "stated" && kind.value !== "pure";
  return {
    id: origin(r, section.id, nameOf(section)),
    name,
    given,
    says,
    kind,
    ...callAnswers(r, section, acts),
    promises: callPromises(r, section, name),
  };
}

function callPromises(r: Resolver, section: SectionNode, name: string) {
  const view = withNames(commonNames(r), [
    ["given", { kind: "object", name: `given:${name}` } as Type],
    ["said", { kind: "object", name: `said:${name}` } as Type],
  ]);
  return bulletsOf([section], "always").flatMap((bullet) => {
    const slot = slotOf(bullet.match, "condition");
    return slot === undefined ? [] : [resolve(r, slot, view, BOOLEAN).expression];
  });
}

function judgeWords(r: Resolver, section: SectionNode): void {
  const words = new Set<string>();
  const rows = tablesOf(section, "says").flatMap((table) => table.rows);
  for (const row of rows) {
    const slot = slotOf(row.cells[0]?.matches[0], "name");
    if (slot === undefined) continue;
    if (words.has(slot.text)) {
      report(r, "second-name", slot, { message: `The word \`${slot.text}\` stands here again.` });
    }
    words.add(slot.text);
  }
  const [bullet] = bulletsOf([section], "stand-in");
  const said = slotOf(bullet?.match, "word");
  if (said !== undefined && rows.length > 0 && !words.has(said.text)) {
    unknownName(r, said, "word of this call", words);
  }
  const [undo] = bulletsOf([section], "undo");
  const other = slotOf(undo?.match, "call");
  if (other !== undefined) known(r, "call", other);
}

function callAnswers(r: Resolver, section: SectionNode, acts: boolean) {
  judgeWords(r, section);
  const text = (label: string, slot: string, raised = true): Answer<string> =>
    answer(r, {
      question: `call ${label.toLowerCase()}`,
      key: label.toLowerCase(),
      label,
      sections: [section],
      raised,
      read: (match) => textOf(match, slot),
    });
  const late: Answer<string> = answer(r, {
    question: "call late",
    key: "no answer in time",
    label: "No answer in time",
    sections: [section],
    raised: bulletsOf([section], "time-out").some((bullet) => bullet.status === "stated"),
    read: (match) => {
      const slot = refusalSlot(match, "refusal");
      if (slot?.error !== undefined) known(r, "error", slot.error);
      return slot?.error?.text;
    },
  });
  return {
    sameKey: text("Same key", "same", acts) as Call["sameKey"],
    timeOut: text("Time-out", "time"),
    late,
    undo: text("Undo", "call", acts),
    standIn: text("Stand-in", "word"),
  };
}

/** Resolves calls: before steps, which read what they say. */
export function resolveCalls(r: Resolver, names: Collected): Call[] {
  return sectionsOf(r, "call").map((section) => call(r, names, nameOf(section).text, section));
}

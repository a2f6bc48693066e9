/** Resolves calls: the doors to code outside the document. */
import { contentName } from "../../../base/index.ts";
import { type Member, plainType, type Type } from "../../../expr/index.ts";
import { type Call, type ItemId, type Stated, statedOf } from "../../../plan/index.ts";
import type { SectionNode, WrittenCell } from "../../../spec/index.ts";
import { type Answers, type AskedAt, answer, answers, silent, text } from "../names/asking.ts";
import { cellIn, gapIn, rowsOf } from "../names/cells.ts";
import { type Collected, nameOf } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { BOOLEAN, refusalAt, resolve, withNames } from "../names/expression.ts";
import {
  bulletsOf,
  firstMatch,
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
} from "../names/resolver.ts";
import { exprType, OpenMembers, valueType } from "../names/types.ts";
import { givenOf } from "../resources/shapes.ts";
import { isLeftAway, isOtherwise, standInsOf } from "./stand-ins.ts";

const STRING: Type = { kind: "string" };

/** Data of a word that a call says: `` `name`: type `` joined by `;`. */
function saidData(r: Resolver, names: Collected, cell: WrittenCell | undefined) {
  return (cell?.matches ?? []).flatMap((match) => {
    const name = slotOf(match, "name");
    const slot = match.slots.type;
    if (name === undefined || slot?.kind !== "type") return [];
    return [{ name: name.text, type: valueType(r, names, slot) }];
  });
}

/** The type of data that two words have by one name; undefined: none is right for both. */
function joined(a: Type, b: Type): Type | undefined {
  if (a.kind === "nullable" || b.kind === "nullable") {
    const inner = joined(a.kind === "nullable" ? a.of : a, b.kind === "nullable" ? b.of : b);
    return inner && { kind: "nullable", of: inner };
  }
  if (JSON.stringify(plainType(a)) === JSON.stringify(plainType(b))) return plainType(a);
  return a.kind === "string" && b.kind === "string" ? STRING : undefined;
}

interface Sort {
  readonly type: Type;
  readonly words: readonly string[];
}

/** The types that data of one name have, each with the words that say it so. */
function sortsOf(names: Collected, says: Call["says"], name: string): readonly Sort[] {
  const sorts: Sort[] = [];
  for (const { word, data } of says) {
    const own = data.find((one) => one.name === name);
    if (own === undefined) continue;
    const type = exprType(names, own.type);
    const at = sorts.findIndex((one) => joined(one.type, type) !== undefined);
    const before = sorts[at];
    if (before === undefined) sorts.push({ type, words: [word] });
    else {
      const joint = joined(before.type, type) ?? type;
      sorts[at] = { type: joint, words: [...before.words, word] };
    }
  }
  return sorts;
}

/** What is known of data before anybody looks at the word. */
function dataMember(sorts: readonly Sort[], words: readonly string[], all: number): Member {
  const [{ type } = { type: STRING }] = sorts;
  const givenWhen = { member: "word", words };
  if (sorts.length > 1) {
    const types = sorts.map((one) => ({
      type: one.type,
      words: one.words.filter((word) => words.includes(word)),
    }));
    return { type, absent: true, givenWhen, types };
  }
  const absent = words.length < all;
  return { type, absent, ...(absent ? { givenWhen } : {}) };
}

/** The words of a call's table, each with the data that come with it. */
function saysOf(r: Resolver, names: Collected, section: SectionNode): Call["says"] {
  return rowsOf(r, [section], "says").map((at) => {
    const cell = cellIn(at, "Data");
    const gap = gapIn(at, cell, "data");
    const word = textOf(firstMatch(at.row), "name");
    origin(r, `${section.id}/${word}`, at.row);
    return {
      word,
      data: saidData(r, names, cell),
      meaning: textOf(cellIn(at, "Meaning")?.matches[0], "text"),
      ...(gap === undefined ? {} : { gap }),
    };
  });
}

/** The gap of a call whose table is not there. */
function saysGap(r: Resolver, section: SectionNode): ItemId {
  const [sentence] = section.sentences;
  if (sentence !== undefined) return sentence.id;
  return silent(r, {
    question: "says",
    section,
    id: `${section.id}/says`,
    fix: { at: lineEnd(r, section.end), insert: "\n\nWhat it can say: not shown." },
  });
}

function call(r: Resolver, names: Collected, name: string, section: SectionNode): Call {
  const given = givenOf(r, names, section);
  const says = saysOf(r, names, section);
  const members = new Map<string, Member>([
    ["word", { absent: false, type: { kind: "string", oneOf: says.map((one) => one.word) } }],
  ]);
  const sure = (said: (typeof says)[number], member: string): boolean =>
    !isLeftAway(section, said.word, member) &&
    said.data.some((one) => one.name === member && !one.type.orAbsent);
  for (const { word, data, gap } of says) {
    const own = new Map<string, Member>([["word", { absent: false, type: STRING }]]);
    for (const one of data) {
      const type = exprType(names, one.type);
      const words = says.filter((said) => sure(said, one.name)).map((said) => said.word);
      members.set(one.name, dataMember(sortsOf(names, says, one.name), words, says.length));
      const absent = one.type.orAbsent || isLeftAway(section, word, one.name);
      own.set(one.name, { type, absent });
    }
    r.objects.set(`said:${name}:${word}`, gap === undefined ? own : new OpenMembers(own, gap));
  }
  const open = says.find((said) => said.gap !== undefined)?.gap;
  r.objects.set(`said:${name}`, open === undefined ? members : new OpenMembers(members, open));
  r.objects.set(
    `given:${name}`,
    new Map(
      given.map((one) => [one.name, { type: exprType(names, one.type), absent: false }] as const),
    ),
  );
  const gap = says.length > 0 ? undefined : saysGap(r, section);
  const kind: Call["kind"] = answer({ r, section }, "call kind", text("kind"));
  judgeWords(r, section);
  judgeUndo(r, names, section);
  const standIns = standInsOf({ r, names, section }, says);
  return {
    id: origin(r, section.id, nameOf(section)),
    name,
    given,
    says,
    kind,
    ...callAnswers({ r, section }, statedOf(kind)),
    ...(standIns === undefined ? {} : { standIns }),
    invariants: callInvariants(r, section, name),
    ...(gap === undefined ? {} : { gap }),
  };
}

function callInvariants(r: Resolver, section: SectionNode, name: string) {
  const view = withNames(commonNames(r), [
    ["given", { kind: "object", name: `given:${name}` } as Type],
    ["said", { kind: "object", name: `said:${name}` } as Type],
  ]);
  return bulletsOf([section], "always").flatMap((bullet) => {
    const slot = slotOf(bullet.match, "condition");
    if (slot === undefined) return [];
    const { expression } = resolve(r, slot, view, BOOLEAN);
    origin(r, `${section.id}/always ${contentName(expression.text)}`, bullet);
    return [expression];
  });
}

function judgeWords(r: Resolver, section: SectionNode): void {
  const words = new Set<string>();
  const rows = tablesOf(section, "says").flatMap((table) => table.rows);
  for (const row of rows) {
    const slot = slotOf(firstMatch(row), "name");
    if (slot === undefined) continue;
    if (words.has(slot.text)) {
      report(r, "second-name", slot, { message: `The word \`${slot.text}\` stands here again.` });
    }
    words.add(slot.text);
  }
  for (const { match } of bulletsOf([section], "stand-in")) {
    const said = slotOf(match, "word");
    if (said !== undefined && rows.length > 0 && !words.has(said.text)) {
      unknownName(r, said, "word of this call", words);
    }
  }
}

/** An undo is given what the call was given, by name: it may need nothing else. */
function judgeUndo(r: Resolver, names: Collected, section: SectionNode): void {
  const [undo] = bulletsOf([section], "undo");
  const other = slotOf(undo?.match, "call");
  if (other === undefined || !known(r, "call", other)) return;
  const inside = r.declared.get("call")?.get(other.text)?.section;
  const own = new Map(givenOf(r, names, section).map((one) => [one.name, one.type] as const));
  for (const { name, type } of inside === undefined ? [] : givenOf(r, names, inside)) {
    if (type.gap !== undefined || own.get(name)?.gap !== undefined) continue;
    if (JSON.stringify(own.get(name)) === JSON.stringify(type)) continue;
    report(r, "not-given", other, {
      message: `\`${other.text}\` needs \`${name}\`, and the call is given none of that type.`,
      hint: "A call that undoes another is given what the other was given, by name.",
    });
  }
}

/** The answers of a call's bullets; `is`: what kind of call it is, where that is stated. */
function callAnswers(at: AskedAt, is: Stated<Call["kind"]> | undefined): Answers<Call, "kind"> {
  const { r, section } = at;
  const isTimed = bulletsOf([section], "time-out").some((bullet) => bullet.status === "stated");
  return answers<Call, "kind">(at, {
    late: [
      "call late",
      refusalAt(r, section, commonNames(r)),
      { raised: is !== "long" && isTimed },
    ],
    sameKey: ["call same key", text("same"), { raised: is === "effect" || is === "long" }],
    timeOut: ["call time-out", text("time")],
    undo: ["call undo", text("call"), { raised: is === "effect" }],
    standIn: ["call stand-in", text("word"), { only: isOtherwise }],
  });
}

/** Resolves calls: before steps, which read what they say. */
export function resolveCalls(r: Resolver, names: Collected): Call[] {
  return sectionsOf(r, "call").map((section) => call(r, names, nameOf(section).text, section));
}

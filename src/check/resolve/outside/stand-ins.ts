/** Resolves what a call says where no code is behind it: by what it is given, with data. */
import type { Type } from "../../../expr/index.ts";
import type { Call, StandIn } from "../../../plan/index.ts";
import type { AssignSlot, BulletNode, SectionNode } from "../../../spec/index.ts";
import { nameOf, type Place } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { BOOLEAN, resolve, resolveAssigns, withNames } from "../names/expression.ts";
import {
  bulletsOf,
  origin,
  type Resolver,
  report,
  slotOf,
  textOf,
  unknownName,
} from "../names/resolver.ts";
import { exprType } from "../names/types.ts";

type Says = Call["says"];

/** Whether the bullet says what is said where the conditions of the others do not hold. */
export function isOtherwise({ match }: BulletNode): boolean {
  return slotOf(match, "condition") === undefined;
}

function dataOf({ match }: BulletNode): readonly AssignSlot[] {
  const value = match.slots.with;
  return value?.kind === "assigns" ? value.items : [];
}

/** Whether code is told to say the word where a stand-in leaves this of its data away. */
export function isLeftAway(section: SectionNode, word: string, member: string): boolean {
  return bulletsOf([section], "stand-in").some(
    (bullet) =>
      textOf(bullet.match, "word") === word &&
      dataOf(bullet).every((one) => one.name.text !== member),
  );
}

/** One bullet says what is said otherwise, and code that must be there says all. */
function judgeBullets(r: Resolver, bullets: readonly BulletNode[]): void {
  // What is not shown may have a condition.
  const [, second] = bullets.filter((one) => one.status !== "not shown" && isOtherwise(one));
  if (second !== undefined) {
    report(r, "second-bullet", second, {
      message: "A second Stand-in without `when` stands here.",
      hint: "One says what is said where none of the conditions holds.",
    });
  }
  const none = bullets.find(({ status }) => status === "none");
  const said = bullets.find((bullet) => !isOtherwise(bullet));
  if (none === undefined || said === undefined) return;
  report(r, "contradiction", none, {
    message: "Code must be behind the call, and other bullets say what is said without.",
    hint: "Write what is said where none of the conditions holds, or not shown.",
  });
}

function standIn({ r, names, section }: Place, says: Says, bullet: BulletNode): StandIn {
  const { match } = bullet;
  const word = textOf(match, "word");
  const id = origin(r, bullet.id, bullet);
  const data = new Map(
    says
      .find((one) => one.word === word)
      ?.data.map(({ name, type }) => {
        return [name, { type: exprType(names, type), absent: type.orAbsent }] as const;
      }),
  );
  const given: Type = { kind: "object", name: `given:${nameOf(section).text}` };
  const view = withNames(commonNames(r, "none"), [["given", given]]);
  const items = dataOf(bullet);
  for (const { name } of items) {
    if (!data.has(name.text)) unknownName(r, name, `data of \`${word}\``, data.keys());
  }
  const condition = slotOf(match, "condition");
  return {
    id,
    word,
    with: resolveAssigns(r, items, { id, section, view }, (name) => data.get(name.text)),
    ...(condition === undefined ? {} : { when: resolve(r, condition, view, BOOLEAN).expression }),
  };
}

/** What is said in the order of its judging; undefined: one word alone, whatever is given. */
export function standInsOf(place: Place, says: Says): readonly StandIn[] | undefined {
  const bullets = bulletsOf([place.section], "stand-in");
  judgeBullets(place.r, bullets);
  const isPlain = bullets.every((one) => isOtherwise(one) && dataOf(one).length === 0);
  if (isPlain) return undefined;
  const ordered = [
    ...bullets.filter((one) => !isOtherwise(one)),
    ...bullets.filter(isOtherwise).slice(0, 1),
  ];
  return ordered
    .filter(({ status }) => status === "stated")
    .map((bullet) => standIn(place, says, bullet));
}

/** What a comparison with a word tells of the members beside it: which of them are given then. */
import { withPresent } from "../facts.ts";
import type { Facts, Member, Type } from "../types.ts";
import type { Scope, Typed } from "./scope.ts";

function wordsOf(type: Type): readonly string[] | undefined {
  return type.kind === "string" ? type.oneOf : undefined;
}

/** The word that a literal is. */
function wordOf({ code }: Typed): string | undefined {
  return code.op === "literal" && typeof code.value === "string" ? code.value : undefined;
}

/** Members that are given where the member `side` is one of the words. */
function givenWith(side: Typed, words: readonly string[], scope: Scope, facts: Facts): Facts {
  const { code, path } = side;
  if (path === undefined || code.op !== "get" || code.of.type.kind !== "object") return facts;
  const members = scope.environment.members({ kind: "object", name: code.of.type.name });
  const base = path.slice(0, -code.member.length);
  let held = facts;
  for (const [name, { givenWhen, types = [] }] of members ?? []) {
    if (givenWhen?.member !== code.member || words.length === 0) continue;
    if (words.every((word) => givenWhen.words.includes(word))) {
      held = withPresent(held, base + name);
    }
    for (const [i, one] of types.entries()) {
      if (words.every((word) => one.words.includes(word))) {
        held = withPresent(held, typeFact(base + name, i));
      }
    }
  }
  return held;
}

/** The fact that the member at the path is of its type at a place among several. */
function typeFact(path: string, place: number): string {
  return `${path}#${place}`;
}

/** The type of a member, as what is known of its word has it; undefined: it is open. */
export function typeByWord(
  { type, types }: Member,
  path: string | undefined,
  facts: Facts,
): Type | undefined {
  if (types === undefined) return type;
  return types.find((_, i) => path !== undefined && facts.present.has(typeFact(path, i)))?.type;
}

/** Facts where `a == b` holds (`equal`), or where it does not. */
export function wordFacts(
  sides: readonly [Typed, Typed],
  equal: boolean,
  scope: Scope,
  facts: Facts,
): Facts {
  let held = facts;
  for (const [side, other] of [sides, [sides[1], sides[0]]] as const) {
    const word = wordOf(other);
    const all = wordsOf(side.code.type);
    if (word === undefined || all === undefined) continue;
    const left = equal ? [word] : all.filter((one) => one !== word);
    held = givenWith(side, left, scope, held);
  }
  return held;
}

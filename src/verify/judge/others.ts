/**
 * Data of other clients, of which the model knows nothing: it stands in lists between what was made
 * here, and moves that from one page to another.
 */

import type { Endpoint } from "../../plan/index.ts";
import { isJsonObject, type Json, parseJson } from "../../run/index.ts";
import { textOfAll } from "../world/does.ts";
import { type Held, heldIn } from "../world/held.ts";
import type { Answer } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import { compare, type Difference, textOf } from "./compare.ts";

/**
 * What a difference may come from: `theirs` if data of others is known to be there, `perhaps` if it
 * would explain it, and nobody has seen any yet.
 */
type Explained = "theirs" | "perhaps" | "no";

type Item = string | ReadonlyMap<string, Json>;

function treeOf(body: string | undefined): Json | undefined {
  const parsed = body === undefined ? undefined : parseJson(body);
  return parsed?.ok === true ? parsed.value : undefined;
}

const isItem = (one: Json): one is Item => isJsonObject(one) || typeof one === "string";

/** The objects and texts that stand in lists, at any depth. */
function itemsIn(tree: Json | undefined, found: Item[] = []): readonly Item[] {
  if (Array.isArray(tree)) {
    for (const one of tree as readonly Json[]) {
      if (isItem(one)) found.push(one);
      itemsIn(one, found);
    }
  } else if (isJsonObject(tree)) for (const one of tree.values()) itemsIn(one, found);
  return found;
}

/** An item of an outermost list that is not there: what others add takes none away from a page. */
const isMissing = ({ where, observed }: Difference): boolean =>
  observed === undefined &&
  typeof where.at(-1) === "number" &&
  where.filter((at) => typeof at === "number").length === 1;

const PAGES = /"kind":"page|"fn":"(?:slice|\w+_or_null)"|"op":"index"/;

const isInLists = ({ where }: Difference): boolean => where.some((at) => typeof at === "number");

/** Whether it stands in an object beside a list: how many there are, or where the next ones are. */
function isBesideList({ where }: Difference, tree: Json | undefined): boolean {
  const holder = where.slice(0, -1).reduce<Json | undefined>((at, name) => {
    return isJsonObject(at) ? at.get(String(name)) : undefined;
  }, tree);
  return isJsonObject(holder) && [...holder.values()].some((one) => Array.isArray(one));
}

export class Others {
  readonly #world: World;
  readonly #tag: string;
  /** Endpoints whose answers have shown such data. */
  readonly #seenAt = new Set<string>();

  /** `tag`: stands in all texts that are made here, and in no others. */
  constructor(world: World, tag: string) {
    this.#world = world;
    this.#tag = tag;
  }

  /** Whether they explain what an answer has otherwise than expected. */
  explain(
    { endpoint, outcome: { response } }: Ran,
    { status, body }: Answer,
    differences: readonly Difference[],
  ): Explained {
    if (status !== response.status || endpoint === undefined) return "no";
    const [mine, theirs] = [itemsIn(treeOf(response.body)), itemsIn(treeOf(body))];
    const held = heldIn(this.#world);
    const known = new Set(mine.map(textOf));
    const isSeen = theirs.some((one) => !known.has(textOf(one)) && this.#isStrange(one, held));
    if (isSeen) this.#seenAt.add(endpoint.id);
    const tree = treeOf(body);
    const isListed = differences.some((one) => isInLists(one) || isBesideList(one, tree));
    if (!isSeen && !(isListed && this.#isPaged(endpoint))) return "no";
    if (differences.some(isMissing) || hasChanged(mine, theirs, held)) return "no";
    return this.#seenAt.has(endpoint.id) ? "theirs" : "perhaps";
  }

  /** The answer without what others have in its lists: the rest of it can be judged. */
  without({ outcome: { response } }: Ran, answer: Answer): Answer {
    const known = new Set(itemsIn(treeOf(response.body)).map(textOf));
    const held = heldIn(this.#world);
    const isOurs = (one: Json): boolean =>
      !isItem(one) || known.has(textOf(one)) || !this.#isStrange(one, held);
    const ours = (tree: Json): Json => {
      if (Array.isArray(tree)) return (tree as readonly Json[]).filter(isOurs).map(ours);
      if (!isJsonObject(tree)) return tree;
      return new Map([...tree].map(([name, one]) => [name, ours(one)] as const));
    };
    const tree = treeOf(answer.body);
    return tree === undefined ? answer : { ...answer, body: textOf(ours(tree)) };
  }

  /** Whether it shows a part of a list: what others have may move that. */
  #isPaged({ steps }: Endpoint): boolean {
    return PAGES.test(textOfAll(this.#world.plan, steps));
  }

  /** Whether nobody here has made it, and it stands for nothing that is known here. */
  #isStrange(item: Item, { texts, keys }: Held): boolean {
    if (textOf(item).includes(this.#tag)) return false;
    if (typeof item === "string") return !texts.has(item);
    return [...item.values()].every((one) => typeof one !== "string" || !keys.has(one));
  }
}

/** Whether something that was made here is shown otherwise than it is, wherever it stands. */
function hasChanged(mine: readonly Item[], theirs: readonly Item[], { keys }: Held): boolean {
  const keyOf = (item: Item): string | undefined => {
    if (typeof item === "string") return undefined;
    return [...item].find(
      ([name, one]) => typeof one === "string" && keys.get(one) === name,
    )?.[1] as string | undefined;
  };
  const keyed = new Map(mine.map((item) => [keyOf(item), item]));
  keyed.delete(undefined);
  return theirs.some((item) => {
    const expected = keyed.get(keyOf(item));
    if (expected === undefined) return false;
    const alone = (one: Item) => ({ status: 200, headers: [], body: textOf(one) });
    const answer = { ...alone(item), sent: 0n, received: 0n };
    // A time that nobody has seen is another matter.
    return compare(alone(expected), answer).differences.some(({ times }) => times === undefined);
  });
}

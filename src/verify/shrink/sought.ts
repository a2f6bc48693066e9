/** What is sought again in fewer requests: an answer that is broken as it was. */
import type { ItemId, Plan } from "../../plan/index.ts";
import { isJsonObject, type Json, parseJson } from "../../run/index.ts";
import { blamed } from "../judge/blame.ts";
import type { Difference, Where } from "../judge/compare.ts";
import type { Judgement } from "../judge/judgement.ts";
import type { Break, Exchange } from "../session.ts";
import type { Answer } from "../world/message.ts";
import type { Ran } from "../world/world.ts";

/** Tells whether an answer is broken as one was before. */
export class Sought {
  readonly #plan: Plan;
  readonly #ran: Ran;
  readonly #status: number;
  readonly #items: ReadonlySet<ItemId>;
  readonly #differences: readonly Difference[];

  constructor(plan: Plan, { items, differences, answer }: Break, { judgement }: Exchange) {
    this.#plan = plan;
    this.#ran = judgement.ran;
    this.#status = answer.status;
    this.#items = new Set([...items, ...blamed(plan, judgement.ran, differences)]);
    this.#differences = differences;
  }

  /** Whether it is about limits: how much of them is left, or that one is passed. */
  get isOfLimits(): boolean {
    return (
      [...this.#items].some((item) => item.startsWith("limits/")) ||
      this.#differences.some(({ in: of, where: [name] }) => {
        return of === "header" && /^(?:ratelimit|retry-after)/i.test(String(name));
      })
    );
  }

  /** Whether what is to be answered is what was to be answered then. */
  isForeseen({ endpoint, outcome }: Ran): boolean {
    const { endpoint: before, outcome: then } = this.#ran;
    const { response, error, effects } = outcome;
    if (effects.gap !== undefined || endpoint?.id !== before?.id) return false;
    if (response.status !== then.response.status || error !== then.error) return false;
    const inside = this.#differences.filter((one) => one.in === "body");
    const shown = inside.filter(({ expected }) => expected !== undefined);
    if (shown.length === 0 || this.#differences.some((one) => one.in === "status")) return true;
    const tree = parseJson(response.body ?? "");
    if (!tree.ok) return response.body === then.response.body;
    const items = itemsNeeded(shown);
    return shown.some(({ where, expected = "" }) =>
      hasLike(tree.value, where, { kind: kindOf(expected), items }),
    );
  }

  /** Whether the answer is broken as it was then. */
  isShown(judgement: Judgement, { status }: Answer): boolean {
    if (judgement.is !== "broken" || status !== this.#status) return false;
    const { ran, differences, suspects } = judgement;
    if (!this.isForeseen(ran)) return false;
    const items = [...suspects, ...blamed(this.#plan, ran, differences)];
    return items.some((item) => this.#items.has(item));
  }
}

/** What a JSON text begins with: of what kind its value is. */
const kindOf = (text: string): string => (/^[-\d]/.test(text) ? "0" : (text[0] ?? ""));

/** A value that is looked for. */
interface Like {
  readonly kind: string;
  /** How many items lists are to have, by where these are. */
  readonly items: ReadonlyMap<string, number>;
}

/** Where a list is, whichever items of others it is in. */
const listAt = (where: Where): string =>
  JSON.stringify(where.map((one) => (typeof one === "number" ? 0 : one)));

/** How many items lists are to have: what is told of an order needs two. */
function itemsNeeded(differences: readonly Difference[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { where } of differences) {
    for (const [depth, place] of where.entries()) {
      if (typeof place !== "number") continue;
      const at = listAt(where.slice(0, depth));
      found.set(at, Math.max(found.get(at) ?? 1, Math.min(2, place + 1)));
    }
  }
  return found;
}

/** Whether something of that kind stands there, in any item of a list. */
function hasLike(tree: Json, where: Where, like: Like, depth = 0): boolean {
  const name = where[depth];
  if (name === undefined) return kindOf(JSON.stringify(plain(tree)) ?? "") === like.kind;
  if (Array.isArray(tree)) {
    const all = tree as readonly Json[];
    const needed = like.items.get(listAt(where.slice(0, depth))) ?? 1;
    return all.length >= needed && all.some((one) => hasLike(one, where, like, depth + 1));
  }
  const inner = isJsonObject(tree) ? tree.get(String(name)) : undefined;
  return inner !== undefined && hasLike(inner, where, like, depth + 1);
}

/** A value of the same kind, as JSON.stringify takes it. */
function plain(tree: Json): unknown {
  if (Array.isArray(tree)) return [];
  if (isJsonObject(tree)) return {};
  return typeof tree === "object" && tree !== null ? 0 : tree;
}

/** What a row would hold in some fields that nobody has made yet. */
import type { Code } from "../../src/expr/index.ts";
import { kept, ruleOf } from "./fields.ts";
import type { Given } from "./rows.ts";
import { equal, type Kept, type Value } from "./values.ts";
import type { Work } from "./work.ts";
import { fieldOf } from "./world.ts";

/** The members of `it` that code reads. */
export function readOf(code: Code): readonly string[] {
  const found: string[] = [];
  JSON.stringify(code, (_, node: unknown) => {
    const one = node as { op?: string; member?: string; of?: { op?: string; name?: string } };
    const isRead = one?.op === "get" || one?.op === "has";
    if (isRead && one.of?.op === "name" && one.of.name === "it") found.push(one.member ?? "");
    return node;
  });
  return found;
}

/** Values by field; undefined: one of them is made anew each time. */
export function draftOf(
  work: Work,
  resource: string,
  given: Given,
  names: readonly string[],
): ReadonlyMap<string, Value> | undefined {
  const it = new Map<string, Value>();
  const fill = (name: string): boolean => {
    if (it.has(name)) return true;
    it.set(name, undefined);
    const field = fieldOf(work.plan, resource, name);
    const sent = field.create.is === "no" ? undefined : given.from?.get(name);
    if (given.assigned.has(name) || sent !== undefined) {
      it.set(name, keep(given.assigned.has(name) ? given.assigned.get(name) : sent));
      return true;
    }
    const set = ruleOf(field, "set");
    const isSet = set !== undefined && (set.onCreate || set.changes.length > 0);
    const rule = isSet ? set : ruleOf(field, "starts");
    if (rule === undefined) {
      const isMade = ruleOf(field, "counts up") ?? ruleOf(field, "random");
      return isMade === undefined && field.type.type.kind !== "id";
    }
    if (!readOf(rule.value.code).every(fill)) return false;
    it.set(name, keep(work.eval(rule.value, [["it", it]])));
    return true;

    function keep(value: Value): Value {
      const salted = /^(argon2id|scrypt)$/.test(ruleOf(field, "kept as")?.hash.kind ?? "");
      return salted ? value : kept(work, field, value);
    }
  };
  return names.every(fill) ? it : undefined;
}

/** Whether a kept value is the one that would be kept. */
export function sameKept(a: Value, b: Value): boolean {
  const [x, y] = [a as Partial<Kept> | null, b as Partial<Kept> | null];
  if (x?.plain !== undefined && y?.plain !== undefined) return x.plain === y.plain;
  return equal(a, b);
}

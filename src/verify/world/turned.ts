/** A store whose rows come in another order wherever the document asks for none. */
import type { Plan } from "../../plan/index.ts";
import type { Session, Value } from "../../run/index.ts";

/** Orders in which rows, and items of lists, come where none is asked for. */
export interface Turn {
  /** Where a value of a field comes among others: the smaller is first; of equal ones the later. */
  rank(value: Value, field: string): number;
}

/** The same rows, and items of lists, in another order wherever none is asked for. */
export function turned(session: Session, plan: Plan, { rank }: Turn): Session {
  const fieldsOf = (resource: string) =>
    plan.resources.find((one) => one.name === resource)?.fields ?? [];
  const inOrder = <T>(all: readonly T[], rankOf: (one: T) => number): readonly T[] =>
    all.toReversed().toSorted((a, b) => rankOf(a) - rankOf(b));
  const all: Session["all"] = (resource, having) => {
    const key = plan.resources.find((one) => one.name === resource)?.key;
    const place = fieldsOf(resource).findIndex((one) => one.name === key);
    return inOrder(session.all(resource, having), ({ values }) => rank(values[place], key ?? ""));
  };
  const differentItems = (resource: string, field: string): readonly Value[] => {
    const place = fieldsOf(resource).findIndex((one) => one.name === field);
    const items = all(resource).flatMap(({ values }) => (values[place] ?? []) as readonly Value[]);
    return inOrder([...new Set(items)], (one) => rank(one, field));
  };
  return new Proxy(session, {
    get: (target, name) => {
      if (name === "all") return all;
      if (name === "differentItems") return differentItems;
      const found: unknown = Reflect.get(target, name);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}

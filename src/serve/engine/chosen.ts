/** A store and a plan in which what the document leaves free is chosen by a seed. */
import type { Plan } from "../../plan/index.ts";
import type { Chooser, Query, Row, Session, Slice, Value } from "../../run/index.ts";

const nameOf = ({ resource, key }: Row): string => `${resource} ${key}`;

function within(rows: readonly Row[], slice: Slice | undefined): readonly Row[] {
  const from = Number(slice?.offset ?? 0n);
  return rows.slice(from, slice?.limit === undefined ? undefined : from + Number(slice.limit));
}

/**
 * A session whose rows come in an order chosen by a seed wherever none is asked for. A query that
 * asks for an order keeps it; rows that are equal in that order come in any.
 */
export function chosenSession(session: Session, chooser: Chooser): Session {
  const own: Partial<Session> = {
    able: (query) =>
      (query.order.length === 0 || query.columns !== undefined) && session.able(query),
    rows: (query: Query, args: readonly Value[], slice?: Slice) => {
      const all = session.rows(query, args);
      return all && within(chooser.inOrder(all, nameOf), slice);
    },
    all: (resource) => chooser.inOrder(session.all(resource), nameOf),
    differentItems: (resource, field) => {
      const items = session.differentItems(resource, field);
      return items && chooser.inOrder(items, (item) => `${field} ${String(item)}`);
    },
  };
  return new Proxy(session, {
    get: (target, name) => {
      const found = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}

const PRECISIONS = ["seconds", "milliseconds", "microseconds"] as const;

/** The plan with the precision of timestamps that is free in it chosen. */
export function chosenPlan(plan: Plan, chooser: Chooser): Plan {
  chooser.begin("precision");
  const value = PRECISIONS[chooser.pick(PRECISIONS.length)];
  const chosen = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(chosen);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, one]) => {
        const isFree = name === "precision" && (one as { is?: unknown }).is === "free";
        return [name, isFree ? { ...one, is: "stated", value } : chosen(one)];
      }),
    );
  };
  return plan.about.precision.is === "free" ? (chosen(plan) as Plan) : plan;
}

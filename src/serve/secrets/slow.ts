/** Tells, from the plan alone, at which endpoints slow hashes can be needed. */
import { type Endpoint, isStated, type Plan } from "../../plan/index.ts";
import { isSlow } from "./secrets.ts";

interface Slow {
  /** Resources with secrets whose hash is slow, and the names of these fields. */
  readonly resources: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

function slowOf({ resources, partTypes }: Plan): Slow {
  const found = [...resources, ...partTypes].flatMap(({ name, fields }) =>
    fields
      .filter(({ rules }) => rules.some((rule) => rule.kind === "kept as" && isSlow(rule.hash)))
      .map((field) => ({ name, field: field.name })),
  );
  return {
    resources: new Set(found.map((one) => one.name)),
    fields: new Set(found.map((one) => one.field)),
  };
}

/** Whether any secret of the plan has a slow hash. */
export function hashesSlowly(plan: Plan): boolean {
  return slowOf(plan).fields.size > 0;
}

/** Whether something in a piece of the plan makes or compares such a secret, or leads elsewhere. */
function needs(slow: Slow, piece: unknown, elsewhere: () => boolean): boolean {
  if (typeof piece !== "object" || piece === null) return false;
  if (Array.isArray(piece)) return piece.some((one) => needs(slow, one, elsewhere));
  const { kind, op, fn, resource, field } = piece as Record<string, unknown>;
  if (op === "call" && fn === "password_matches") return true;
  if (kind === "create" && slow.resources.has(String(resource))) return true;
  if (kind === "set" && slow.fields.has(String(field))) return true;
  if ((kind === "do" || kind === "fire") && elsewhere()) return true;
  return Object.values(piece).some((one) => needs(slow, one, elsewhere));
}

/** Whether a request to the endpoint may need one; where it is wrong, hashes are made at once. */
export function mayHash(plan: Plan, endpoint: Endpoint): boolean {
  const slow = slowOf(plan);
  if (slow.fields.size === 0) return false;
  const elsewhere = (): boolean => needs(slow, [plan.routines, plan.machines], () => false);
  const { body, steps } = endpoint;
  const sent =
    isStated(body) && body.value.content.is !== "type" ? [body.value.content.resource] : [];
  const all = [plan.prologue, steps];
  const sets = JSON.stringify(all).includes('"kind":"set from"');
  if (sets && sent.every((one) => slow.resources.has(one))) return true;
  return needs(slow, [...all, endpoint.bindings, plan.schemes], elsewhere);
}

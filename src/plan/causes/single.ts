/** What single items of a plan consult: rules of rows, limits, the tokens of a scheme. */
import { never } from "../../base/index.ts";
import { schemasFrom } from "../schemas.ts";
import type {
  Answer,
  Expression,
  ItemId,
  Limit,
  Refusal,
  ResourceInvariant,
  Schema,
  Service,
} from "../types/index.ts";

/** Takes what is consulted. */
interface Gathers {
  add(...ids: readonly ItemId[]): void;
  answer<T>(answer: Answer<T>): T | undefined;
  expression(expression: Expression | undefined): void;
  refusal(refusal: Refusal): void;
  shows(name: string): void;
}

/** A rule of rows is judged. */
export function judged(to: Gathers, invariant: ResourceInvariant): void {
  switch (invariant.kind) {
    case "always":
      to.add(invariant.id);
      to.expression(invariant.condition);
      if (invariant.otherwise !== undefined) to.refusal(invariant.otherwise);
      return;
    case "unique":
      to.add(invariant.id);
      to.expression(invariant.where);
      if (invariant.otherwise !== undefined) to.refusal(invariant.otherwise);
      return;
    case "gap":
      if (invariant.of === "always" || invariant.of === "unique") to.add(invariant.gap);
      return;
    case "missing":
    case "rows":
    case "kept for":
    case "changed never":
    case "deleted never":
    case "deleted refused":
      return;
    default:
      never(invariant);
  }
}

/** A limit is counted, and may be passed. */
export function limited(to: Gathers, limit: Limit): void {
  to.add(limit.id);
  to.expression(to.answer(limit.amount)?.value);
  to.answer(limit.per);
  const window = to.answer(limit.window);
  if (window?.is === "day") to.expression(window.zone);
  const passed = to.answer(limit.whenPassed);
  if (passed !== undefined) to.refusal(passed);
}

/** The items of the scheme by which tokens are issued. */
export function tokenIssued(to: Gathers, schemes: Service["schemes"]): void {
  for (const scheme of schemes) {
    const credential = to.answer(scheme.credential);
    if (credential?.is !== "jwt") continue;
    to.add(scheme.id);
    if (credential.key !== "jwks") to.expression(credential.key);
    // Whose tokens they are is known by the caller that they name.
    to.answer(scheme.caller);
    for (const one of [scheme.issuer, scheme.audience, scheme.lifetime]) to.answer(one);
    to.expression(to.answer(scheme.subject));
  }
}

/** A datum that words of a call bring: `said:charge`; one of them: `said:charge:settled`. */
export function saidOf(
  to: Gathers,
  calls: Service["calls"],
  { of, member }: { readonly of: string; readonly member: string },
): void {
  const [, name, only] = of.split(":");
  const call = calls.find((one) => one.name === name);
  for (const { word, data } of call?.says ?? []) {
    const isIt = only === undefined || only === word;
    const comes = data.some((one) => one.name === member);
    if (call !== undefined && isIt && comes) to.add(`${call.id}/${word}`);
  }
}

/** An event is sent: what keeps its data from being made refuses the request. */
export function emitted(to: Gathers, events: Service["events"], name: string): void {
  const event = events.find((one) => one.name === name);
  if (event === undefined) return;
  to.add(event.id);
  if (event.data.is === "gap") to.add(event.data.gap);
  // It is made though nobody gets it, and may meet what is not shown of that.
  if (event.data.is === "stated") {
    to.expression(event.data.value.of);
    to.shows(event.data.value.shape);
  }
  if (event.sentTo.is === "gap") to.add(event.sentTo.gap);
}

/** A schema, those that it refers to, and how texts stand for its values. */
export function schemaUsed(uses: Gathers, all: readonly Schema[] = [], name: string): void {
  for (const one of schemasFrom(all, name)) {
    uses.add(one.id);
    uses.answer(one.schema);
    if (one.name === name && one.asText !== undefined) uses.add(one.asText);
  }
}

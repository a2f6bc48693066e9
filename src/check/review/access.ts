/** Review: who may do what, and what those who may not do it learn. */
import type { Code } from "../../expr/index.ts";
import {
  type Endpoint,
  isStated,
  type Refusal,
  type Resource,
  statedOf,
} from "../../plan/index.ts";
import { isOpen, isWalled, needsCaller, readsCaller, stepsOf } from "../rules/asked.ts";
import type { Rule, RuleContext } from "../rules/context.ts";
import { endpointKey } from "../rules/places.ts";
import { question, writes } from "./common.ts";

interface Reached {
  readonly endpoint: Endpoint;
  readonly guarded: boolean;
  readonly writes: boolean;
  readonly actors: readonly string[];
}

/** The endpoints whose path names a row of the resource. */
function reachedBy(c: RuleContext, { name }: Resource): Reached[] {
  return c.service.endpoints.flatMap((endpoint) => {
    if (!endpoint.bindings.some((one) => one.resource === name) || !needsCaller(c, endpoint)) {
      return [];
    }
    const steps = stepsOf(c, endpoint);
    return [
      {
        endpoint,
        guarded: readsCaller([endpoint.bindings, steps]),
        writes: writes(steps),
        actors: statedOf(endpoint.who) ?? [],
      },
    ];
  });
}

function owners(c: RuleContext): void {
  for (const resource of c.service.resources) {
    if (isWalled(resource)) continue;
    const all = reachedBy(c, resource);
    for (const one of all) {
      const sibling = all.find(
        (other) =>
          other.guarded &&
          other.writes === one.writes &&
          other.actors.every((actor) => one.actors.includes(actor)),
      );
      if (one.guarded || sibling === undefined) continue;
      question(c, {
        code: "owner-unasked",
        at: one.endpoint.id,
        message:
          `Any caller may name any \`${resource.name}\` here; ` +
          `\`${endpointKey(sibling.endpoint)}\` asks whose it is.`,
        hint: "Write a condition on `caller` in the Path bullet, or leave it where that is meant.",
      });
    }
  }
}

function openWrites(c: RuleContext): void {
  for (const endpoint of c.service.endpoints) {
    if (!isOpen(c, endpoint) || endpoint.bindings.length === 0 || endpoint.method === "GET") {
      continue;
    }
    const steps = stepsOf(c, endpoint);
    // Who shows a secret of the row is asked for more than its name.
    const asks = steps.some(
      (step) => step.kind === "require" && callsIn(step.condition.code, "password_matches"),
    );
    if (!writes(steps) || asks || readsCaller(steps)) continue;
    question(c, {
      code: "open-change",
      at: endpoint.id,
      message: "Anybody who knows or guesses the path may change or delete this row.",
      hint: "Say under `Who` that a caller is needed, or that this is meant with a note.",
    });
  }
}

function callsIn(code: Code, fn: string): boolean {
  if (code.op !== "call") return false;
  return code.fn === fn || code.args.some((one) => callsIn(one, fn));
}

/** Fields of callers that make them an actor, and that callers may give themselves. */
function roles(c: RuleContext): void {
  const caller = c.service.schemes.find((one) => isStated(one.caller))?.caller;
  const name = isStated(caller) ? caller.value.resource : undefined;
  const resource = c.resources.get(name ?? "");
  if (resource === undefined) return;
  for (const field of resource.fields) {
    const decides = c.service.actors.some(
      ({ holds }) => isStated(holds) && readsField(holds.value.code, field.name),
    );
    const isGiven = [field.create, field.update].some(({ is }) =>
      ["required", "optional", "merged", "required when"].includes(is),
    );
    const bodies = [`new:${resource.name}`, `changed:${resource.name}`];
    if (!decides || !isGiven || !bodies.some((one) => c.writes.bodies.has(one))) continue;
    question(c, {
      code: "role-given",
      at: field.id,
      message: `\`${field.name}\` decides what a caller may do, and a body may give it.`,
      hint: "Write `no` under Create and Update and set it in a step, if that is not meant.",
    });
  }
}

function readsField(code: Code, field: string): boolean {
  if (code.op === "get") {
    const isOwn = code.of.op === "name" && code.of.name === "caller" && code.member === field;
    return isOwn || readsField(code.of, field);
  }
  return code.op === "call" && code.args.some((one) => readsField(one, field));
}

const errorOf = (refusal: Refusal | undefined): string | undefined =>
  refusal?.is === "error" ? refusal.error : undefined;

/** A row that others own is told from one that is not there. */
function existence(c: RuleContext): void {
  const statusOf = (name: string | undefined): number | undefined => {
    const status = c.errors.get(name ?? "")?.status;
    return statedOf(status);
  };
  for (const endpoint of c.service.endpoints) {
    const missing = endpoint.bindings.map((one) => statusOf(errorOf(one.otherwise)));
    if (!missing.includes(404)) continue;
    const step = endpoint.steps.find(
      (one) =>
        one.kind === "require" &&
        readsCaller(one.condition) &&
        statusOf(errorOf(one.otherwise)) === 403,
    );
    if (step === undefined) continue;
    question(c, {
      code: "exists-told",
      at: step.id,
      message: "403 here and 404 above tell a stranger which rows of others there are.",
      hint: "Ask in the Path bullet (`where it.owner == caller`): both get 404 then.",
    });
  }
}

/** Reports `owner-unasked`, `open-change`, `role-given` and `exists-told`. */
export const access: Rule = (c) => {
  owners(c);
  openWrites(c);
  roles(c);
  existence(c);
};

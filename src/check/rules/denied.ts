/** Rule: what a document says there is none of is not used in it. */
import { references } from "../../expr/index.ts";
import {
  type Answer,
  generalBodies,
  type ItemId,
  isStated,
  type Refusal,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** A use, with the item at which it stands and what it uses, in words. */
interface Found {
  readonly at: ItemId;
  readonly none: Extract<Answer<unknown>, { is: "none" }>;
  readonly message: string;
  readonly hint: string;
}

type Find = (c: RuleContext) => readonly Found[];

const bodies: Find = (c) => {
  const { bodyFormat: none } = c.service.about;
  const [at] = none.is === "none" ? generalBodies(c.service) : [];
  if (none.is !== "none" || at === undefined) return [];
  const message = "This body has no media type: the body format is none.";
  return [{ at, none, message, hint: "State the body format, or the media type of this body." }];
};

const bodyParts: Find = (c) =>
  c.service.endpoints.flatMap(({ id, body: none, inputs, format }): Found[] => {
    // What is said of every endpoint gives way to what one says of itself.
    if (none.is !== "none" || !none.id.startsWith(id)) return [];
    const hint = "State the body, or take this away.";
    const row = inputs.find((one) => one.in === "body");
    if (row !== undefined) {
      return [{ at: row.id, none, hint, message: "This stands in a body, and there is none." }];
    }
    const message = "This is the media type of a body, and there is none.";
    const at = `${id}/body format`;
    return format === undefined || !c.origins.has(at) ? [] : [{ at, none, hint, message }];
  });

const keys: Find = (c) =>
  c.service.endpoints.flatMap(({ who: none, idempotency }): Found[] => {
    const per = idempotency?.per;
    if (none.is !== "none" || !isStated(per) || per.value !== "caller") return [];
    const message = "Keys are looked for among those of the caller, and nobody is asked who calls.";
    const hint = "Say who may ask, or look for keys per address or among those of everyone.";
    return [{ at: per.id, none, message, hint }];
  });

function issuesTokens(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ((value as { fn?: unknown }).fn === "token") return true;
  return Object.values(value).some(issuesTokens);
}

const subjects: Find = (c) => {
  if (!issuesTokens([c.service.shapes, c.steps.map(({ step }) => step)])) return [];
  return c.service.schemes.flatMap(({ subject: none, caller }): Found[] => {
    if (none.is !== "none" || !isStated(caller)) return [];
    const { members } = references(caller.value.where.code);
    if (!members.some((one) => one.of === "claims" && one.member === "sub")) return [];
    const message = "`claims.sub` finds the caller, and the tokens of this service have no `sub`.";
    return [{ at: caller.id, none, message, hint: "State the `Subject` of tokens." }];
  });
};

const versions: Find = (c) => {
  const { version: none, chosenBy } = c.service.versioning;
  // Of a path it is its beginning that is compared, whatever the version is called.
  if (none.is !== "none" || !isStated(chosenBy) || chosenBy.value.by === "path") return [];
  const message = "Requests choose a version, and this document has none.";
  return [{ at: chosenBy.id, none, message, hint: "State `This version`." }];
};

/** Refusals with `with` values, wherever a service holds them. */
function refusalsIn(value: unknown, found: Extract<Refusal, { is: "error" }>[]): void {
  if (typeof value !== "object" || value === null) return;
  const one = value as Refusal;
  if (one.is === "error" && Array.isArray(one.with) && one.with.length > 0) found.push(one);
  for (const member of Object.values(value)) refusalsIn(member, found);
}

const values: Find = (c) => {
  const bare = new Map(
    c.service.errors.flatMap(({ name, body }) => (body.is === "none" ? [[name, body]] : [])),
  );
  if (bare.size === 0) return [];
  const refusals: Extract<Refusal, { is: "error" }>[] = [];
  refusalsIn(c.service, refusals);
  return refusals.flatMap(({ id, error }): Found[] => {
    const none = bare.get(error);
    const message = `\`${error}\` has no body that could show the values behind \`with\`.`;
    return none === undefined ? [] : [{ at: id, none, message, hint: "Give it a body." }];
  });
};

const finders: readonly Find[] = [bodies, bodyParts, keys, subjects, versions, values];

/** Reports `contradiction`. What reads a name that there is none of is an unknown name. */
export const denied: Rule = (c) => {
  for (const { at, none, message, hint } of finders.flatMap((find) => find(c))) {
    const there = c.origins.get(none.id);
    report(c, {
      code: "contradiction",
      severity: "error",
      at,
      message,
      hint,
      ...(there === undefined ? {} : { related: [{ span: there, message: "none here" }] }),
    });
  }
};

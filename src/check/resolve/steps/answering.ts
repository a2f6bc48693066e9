/** Resolves the sentences that call, do named steps, respond, refuse, check and require. */
import { nearestWithin } from "../../../base/index.ts";
import type { Type } from "../../../expr/index.ts";
import type { Assignment, CheckKind, ResponseBody, Step } from "../../../plan/index.ts";
import type { TextSlot } from "../../../spec/index.ts";
import {
  resolve,
  resolveAssigns,
  resolveRefusal,
  UNKNOWN,
  withNames,
} from "../names/expression.ts";
import {
  bulletsOf,
  groupOf,
  known,
  type Resolver,
  report,
  slotOf,
  textOf,
  unknownName,
} from "../names/resolver.ts";
import { exprType, shownNames } from "../names/types.ts";
import { givenOf } from "../resources/shapes.ts";
import {
  type At,
  assigns,
  hiddenStep,
  placeOf,
  rowNamed,
  rowType,
  slot,
  tail,
  text,
} from "./at.ts";
import { conditionIn } from "./conditions.ts";
import { ended, type Flow, learned, named, rowsChanged, type Stepped } from "./flow.ts";

/** Names in code spans, joined by commas. */
function spanned(names: Iterable<string>): string {
  return [...names].map((name) => `\`${name}\``).join(", ");
}

/** Assignments to the Given names of a routine, call or shape; each must be given once. */
function givenAssigns(at: At, kind: "routine" | "call" | "type", name: TextSlot): Assignment[] {
  const section = at.r.declared.get(kind)?.get(name.text)?.section;
  const given = section === undefined ? [] : givenOf(at.r, at.flow.names, section);
  const types = new Map(
    given.map((one) => {
      const type = exprType(at.flow.names, one.type);
      return [one.name, { type, absent: one.type.orAbsent }] as const;
    }),
  );
  const items = assigns(at);
  for (const item of items) {
    if (section !== undefined && !types.has(item.name.text)) {
      const near = nearestWithin(at.r.compared, item.name.text, types.keys());
      report(at.r, "unknown-name", item.name, {
        message: `\`${name.text}\` has no Given name \`${item.name.text}\`.`,
        hint:
          near === undefined
            ? `Its Given names: ${spanned(types.keys()) || "none"}.`
            : `Nearest: \`${near}\`.`,
      });
    }
  }
  for (const one of types.keys()) {
    if (items.some((item) => item.name.text === one)) continue;
    report(at.r, "not-given", at.match, {
      message: `\`${name.text}\` needs \`${one}\`.`,
      hint: `Write \`${one}\` = and its value behind 'with'.`,
    });
  }
  return resolveAssigns(at.r, items, placeOf(at), (one) => types.get(one.text));
}

/** Resolves `Call`: what it says is known under the name behind `as`. */
export function call(at: At): Stepped {
  const name = slot(at, "call");
  const as = text(at, "as");
  const found = known(at.r, "call", name);
  const given = found ? givenAssigns(at, "call", name) : [];
  const otherwise = tail(at);
  const section = at.r.declared.get("call")?.get(name.text)?.section;
  const kind = textOf(bulletsOf([section], "kind")[0]?.match, "kind");
  if (kind === "long" && (as !== "" || otherwise !== undefined)) {
    report(at.r, "contradiction", at.match, {
      message: `\`${name.text}\` answers later: nothing is said at this step.`,
      hint:
        `Take \`as\` and \`else\` away; a transition with ` +
        `\`call \`${name.text}\` says ...\` under On takes the answer.`,
    });
  }
  const step: Step = {
    id: at.id,
    kind: "call",
    call: name.text,
    with: given,
    ...(as === "" ? {} : { as }),
    ...(otherwise === undefined ? {} : { otherwise }),
  };
  return {
    step,
    flow: as === "" ? at.flow : named(at.flow, as, { kind: "object", name: `said:${name.text}` }),
  };
}

/** Resolves `Do`: named steps, behind which rows may have changed. */
export function doRoutine(at: At): Stepped {
  const name = slot(at, "routine");
  const found = known(at.r, "routine", name, "named steps");
  const given = found ? givenAssigns(at, "routine", name) : [];
  return {
    step: { id: at.id, kind: "do", routine: name.text, with: given },
    flow: rowsChanged(at.flow),
  };
}

/** Why one value is not enough for a shape, or too much, and what to write. */
function manyGiven(shape: string, given: readonly { readonly name: string }[]) {
  if (given.length === 0) {
    return {
      message: `\`${shape}\` has no Given names.`,
      hint: `It is given nothing. Write: with \`${shape}\`, and nothing behind it.`,
    };
  }
  const values = given.map(({ name }) => `\`${name}\` = \`...\``).join(" and ");
  return {
    message: `\`${shape}\` has ${given.length} Given names.`,
    hint: `Write: with \`${shape}\` where ${values}.`,
  };
}

/** What a value must be to be shown in a shape; undefined where the name is unknown. */
export function shapeTakes(r: Resolver, flow: Flow, shape: TextSlot): Type | undefined {
  const { names } = flow;
  if (names.resources.has(shape.text)) return rowType(shape.text);
  const viewOf = names.views.get(shape.text);
  if (viewOf !== undefined) return rowType(viewOf);
  if (names.parts.has(shape.text)) return { kind: "object", name: `part:${shape.text}` };
  const section = names.shapes.get(shape.text);
  if (section !== undefined) {
    const given = givenOf(r, names, section);
    if (given.length === 1 && given[0]) return exprType(names, given[0].type);
    report(r, "not-given", shape, manyGiven(shape.text, given));
    return UNKNOWN;
  }
  unknownName(r, shape, "resource, part, view or shape", shownNames(names));
  return undefined;
}

const STRING: Type = { kind: "string" };

/** A media type with its parameters (RFC 9110 section 8.3.1). */
const MEDIA =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[ \t]*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\]*"))*$/;

/** What inside a value has no form in an answer; undefined: it has one. */
function unshown(type: Type): "secret" | "object" | undefined {
  if (type.kind === "nullable" || type.kind === "list" || type.kind === "map") {
    return unshown(type.of);
  }
  if (type.kind === "secret") return "secret";
  return type.kind === "object" && !type.name.startsWith("part:") ? "object" : undefined;
}

/** Reports a value that cannot be answered with as it is. */
function judgeShown(at: At, value: TextSlot, type: Type): void {
  const inside = unshown(type);
  if (inside === "secret") {
    report(at.r, "hidden-field", value, { message: "A secret is never shown." });
  } else if (inside !== undefined) {
    report(at.r, "hidden-field", value, {
      message: "What a request or a call has given is no part: it has no form in an answer.",
      hint: "State a shape with the members to show, and respond with that.",
    });
  }
}

/** A shape that is given nothing, by its name; undefined: it is an expression. */
function shapeAlone(at: At, value: TextSlot): ResponseBody | undefined {
  const { names, view } = at.flow;
  const section = names.shapes.get(value.text);
  if (section === undefined || view.names.has(value.text)) return undefined;
  if (givenOf(at.r, names, section).length > 0) return undefined;
  at.r.effects.shows.add(value.text);
  return { is: "shape with", shape: value.text, with: [] };
}

function responseBody(at: At): ResponseBody {
  switch (at.match.form) {
    case "respond empty":
      return { is: "none" };
    case "respond value": {
      const alone = shapeAlone(at, slot(at, "value"));
      if (alone !== undefined) return alone;
      const { expression, type } = resolve(at.r, slot(at, "value"), at.flow.view);
      if (type.kind === "row") {
        at.r.effects.shows.add(type.resource);
        return { is: "shape", shape: type.resource, list: false, of: expression };
      }
      judgeShown(at, slot(at, "value"), type);
      return { is: "value", value: expression };
    }
    case "respond text": {
      const { expression } = resolve(at.r, slot(at, "value"), at.flow.view, STRING);
      const media = slot(at, "media");
      if (!MEDIA.test(media.text)) {
        report(at.r, "bad-form", media, {
          message: `\`${media.text}\` is no media type.`,
          hint: "Write a type and a subtype, such as `text/plain; charset=utf-8`.",
        });
      }
      return { is: "text", value: expression, media: media.text };
    }
    case "respond with": {
      const shape = slot(at, "shape");
      const found = at.flow.names.shapes.has(shape.text);
      if (!found) unknownName(at.r, shape, "shape", at.flow.names.shapes.keys());
      at.r.effects.shows.add(shape.text);
      return {
        is: "shape with",
        shape: shape.text,
        with: found ? givenAssigns(at, "type", shape) : [],
      };
    }
    default: {
      const shape = slot(at, "shape");
      const list = at.match.form === "respond list";
      const takes = shapeTakes(at.r, at.flow, shape);
      at.r.effects.shows.add(shape.text);
      const expected: Type | undefined =
        takes === undefined ? undefined : list ? { kind: "list", of: takes } : takes;
      const { expression } = resolve(at.r, slot(at, "of"), at.flow.view, expected);
      return { is: "shape", shape: shape.text, list, of: expression };
    }
  }
}

/** Resolves `Respond`: ends the flow. Reports one outside an endpoint, or a body with a 204. */
export function respond(at: At): Stepped {
  const { kind, section } = at.flow;
  if (kind !== "endpoint" || groupOf(section, at.match) !== undefined) {
    report(at.r, "no-respond-here", at.match, {
      message: "Only an endpoint's own steps can respond.",
    });
  }
  const status = Number(text(at, "status"));
  const body = responseBody(at);
  if (body.is !== "none" && (status === 204 || status === 304)) {
    report(at.r, "contradiction", slot(at, "status"), {
      message: `An answer ${status} has no body.`,
      hint: "RFC 9110 section 15.3.5: write `with no body`, or another status.",
    });
  }
  const headers = resolveAssigns(at.r, assigns(at, "headers"), placeOf(at), () => ({
    type: { kind: "nullable", of: STRING },
    absent: true,
  }));
  return { step: { id: at.id, kind: "respond", status, body, headers }, flow: ended(at.flow) };
}

/** Resolves `Refuse`: ends the flow. */
export function refuse(at: At): Stepped {
  const withs = assigns(at);
  const error = slot(at, "error");
  const on = slotOf(at.match, "on");
  const refusal = resolveRefusal(
    at.r,
    {
      kind: "refusal",
      gap: false,
      error,
      with: withs,
      start: error.start,
      end: error.end,
      ...(on === undefined ? {} : { on }),
    },
    placeOf(at),
  );
  return {
    step: { id: at.id, kind: "refuse", refusal, keep: at.match.slots.keep !== undefined },
    flow: ended(at.flow),
  };
}

/** Resolves `Check the ...`: reports one that stands elsewhere than under `### Every endpoint`. */
export function check(at: At): Stepped {
  if (at.flow.kind !== "prologue") {
    report(at.r, "no-check-here", at.match, {
      message: "This step stands under `### Every endpoint` alone.",
    });
  }
  const what = text(at, "what") as CheckKind;
  const seen = what === "inputs" ? (at.flow.inputs ?? []) : [];
  const view = seen.length === 0 ? at.flow.view : withNames(at.flow.view, seen);
  return { step: { id: at.id, kind: "check", what }, flow: { ...at.flow, view } };
}

/** Resolves `Check the tag of`: reports a row whose resource states no version tag. */
export function checkTag(at: At): Stepped {
  const of = slot(at, "of");
  const hidden = hiddenStep(at, of);
  if (hidden !== undefined) return hidden;
  const resource = rowNamed(at, of);
  const section = resource === undefined ? undefined : at.flow.names.resources.get(resource);
  if (section !== undefined && !section.bullets.some((one) => one.key === "version tag")) {
    report(at.r, "unknown-name", of, {
      message: `\`${resource}\` states no version tag.`,
      hint: "Write `- Version tag: ...` at the resource.",
    });
  }
  return { step: { id: at.id, kind: "check tag", of: of.text }, flow: at.flow };
}

/** Resolves `Require`: behind it the condition holds. */
export function require_(at: At): Stepped {
  const condition = conditionIn(at.r, at.match.slots.condition, at.flow.view);
  const otherwise = tail(at) ?? { is: "gap" as const, gap: at.id };
  return {
    step: { id: at.id, kind: "require", condition: condition.expression, otherwise },
    flow: learned(at.flow, condition.whenTrue),
  };
}

/** Resolves the body of an endpoint: whole, or member by member. */
import { chosen, type Member, type Type } from "../../../expr/index.ts";
import type { Answer, Body, Input, Rule } from "../../../plan/index.ts";
import type { BulletNode, Match, TextSlot } from "../../../spec/index.ts";
import { answer } from "../names/asking.ts";
import { bulletsOf, origin, report, slotOf, textOf, unknownName } from "../names/resolver.ts";
import { exprType, valueType } from "../names/types.ts";
import { addMember, type Objects, type Place } from "./request.ts";

const METHODS_WITH_BODY = new Set(["POST", "PUT", "PATCH"]);

function bodyRules(place: Place, bullet: BulletNode): Rule[] {
  if (bullet.match.slots.rule === undefined) return [];
  return [{ id: origin(place.r, `${bullet.id}/rule`, bullet), kind: "at least one member" }];
}

/** The body that makes or changes a resource, with the members that rows of the table add. */
function withMembers(
  { r, key }: Place,
  objects: Objects,
  resource: TextSlot,
  type: Type & { readonly kind: "object" },
): Type {
  if (objects.body.size === 0) return type;
  const own = r.objects.get(type.name) ?? new Map<string, Member>();
  const isHidden = (name: string) => own.get(name)?.type.kind === "unknown";
  const placed = [...objects.body.keys()].filter((name) => !objects.unplaced.has(name));
  const twice = placed.find((name) => own.has(name) && !isHidden(name));
  if (twice !== undefined) {
    report(r, "contradiction", resource, {
      message: `\`${twice}\` is a member of this body by the table of \`${resource.text}\`, too.`,
      hint: "Write `no` for it there, or take the row out of the input table.",
    });
  }
  const name = `${type.name} with ${key}`;
  r.objects.set(name, new Map([...own, ...objects.body]));
  return { kind: "object", name };
}

function readBody(
  place: Place,
  objects: Objects,
  match: Match,
  bullet: BulletNode,
): Body | undefined {
  const { r, names } = place;
  const [format] = bulletsOf([place.section, place.every], "body format");
  const media = textOf(format?.match, "media");
  const common = {
    id: bullet.id,
    rules: bodyRules(place, bullet),
    ...(media === "" ? {} : { format: media }),
  };
  const member = slotOf(match, "member");
  const resource = slotOf(match, "resource");
  if (resource !== undefined) {
    const kind = textOf(match, "kind") as "new" | "changed";
    const isPart = names.parts.has(resource.text);
    if (!names.resources.has(resource.text) && !isPart) {
      unknownName(r, resource, "resource", names.resources.keys());
      return undefined;
    }
    const type = { kind: "object" as const, name: `${kind}:${resource.text}` };
    if (member === undefined) objects.whole = withMembers(place, objects, resource, type);
    else addMember(place, objects.body, member, { type, absent: false });
    return {
      ...common,
      ...(member === undefined ? {} : { member: member.text }),
      content: { is: kind, resource: resource.text },
    };
  }
  const slot = match.slots.type;
  if (slot?.kind !== "type") return undefined;
  const type = valueType(r, names, slot);
  if (type.orAbsent) {
    report(r, "wrong-type", slot, {
      message: "A whole body is not `or absent`: no expression can ask whether it is there.",
      hint: "State its members: a body in which each may be left out need not be sent.",
    });
  }
  objects.whole = chosen(exprType(names, type));
  return { ...common, content: { is: "type", type } };
}

/** Bullets `Body: `member`, type` are inputs of the body, as rows of the input table are. */
export function bodyInputs(place: Place, objects: Objects): Input[] {
  const { r, names } = place;
  return bulletsOf([place.section, place.every], "body").flatMap((bullet): Input[] => {
    const name = slotOf(bullet.match, "member");
    const slot = bullet.match.slots.type;
    if (name === undefined || slot?.kind !== "type" || bullet.status !== "stated") return [];
    const type = valueType(r, names, slot);
    const member = { type: chosen(exprType(names, type)), absent: type.orAbsent };
    addMember(place, objects.body, name, member);
    const id = origin(r, bullet.id, bullet);
    const needed = type.orAbsent ? "no" : "yes";
    return [{ id, name: name.text, in: "body", type, needed, rules: [] }];
  });
}

/** The answer to what the body is; reports one stated whole and by members too. */
export function body(place: Place, objects: Objects, method: string): Answer<Body> {
  const members = objects.body.size > 0;
  const isWhole = (one: BulletNode) => one.match.form !== "body member type";
  const bullet = bulletsOf([place.section, place.every], "body").find(isWhole);
  const isPlaced = [...objects.body.keys()].some((name) => !objects.unplaced.has(name));
  if (isPlaced && bullet?.match.form === "body type" && bullet.status === "stated") {
    report(place.r, "contradiction", bullet, {
      message: "The whole body stands here, and members of it in the input table.",
      hint: "State the body in one of the two.",
    });
  }
  return answer(place, "body", (match, one) => readBody(place, objects, match, one), {
    raised: METHODS_WITH_BODY.has(method) && !members,
    only: isWhole,
  });
}

/** Security schemes, and which of them a request to an endpoint needs. */
import { type Answer, gapOf, isStated, type Scheme, statedOf } from "../../plan/index.ts";
import { type JsonObject, laidOver, membersOf } from "../schemas/json.ts";
import { ownName, type World } from "../schemas/world.ts";
import type { Sections } from "./sections.ts";

/** The name of a scheme among the components. */
export function nameOf({ kept }: World, { id, name }: Scheme): string {
  const imported = kept.of(id)["x-lacuna-name"];
  return ownName(typeof imported === "string" ? imported : name);
}

/** A scheme as a Security Scheme Object; undefined where it is not shown how it is sent. */
export function schemeOf({ sent, credential }: Scheme): JsonObject | undefined {
  const place = statedOf(sent);
  if (place === undefined) return undefined;
  switch (place.in) {
    case "basic":
      return { type: "http", scheme: "basic" };
    case "query":
    case "cookie":
      return { type: "apiKey", in: place.in, name: place.name };
    case "header": {
      const { name, before, after } = place;
      const word = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+) +$/.exec(before)?.[1];
      if (name.toLowerCase() !== "authorization" || word === undefined || after !== "") {
        const form = `${before}{credential}${after}`;
        const mark = form === "{credential}" ? {} : { "x-lacuna-form": form };
        return { type: "apiKey", in: "header", name, ...mark };
      }
      const isBearer = word.toLowerCase() === "bearer";
      const isJwt = statedOf(credential)?.is === "jwt";
      return {
        type: "http",
        scheme: isBearer ? "bearer" : word,
        ...(isBearer && isJwt ? { bearerFormat: "JWT" } : {}),
      };
    }
  }
}

/** The schemes by their names; undefined where there are none. */
export function securitySchemes(w: World, sections: Sections): JsonObject | undefined {
  return membersOf(
    w.plan.schemes.map((scheme) => {
      const { "x-lacuna-name": imported, ...kept } = w.kept.of(scheme.id);
      // A scheme that is kept with its type is kept whole.
      const found = kept["type"] === undefined ? schemeOf(scheme) : {};
      const name = nameOf(w, scheme);
      const given = typeof imported === "string" ? imported : scheme.name;
      const mark = given === name ? {} : { "x-lacuna-name": given };
      const own = found && { ...laidOver(found, kept), ...mark, ...sections.of(scheme.id) };
      return [name, own];
    }),
  );
}

/** What a request needs by its actors: `security`, and who they are. */
export function securityOf(w: World, who: Answer<readonly string[]>): JsonObject {
  const gap = gapOf(who);
  if (gap !== undefined) return { "x-lacuna-who": { "x-lacuna-gap": w.gap(gap) } };
  if (!isStated(who)) return { security: [] };
  const actors = { "x-lacuna-who": [...who.value] };
  const asked = w.plan.actors.filter(({ name }) => who.value.includes(name));
  const open = asked.filter(({ holds }) => holds.is === "always");
  if (open.length === who.value.length) return { security: [], ...actors };
  const isKept = ({ id }: Scheme): boolean => w.kept.of(id)["type"] !== undefined;
  const hidden = w.plan.schemes.flatMap((one) => (isKept(one) ? [] : (gapOf(one.sent) ?? [])));
  const known = w.plan.schemes.filter((one) => isStated(one.sent) || isKept(one));
  const [first] = hidden;
  const mark = first === undefined ? {} : { "x-lacuna-gap": w.gap(first) };
  if (known.length === 0) return { ...actors, ...mark };
  return {
    security: [...known.map((one) => ({ [nameOf(w, one)]: [] })), ...(open.length > 0 ? [{}] : [])],
    ...actors,
    ...mark,
  };
}

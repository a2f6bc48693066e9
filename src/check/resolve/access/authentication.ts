/** Resolves schemes and actors. */
import type { Member, Type } from "../../../expr/index.ts";
import { noFacts, withNotNull } from "../../../expr/index.ts";
import {
  type Actor,
  type Answer,
  type CredentialKind,
  type CredentialLocation,
  type Expression,
  type ItemId,
  isStated,
  type Refusal,
  type Scheme,
  statedOf,
} from "../../../plan/index.ts";
import type { Match, SectionNode, TextSlot } from "../../../spec/index.ts";
import { answer, answers, text } from "../names/asking.ts";
import { cellGap, cellIn, rowsOf, type TableRow } from "../names/cells.ts";
import { type Collected, nameOf, type Place } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { BOOLEAN, refusalSlot, resolve, resolveRefusal, withNames } from "../names/expression.ts";
import {
  firstMatch,
  isAmong,
  origin,
  type Resolver,
  report,
  sectionsOf,
  slotOf,
  textOf,
  unknownName,
} from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";

/** JWS algorithms of RFC 7518 section 3.1 and RFC 8037 that a document may state. */
const ALGORITHMS = [
  "HS256",
  "HS384",
  "HS512",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];

function placement(r: Resolver, match: Match): CredentialLocation {
  switch (match.form) {
    case "sent in query":
      return { in: "query", name: textOf(match, "name") };
    case "sent in cookie":
      return { in: "cookie", name: textOf(match, "name") };
    case "sent in basic":
      return { in: "basic" };
    default: {
      const form = slotOf(match, "form") as TextSlot;
      const at = form.text.indexOf("{credential}");
      if (at < 0) {
        report(r, "bad-form", form, {
          message: "This form has no place for the credential.",
          hint: "Write `{credential}` where it stands, such as `Bearer {credential}`.",
        });
      }
      return {
        in: "header",
        name: textOf(match, "header"),
        before: form.text.slice(0, at),
        after: form.text.slice(at + "{credential}".length),
      };
    }
  }
}

function credential(r: Resolver, match: Match): CredentialKind {
  if (match.form === "credential opaque") return { is: "opaque" };
  if (match.form === "credential basic") return { is: "basic" };
  const algorithm = slotOf(match, "algorithm") as TextSlot;
  if (!ALGORITHMS.includes(algorithm.text)) {
    unknownName(r, algorithm, "signature algorithm", ALGORITHMS);
  }
  const view = commonNames(r, "none");
  if (match.form === "credential jwks") {
    const jwks = resolve(r, slotOf(match, "keys") as TextSlot, view).expression;
    return { is: "jwt", algorithm: algorithm.text, key: "jwks", jwks };
  }
  const key = resolve(r, slotOf(match, "key") as TextSlot, view, { kind: "secret" }).expression;
  return { is: "jwt", algorithm: algorithm.text, key };
}

const CLAIMS: ReadonlyMap<string, Member> = new Map([
  ["sub", { type: { kind: "string" }, absent: false }],
  ["jti", { type: { kind: "string" }, absent: true }],
  ["iat", { type: { kind: "timestamp" }, absent: true }],
  ["exp", { type: { kind: "timestamp" }, absent: true }],
]);

/** What the Caller condition sees besides `it`. */
function credentialNames(kind: Answer<CredentialKind>): (readonly [string, Type])[] {
  const secret: Type = { kind: "secret" };
  const is = isStated(kind) ? kind.value.is : undefined;
  const found: (readonly [string, Type])[] = [];
  if (is === "jwt" || is === undefined) found.push(["claims", { kind: "object", name: "claims" }]);
  if (is === "opaque" || is === undefined) found.push(["credential", secret]);
  if (is === "basic" || is === undefined) {
    found.push(["username", { kind: "string" }], ["password", secret]);
  }
  return found;
}

/** The row that the caller is: the condition sees `it` and what the credential gives. */
function callerOf(place: Place, kind: Answer<CredentialKind>, match: Match, id: ItemId) {
  const { r, names, section } = place;
  const resource = slotOf(match, "resource") as TextSlot;
  isAmong(r, resource, "resource", names.resources);
  const view = withNames(commonNames(r, "none"), [
    ["it", { kind: "row", resource: resource.text }],
    ...credentialNames(kind),
  ]);
  const where = resolve(r, slotOf(match, "where") as TextSlot, view, BOOLEAN).expression;
  const tail = refusalSlot(match, "tail");
  const otherwise: Refusal =
    tail === undefined ? { is: "gap", gap: id } : resolveRefusal(r, tail, { id, section, view });
  return { resource: resource.text, where, otherwise };
}

/** What `sub` says, over the row that the token is issued for. */
function subjectOf(r: Resolver, match: Match): Expression {
  const { callerResource: resource, callerGap: gap } = r;
  const hidden = gap === undefined ? undefined : hiddenType(gap);
  const it: Type | undefined = resource === undefined ? hidden : { kind: "row", resource };
  const view = withNames(commonNames(r, "none"), it === undefined ? [] : [["it", it]]);
  return resolve(r, slotOf(match, "subject") as TextSlot, view).expression;
}

function scheme(place: Place): Scheme {
  const { r, section } = place;
  r.objects.set("claims", new Map(CLAIMS));
  const sent = answer(place, "sent in", (match) => placement(r, match));
  const kind = answer(place, "credential", (match) => credential(r, match));
  const ofTokens = { raised: statedOf(kind)?.is === "jwt" };
  const name = nameOf(section);
  return {
    id: origin(r, section.id, name),
    name: name.text,
    sent,
    credential: kind,
    ...answers<Scheme, "sent" | "credential">(place, {
      caller: ["caller", (match, { id }) => callerOf(place, kind, match, id)],
      subject: ["subject", (match) => subjectOf(r, match), ofTokens],
      issuer: ["issuer", text("issuer"), ofTokens],
      audience: ["audience", text("audience"), ofTokens],
      lifetime: ["lifetime", text("time"), ofTokens],
      clockSkew: ["clock skew", text("time"), ofTokens],
      revocation: ["revocation", ({ form }) => form, { raised: isStated(kind) }],
      rotation: ["rotation", ({ form }) => form, ofTokens],
    }),
  };
}

/** The actor table may stand above the first scheme or behind one. */
function actorSections(r: Resolver): SectionNode[] {
  return [...sectionsOf(r, "authentication"), ...sectionsOf(r, "scheme")];
}

/** Names of the actors that hold `always`. */
export function alwaysActors(r: Resolver): Set<string> {
  const open = rowsOf(r, actorSections(r), "actors").filter(
    (at) => cellIn(at, "Holds when")?.matches[0]?.form === "always",
  );
  return new Set(open.map(({ row }) => textOf(firstMatch(row), "name")));
}

function actor(at: TableRow): Actor {
  const { r, row } = at;
  const cell = cellIn(at, "Holds when");
  const match = cell?.matches[0];
  const name = textOf(firstMatch(row), "name");
  const id = origin(r, row.id, row.cells[0] ?? row);
  if (match?.form === "always") return { id, name, holds: { is: "always", id } };
  const slot = slotOf(match, "when");
  if (slot === undefined) {
    return { id, name, holds: { is: "gap", gap: cellGap(at, cell, "holds", name) } };
  }
  const facts = withNotNull(noFacts(), "caller");
  const view = { names: commonNames(r, "sure").names, facts };
  const value = resolve(r, slot, view, BOOLEAN).expression;
  return { id, name, holds: { is: "stated", id, value } };
}

/** Resolves schemes and actors. */
export function resolveAuthentication(
  r: Resolver,
  names: Collected,
): { schemes: Scheme[]; actors: Actor[] } {
  const schemes = sectionsOf(r, "scheme").map((section) => scheme({ r, names, section }));
  return { schemes, actors: rowsOf(r, actorSections(r), "actors").map(actor) };
}

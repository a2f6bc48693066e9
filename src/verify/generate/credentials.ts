/** Credentials that the model knows to be good, or bad on purpose, as headers and queries. */
import type { Code } from "../../expr/index.ts";
import { partsOf } from "../../expr/index.ts";
import { type Endpoint, type Scheme, statedOf } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { isAmong, isKin } from "./kin.ts";
import type { Making } from "./making.ts";
import { pickOfKind } from "./pick.ts";
import type { Random } from "./random.ts";

/** Rows of callers of which one is chosen. */
const ROWS_MAX = 16;

export interface Shown {
  /** Where it is known: the row that holds the credential. */
  readonly row?: Row | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** `name=value`; empty: nothing. */
  readonly query: string;
}

const NOTHING: Shown = { headers: [], query: "" };

/** Whether the endpoint asks who is there at all. */
export function asksWho({ plan }: Pick<Making, "plan">, { who }: Endpoint): boolean {
  const names = statedOf(who) ?? [];
  const always = plan.actors.filter((one) => one.holds.is === "always").map(({ name }) => name);
  return names.some((name) => !always.includes(name));
}

/** What a request to the endpoint presents: mostly what lets it in. */
export function credentialsFor(making: Making, endpoint: Endpoint): Shown {
  const { plan, random } = making;
  if (plan.schemes.length === 0) return NOTHING;
  const isAsked = asksWho(making, endpoint);
  if (!isAsked && random.chance(0.8)) return NOTHING;
  if (random.chance(isAsked ? making.wrong : 0.5)) return NOTHING;
  const scheme = random.pick(plan.schemes);
  const known = credentialsOf(making, scheme);
  const before = making.persona?.get(scheme.id);
  const isKnown = known.some(({ credential }) => credential === before);
  const isEnded = before !== undefined && !isKnown && !isHeld(making, scheme, before);
  if (isEnded && random.chance(ENDED)) return shownAs(scheme, before);
  const isWrong = known.length === 0 || random.chance(making.wrong);
  if (isWrong) return shownAs(scheme, `${making.tag}nobody:wrong`);
  const { credential, row } = oneOf(making, scheme, known);
  return { ...shownAs(scheme, credential), row };
}

/** Somebody whose credential is known to be good. */
export interface Caller {
  readonly scheme: string;
  readonly credential: string;
}

/** Those whose credentials are known to be good, each once. */
export function callersKnown(making: Making): readonly Caller[] {
  return making.plan.schemes.flatMap((scheme) => {
    const known = credentialsOf(making, scheme).map(({ credential }) => credential);
    return [...new Set(known)].map((credential) => ({ scheme: scheme.id, credential }));
  });
}

/** The chance that somebody comes again whose credential is good no more. */
const ENDED = 0.5;
/** The chance that somebody comes whom a request before was about. */
const NAMED = 0.5;
/** The chance that it is somebody who has to do with the rows that the request is about. */
const KIN = 0.7;
/** The chance that somebody who came before comes again. */
const AGAIN = 0.8;

function oneOf(making: Making, { id }: Scheme, known: readonly Held[]): Held {
  const { random, persona, isOneCaller = false, about = [] } = making;
  const named = known.filter(({ row }) => row !== undefined && isAmong(about, row));
  if (named.length > 0 && random.chance(NAMED)) return random.pick(named);
  const before = known.find(({ credential }) => credential === persona?.get(id));
  if (before !== undefined && (isOneCaller || random.chance(AGAIN))) return before;
  const kin = known.filter(
    ({ row }) => row !== undefined && about.some((each) => isKin(making.plan, each, row)),
  );
  const one = pickHeld(making, kin.length > 0 && random.chance(KIN) ? kin : known);
  if (before === undefined) persona?.set(id, one.credential);
  return one;
}

/** The chance that one of a kind of callers is taken, however few of them there are. */
const OF_KIND = 0.6;

function pickHeld(making: Making, known: readonly Held[]): Held {
  const { random } = making;
  const rows = known.flatMap(({ row }) => (row === undefined ? [] : [row]));
  const row = random.chance(OF_KIND)
    ? pickOfKind({ ...making, hints: undefined }, rows)
    : undefined;
  return known.find((one) => row !== undefined && one.row === row) ?? random.pick(known);
}

/** A credential, and the row that holds it. */
interface Held {
  readonly credential: string;
  readonly row: Row | undefined;
}

/** How a credential stands in a request; for Basic it is `username:password`. */
function shownAs({ sent }: Scheme, credential: string): Shown {
  const place = statedOf(sent);
  if (place === undefined) return NOTHING;
  switch (place.in) {
    case "basic":
      return one("Authorization", `Basic ${Buffer.from(credential).toString("base64")}`);
    case "header":
      return one(place.name, place.before + credential + place.after);
    case "cookie":
      return one("Cookie", `${place.name}=${credential}`);
    case "query":
      return { headers: [], query: `${place.name}=${encodeURIComponent(credential)}` };
  }
}

const one = (name: string, value: string): Shown => ({ headers: [[name, value]], query: "" });

/** Whether a row of the model, or a setting, stands for the credential. */
const isHeld = (making: Making, scheme: Scheme, credential: string): boolean =>
  credentialsOf(making, scheme, (rows) => rows).some((one) => one.credential === credential);

/** Credentials of the scheme that rows of the model or settings stand for: of some of the rows. */
function credentialsOf(
  { plan, world, random }: Making,
  scheme: Scheme,
  among = (rows: readonly Row[]): readonly Row[] => someOf(random, rows),
): readonly Held[] {
  const kind = statedOf(scheme.credential);
  const caller = statedOf(scheme.caller);
  if (kind?.is === "jwt") {
    const issued = [...world.tokens.entries()].filter(([, one]) => one.scheme === scheme.id);
    const rows = caller === undefined ? [] : world.rows(caller.resource);
    return issued.map(([credential, { claims }]) => {
      const subject = claims.get("sub") as Row["values"][number];
      return { credential, row: rows.find(({ values }) => values.includes(subject)) };
    });
  }
  if (caller === undefined) return [];
  const isBasic = statedOf(scheme.sent)?.in === "basic";
  const rows = [...membersIn(caller.where.code)].flatMap(([resource, names]) =>
    textsOf({ plan, world }, { resource, names, among }),
  );
  const words = wordsIn(caller.where.code);
  const told = [...words.settings].flatMap((name) => {
    const value = world.settings.get(name);
    return typeof value === "string" ? [value] : [];
  });
  const held = isBasic ? basicOf(rows, random) : opaqueOf(rows, told.length > 0);
  const users = [...words.literals, ...rows.flat().map(({ text }) => text), ...told];
  const apart = isBasic ? told.flatMap((one) => users.map((user) => `${user}:${one}`)) : told;
  return [...apart.map((credential) => ({ credential, row: undefined })), ...held];
}

const secretsOf = (row: readonly Text[]): readonly Text[] => row.filter(({ isSecret }) => isSecret);

/** `hasOthers`: a text that is no secret is hardly a credential. */
function opaqueOf(rows: readonly (readonly Text[])[], hasOthers: boolean): readonly Held[] {
  const all = rows.flat();
  const secrets = secretsOf(all);
  const among = secrets.length > 0 || hasOthers ? secrets : all;
  return among.map(({ text, row }) => ({ credential: text, row }));
}

function basicOf(rows: readonly (readonly Text[])[], random: Random): readonly Held[] {
  const elsewhere = rows.flatMap(secretsOf);
  return rows.flatMap((texts) => {
    const users = texts.filter(({ isSecret }) => !isSecret);
    const other = elsewhere.length > 0 ? random.pick(elsewhere) : undefined;
    const secret = secretsOf(texts)[0] ?? other;
    if (users.length === 0 || secret === undefined) {
      return texts.map(({ text, row }) => ({ credential: `${text}:`, row }));
    }
    return users.map(({ text, row }) => ({ credential: `${text}:${secret.text}`, row }));
  });
}

/** A text that a row holds. */
interface Text {
  readonly row: Row;
  readonly text: string;
  readonly isSecret: boolean;
}

/** What some rows of a resource hold in fields of those names: the texts of each row. */
function textsOf(
  { plan, world }: Pick<Making, "plan" | "world">,
  {
    resource,
    names,
    among,
  }: {
    readonly resource: string;
    readonly names: ReadonlySet<string>;
    among(rows: readonly Row[]): readonly Row[];
  },
): readonly (readonly Text[])[] {
  const fields = plan.resources.find((each) => each.name === resource)?.fields ?? [];
  const places = fields.flatMap((field, place) =>
    names.has(field.name) ? [{ field, place }] : [],
  );
  return among(world.rows(resource)).map((row) =>
    places.flatMap(({ field, place }) => {
      const value = row.values[place];
      if (typeof value !== "string") return [];
      const secret = world.secrets.plain(value);
      const isSecret = secret !== undefined || field.type.type.kind === "secret";
      return [{ row, text: secret ?? value, isSecret }];
    }),
  );
}

/** The first rows and the last, and some between. */
function someOf(random: Random, rows: readonly Row[]): readonly Row[] {
  if (rows.length <= ROWS_MAX) return rows;
  const between = Array.from({ length: ROWS_MAX / 2 }, () => random.pick(rows));
  return [...rows.slice(0, ROWS_MAX / 4), ...between, ...rows.slice(-ROWS_MAX / 4)];
}

/** Members of rows that code reads, by their resource. */
export function membersIn(
  code: Code,
  found = new Map<string, Set<string>>(),
): ReadonlyMap<string, ReadonlySet<string>> {
  if (code.op === "get" && code.of.type.kind === "row") {
    const { resource } = code.of.type;
    const names = found.get(resource) ?? new Set();
    found.set(resource, names.add(code.member));
  }
  for (const part of partsOf(code)) membersIn(part, found);
  return found;
}

/** Settings that code reads, and texts that stand in it. */
interface Words {
  readonly settings: Set<string>;
  readonly literals: Set<string>;
}

function wordsIn(code: Code, found: Words = { settings: new Set(), literals: new Set() }): Words {
  if (code.op === "get" && code.of.op === "name" && code.of.name === "setting") {
    found.settings.add(code.member);
  }
  if (code.op === "literal" && typeof code.value === "string") found.literals.add(code.value);
  for (const part of partsOf(code)) wordsIn(part, found);
  return found;
}

/** Judges whether documents can be served side by side: their choice of versions and their rows. */
import { disagreements, disagreementsOutside } from "../../change/index.ts";
import {
  type Answer,
  gapOf,
  type ItemId,
  isLaterVersion,
  isStated,
  type Plan,
} from "../../plan/index.ts";
import { CannotServe } from "../settings/refused.ts";
import { saidOfOld, versionName } from "./choice.ts";

/** A document, and where its items stand. */
export interface Beside {
  readonly plan: Plan;
  /** JSON text of places by item. */
  readonly origins: string | undefined;
  /** What it is called. Default: the file of its places. */
  readonly name?: string | undefined;
}

type Places = Readonly<
  Record<ItemId, { readonly file: string; readonly line: number; readonly column: number }>
>;

/** A document as it is spoken of. */
class Side {
  readonly plan: Plan;
  readonly name: string;
  private readonly places: Places;

  constructor({ plan, origins = "{}", name }: Beside, at: number) {
    this.plan = plan;
    this.places = JSON.parse(origins) as Places;
    this.name = name ?? Object.values(this.places)[0]?.file ?? `document ${at + 1}`;
  }

  /** `file:line:column`; the name of the document where the item has no place of its own. */
  at(item: ItemId | undefined): string {
    const place = this.places[item ?? ""];
    return place === undefined ? this.name : `${this.name}:${place.line}:${place.column}`;
  }
}

function itemOf(answer: Answer<unknown> | undefined): ItemId | undefined {
  if (answer === undefined || answer.is === "not asked") return undefined;
  return answer.is === "gap" ? gapOf(answer) : answer.id;
}

/** A way to choose in words: the name of a header means the same in capitals. */
function choiceWords({ versioning: { chosenBy } }: Plan): string {
  if (!isStated(chosenBy)) return "not stated";
  const { by, name } = chosenBy.value;
  if (by === "path") return "by path";
  return by === "header" ? `by header \`${name.toLowerCase()}\`` : `by query parameter \`${name}\``;
}

function choices(sides: readonly Side[]): string[] {
  const at = (side: Side): string => side.at(itemOf(side.plan.versioning.chosenBy));
  const open = sides.filter(({ plan }) => !isStated(plan.versioning.chosenBy));
  if (open.length > 0) {
    return open.map((one) => `It is not stated how a request chooses a version (${at(one)}).`);
  }
  const [first, ...rest] = sides as [Side, ...Side[]];
  const others = rest.filter(({ plan }) => choiceWords(plan) !== choiceWords(first.plan));
  return others.map(
    (one) =>
      `A version is chosen ${choiceWords(first.plan)} (${at(first)}), ` +
      `and ${choiceWords(one.plan)} (${at(one)}).`,
  );
}

function isWithin(path: string, other: string): boolean {
  return path === other || `${path}/`.startsWith(`${other.replace(/\/$/, "")}/`);
}

/** What keeps a request from telling which of the versions it names. */
function names(sides: readonly Side[]): string[] {
  const found: string[] = [];
  for (const [at, side] of sides.entries()) {
    const { chosenBy, version } = side.plan.versioning;
    const isByPath = isStated(chosenBy) && chosenBy.value.by === "path";
    const own = versionName(side.plan);
    const place = side.at(itemOf(isByPath ? chosenBy : version));
    if (own === undefined) {
      found.push(`It is not stated which version this is (${place}).`);
      continue;
    }
    for (const other of sides.slice(0, at)) {
      const name = versionName(other.plan) ?? "";
      const answers = other.plan.versioning;
      const before = other.at(itemOf(isByPath ? answers.chosenBy : answers.version));
      const isSame = isByPath ? isWithin(own, name) || isWithin(name, own) : own === name;
      if (isSame) {
        found.push(`Both are chosen by \`${name}\` and \`${own}\` (${before}; ${place}).`);
      } else if (!isByPath && isLaterVersion(name, own)) {
        found.push(
          `\`${own}\` (${place}) is named behind \`${name}\` (${before}): the newest comes last.`,
        );
      }
    }
  }
  return found;
}

/** What the documents say of how long the version at that place is kept: one thing, or nothing. */
function oldTimes(sides: readonly Side[], at: number): string[] {
  const said = saidOfOld(
    sides.map(({ plan }) => plan),
    at,
  ).map((answer, i) => ({
    answer,
    place: sides[at + i]?.at(itemOf(answer)) ?? "",
  }));
  const own = sides[at]?.name ?? "";
  const ended = said.find(({ answer }) => answer.is === "none");
  if (ended !== undefined) return [`${own} is an old version, and none is kept (${ended.place}).`];
  const stated = said.flatMap(({ answer, place }) =>
    isStated(answer) ? [{ text: answer.value, place }] : [],
  );
  const [first] = stated;
  return stated
    .filter(({ text }) => text !== first?.text)
    .map(
      ({ text, place }) =>
        `Old versions are kept ${first?.text} (${first?.place}), and ${text} (${place}).`,
    );
}

/**
 * Judges documents that are to be served over one store, the oldest first, the newest last. Throws
 * `CannotServe`, naming the lines of both documents.
 */
export function judgeSideBySide(documents: readonly Beside[]): void {
  const sides = documents.map((one, at) => new Side(one, at));
  const newest = sides.at(-1) as Side;
  const older = sides.slice(0, -1);
  const reasons = choices(sides);
  if (reasons.length === 0) reasons.push(...names(sides));
  for (const [at, side] of older.entries()) {
    reasons.push(...oldTimes(sides, at));
    const told = (other: Side, found: ReturnType<typeof disagreements>): string[] =>
      found.map(({ text, before, now }) => `${text} (${side.at(before)}; ${other.at(now)})`);
    reasons.push(...told(newest, disagreements(side.plan, newest.plan)));
    for (const other of older.slice(at + 1)) {
      reasons.push(...told(other, disagreementsOutside(side.plan, other.plan)));
    }
  }
  if (reasons.length === 0) return;
  throw new CannotServe([
    [
      `${sides.map(({ name }) => name).join(", ")} are not served side by side:`,
      ...new Set(reasons.map((one) => `- ${one}`)),
      "Change one of them, or serve each on a store of its own.",
    ].join("\n"),
  ]);
}

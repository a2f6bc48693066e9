/** Resolves what every answer of an endpoint carries: headers, and a tag of its body. */
import type { Member, Type } from "../../../expr/index.ts";
import type { Answer, AnswerHeader, AnswerTag } from "../../../plan/index.ts";
import type { BulletNode } from "../../../spec/index.ts";
import type { Collected } from "../names/collect.ts";
import { commonNames, withRequest, withService } from "../names/common.ts";
import { resolve, type View, withNames } from "../names/expression.ts";
import {
  bulletsOf,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  textOf,
} from "../names/resolver.ts";
import type { Place } from "./request.ts";

type Shared = readonly (readonly [name: string, type: Type])[];

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What HTTP itself sends, or the document states in another place. */
const OWN = new RegExp(
  "^(content-(length|type|encoding)|connection|date|transfer-encoding|etag|allow|" +
    "www-authenticate|set-cookie|vary|access-control-.*)$",
  "i",
);

const STATE: Type = { kind: "object", name: "limit:state" };

/** `limit.name`: how a limit on requests stands; null where it does not count the request. */
function limitNames(r: Resolver): Type | undefined {
  const members = new Map<string, Member>(
    [...(r.declared.get("limit")?.keys() ?? [])].map((name) => [
      name,
      { type: { kind: "nullable", of: STATE }, absent: false },
    ]),
  );
  if (members.size === 0) return undefined;
  r.objects.set("limit", members);
  r.objects.set(
    "limit:state",
    new Map<string, Member>([
      ...["amount", "left", "used"].map(
        (name) => [name, { type: { kind: "integer" }, absent: false }] as const,
      ),
      ["reset", { type: { kind: "timestamp" }, absent: false }],
    ]),
  );
  return { kind: "object", name: "limit" };
}

/** What a header of answers sees; what the request gives may not have been read. */
export function headerView(r: Resolver, shared: Shared): View {
  const limit = limitNames(r);
  const inputs = shared.map(([name, type]) => {
    const members = type.kind === "object" ? r.objects.get(type.name) : undefined;
    const open = [...(members ?? [])].map(
      ([key, member]) => [key, { ...member, absent: true }] as const,
    );
    r.objects.set(`sent:${name}`, new Map(open));
    return [name, { kind: "object", name: `sent:${name}` } as Type] as const;
  });
  return withNames(withRequest(r, withService(r, commonNames(r, "maybe"))), [
    ...inputs,
    ...(limit === undefined ? [] : [["limit", limit] as const]),
  ]);
}

function header(r: Resolver, bullet: BulletNode, place: Place, view: View): AnswerHeader[] {
  const name = slotOf(bullet.match, "name");
  const slot = slotOf(bullet.match, "value");
  if (name === undefined) return [];
  const id = origin(r, bullet.id, bullet);
  if (!TOKEN.test(name.text) || OWN.test(name.text)) {
    report(r, "contradiction", name, {
      message: TOKEN.test(name.text)
        ? `\`${name.text}\` is sent by HTTP itself, or stated elsewhere.`
        : `\`${name.text}\` is no name of a header.`,
      hint: "State another header.",
    });
  }
  if (bullet.status === "not shown" || slot === undefined) {
    const { section } = place;
    const gap = shownGap(r, section, bullet, `header \`${name.text}\``);
    return [{ id, name: name.text, value: { is: "gap", gap } }];
  }
  const { expression } = resolve(r, slot, view, { kind: "nullable", of: { kind: "string" } });
  return [{ id, name: name.text, value: { is: "stated", id, value: expression } }];
}

/** The headers of every answer of a place, the nearest of each name. */
export function answerHeaders(place: Place, shared: Shared): readonly AnswerHeader[] {
  const { r, section, every } = place;
  const bullets = [section, ...(every === section ? [] : [every])].flatMap((one) =>
    bulletsOf([one], "header").toReversed(),
  );
  if (bullets.length === 0) return [];
  const view = headerView(r, shared);
  const found = new Map<string, AnswerHeader>();
  for (const bullet of bullets) {
    for (const one of header(r, bullet, place, view)) {
      const key = one.name.toLowerCase();
      if (!found.has(key)) found.set(key, one);
    }
  }
  return [...found.values()].toReversed();
}

/** Whether a tag of the answer is sent; undefined: nothing is said of it. */
export function answerTag({ r, section, every }: Place): Answer<AnswerTag> | undefined {
  const bullet = bulletsOf([section, every], "version tag").at(0);
  if (bullet === undefined) return undefined;
  const id = origin(r, bullet.id, bullet);
  switch (bullet.status) {
    case "stated":
      return { is: "stated", id, value: { strong: textOf(bullet.match, "strength") === "strong" } };
    case "not shown":
      return { is: "gap", gap: shownGap(r, section, bullet, "version tag") };
    case "none":
    case "free":
      return { is: bullet.status, id };
  }
}

/** The headers that `### Every endpoint` states, for what no endpoint answers. */
export function everyHeaders(
  r: Resolver,
  names: Collected,
  shared: Shared,
): { readonly headers?: readonly AnswerHeader[] } {
  const [every] = sectionsOf(r, "every endpoint");
  if (every === undefined) return {};
  const before = r.findings.length;
  const place: Place = { r, names, section: every, every, id: every.id, key: "every" };
  const headers = answerHeaders(place, shared);
  // The endpoints have told what is wrong with them.
  if (sectionsOf(r, "endpoint").length > 0) r.findings.length = before;
  return headers.length === 0 ? {} : { headers };
}

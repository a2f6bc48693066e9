/** Compares the service's edge: authentication, events, errors, limits, versions, part 1. */
import type { Code } from "../expr/index.ts";
import {
  type About,
  type Actor,
  type Answer,
  durationOf,
  type ErrorDefinition,
  type Event,
  isStated,
  type Limit,
  type LimitAnswers,
  type Scheme,
  type Setting,
  type Step,
  type Stream,
  type Versioning,
  type Webhook,
} from "../plan/index.ts";
import { bindings, columnItem, columnList, who } from "./endpoints.ts";
import { typed } from "./fields.ts";
import {
  type Change,
  type Compare,
  each,
  gapBeside,
  type Members,
  type On,
  tell,
  tellAdded,
  tellGap,
  tellGone,
  told,
  toldSet,
  under,
  wording,
} from "./found.ts";
import { moved, paired } from "./pairs.ts";
import { isSame } from "./same.ts";
import { stepList } from "./steps.ts";

type Kind = Change["kind"];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Compares what has names: what is gone, what is new, and each member of what is in both. */
function named<T extends Named>(
  removed: Kind,
  added: Kind,
  members: Members<T>,
): Compare<readonly T[]> {
  return (before, now, on) => {
    const pairs = paired(before, now, ({ name }) => name);
    for (const { id, name } of pairs.gone) tellGone({ ...on, about: name }, removed, id);
    for (const { id, name } of pairs.added) tellAdded({ ...on, about: name }, added, id);
    for (const [old, one] of pairs.both) {
      each(members, old, one, { ...on, about: one.name, before: old.id, now: one.id });
    }
  };
}

const settings: Compare<readonly Setting[]> = named<Setting>("setting removed", "setting added", {
  id: wording,
  name: wording,
  type: typed("type of a setting changed"),
});

/** What the first part says of the service as a whole. */
export const about: Members<About> = {
  prose: wording,
  basePath: told("base path changed"),
  bodyFormat: told("body format changed"),
  nesting: told("nested names changed"),
  isolation: told("isolation of requests changed"),
  precision: told("precision of timestamps changed"),
  crossOrigin: (before, now, on) => {
    const plain = (answer: typeof before): typeof before => {
      if (!isStated(answer)) return answer;
      const { origins, headers, shown } = answer.value;
      const lower = (names: readonly string[]): readonly string[] =>
        names.map((one) => one.toLowerCase()).toSorted();
      const value = {
        ...answer.value,
        origins: origins.toSorted(),
        headers: lower(headers),
        ...(shown === undefined ? {} : { shown: lower(shown) }),
      };
      return { ...answer, value };
    };
    told("cross-origin access changed")(plain(before), plain(now), on);
  },
  settings,
};

const credential = told("credential changed");
const tokens = told("token handling changed");

/** Schemes are tried by what a request carries, in no order. */
export const schemeList: Compare<readonly Scheme[]> = named<Scheme>(
  "scheme removed",
  "scheme added",
  {
    id: wording,
    name: wording,
    sent: told("way credentials are sent changed"),
    credential,
    caller: told("caller of a credential changed"),
    issuer: credential,
    audience: credential,
    subject: tokens,
    lifetime: tokens,
    clockSkew: credential,
    revocation: tokens,
    rotation: tokens,
  },
);

export const actorList: Compare<readonly Actor[]> = named<Actor>("actor removed", "actor added", {
  id: wording,
  name: wording,
  holds: told("actor changed"),
});

export const eventList: Compare<readonly Event[]> = named<Event>("event removed", "event added", {
  id: wording,
  name: wording,
  about: told("event changed"),
  data: told("event changed"),
  sentTo: toldSet("way an event is sent changed"),
});

const webhookChanged = told("webhook changed");

const afterLast: Compare<Answer<readonly Step[]>> = (before, now, on) => {
  if (!isStated(before) || !isStated(now)) return webhookChanged(before, now, on);
  stepList(before.value, now.value, { ...on, before: before.id, now: now.id });
};

const onStatus: Compare<Webhook["onStatus"]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ status }) => String(status));
  const item = (of: string, status: number): string => `${of}/answer \`${status}\``;
  for (const { status } of gone) tellGone(on, "webhook changed", item(on.before, status));
  for (const { status } of added) tellAdded(on, "webhook changed", item(on.now, status));
  for (const [old, { status, then }] of both) {
    stepList(old.then, then, {
      ...on,
      before: item(on.before, status),
      now: item(on.now, status),
    });
  }
};

/** They stand in no order, and their names ignore case. */
const webhookHeaders: Compare<Webhook["headers"]> = (before = [], now = [], on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name.toLowerCase());
  for (const { id } of gone) tellGone(on, "webhook changed", id);
  for (const { id } of added) tellAdded(on, "webhook changed", id);
  for (const [old, one] of both) {
    webhookChanged(old.value, one.value, { ...on, before: old.id, now: one.id });
  }
};

export const webhookList: Compare<readonly Webhook[]> = named<Webhook>(
  "webhook removed",
  "webhook added",
  {
    id: wording,
    name: wording,
    receivers: webhookChanged,
    address: webhookChanged,
    sends: webhookChanged,
    signature: webhookChanged,
    headers: webhookHeaders,
    delivered: webhookChanged,
    attempts: webhookChanged,
    afterLast,
    onStatus,
    guarantee: webhookChanged,
    order: webhookChanged,
  },
);

const streamChanged = told("stream changed");

export const streamList: Compare<readonly Stream[]> = named<Stream>(
  "stream removed",
  "stream added",
  {
    id: wording,
    name: wording,
    path: streamChanged,
    who,
    sees: streamChanged,
    // The same condition, read for each resource that an event is about.
    seesByAbout: wording,
    resume: streamChanged,
    ends: streamChanged,
    bindings: (before = [], now = [], on) => void bindings(before, now, on),
    bindingGap: gapBeside,
    endsBehind: streamChanged,
    heartbeat: streamChanged,
  },
);

const headers: Compare<ErrorDefinition["headers"]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name.toLowerCase());
  const none = { is: "none", id: "" } as const;
  const all = [
    ...both.map(([old, one]) => [old.value, one.value, one.name, on] as const),
    ...gone.map(({ name, value }) => {
      return [value, none, name, { ...on, before: columnItem(on.before, name) }] as const;
    }),
    ...added.map(({ name, value }) => {
      return [none, value, name, { ...on, now: columnItem(on.now, name) }] as const;
    }),
  ];
  for (const [was, is, what, at] of all) {
    if (isSame({ ...was, id: "" }, { ...is, id: "" }) || tellGap(was, is, at)) continue;
    const kind =
      was.is === "none"
        ? "header added to an answer"
        : is.is === "none"
          ? "header removed from an answer"
          : "header of an answer changed";
    tell(at, kind, { what });
  }
};

export const errorList: Compare<readonly ErrorDefinition[]> = named<ErrorDefinition>(
  "error removed",
  "error added",
  {
    id: wording,
    name: wording,
    status: told("status changed"),
    columns: columnList("error body changed"),
    headers,
    body: told("error body changed"),
  },
);

const limitChanged = told("limit changed");

/** A plain amount: a number, or microseconds; undefined: it is told by an expression. */
function amountOf(code: Code): number | undefined {
  if (code.op !== "literal" || typeof code.value !== "string") return undefined;
  const { kind } = code.type;
  if (kind === "duration") return Number(durationOf(code.value));
  return kind === "integer" || kind === "decimal" ? Number(code.value) : undefined;
}

const amount: Compare<Limit["amount"]> = (before, now, on) => {
  if (isStated(before) && isStated(now)) {
    const [was, is] = [amountOf(before.value.value.code), amountOf(now.value.value.code)];
    const isSure = before.value.atLeast === now.value.atLeast;
    if (isSure && was !== undefined && is !== undefined && was !== is) {
      const told = { was: before.value.value.text, is: now.value.value.text };
      return tell(on, is < was ? "limit lowered" : "limit raised", told);
    }
  }
  limitChanged(before, now, on);
};

const limit: Members<Limit> = {
  id: wording,
  name: wording,
  // Follows from what it counts.
  facet: wording,
  counts: under("counts", toldCounts),
  per: limitChanged,
  amount,
  window: limitChanged,
  whenPassed: limitChanged,
};

/** Transitions of which a field is summed are in any order. */
function toldCounts(before: Limit["counts"], now: Limit["counts"], on: On): void {
  const plain = (one: Limit["counts"]): Limit["counts"] =>
    one.is === "sum" ? { ...one, transitions: one.transitions.toSorted() } : one;
  limitChanged(plain(before), plain(now), on);
}

/** The first limit that is passed answers. */
export const limitList: Compare<readonly Limit[]> = (before, now, on) => {
  named("limit removed", "limit added", limit)(before, now, on);
  for (const [old, one] of moved(
    before,
    paired(before, now, ({ name }) => name),
  )) {
    const at = { ...on, about: one.name, before: old.id, now: one.id };
    tell(at, "order of checks changed");
  }
};

export const limitAnswers: Members<LimitAnswers> = {
  sent: toldSet("headers of limits changed"),
};

/** Rows of a table, by what they are about; any difference is one kind of change. */
function rows<T extends { readonly id: string }>(
  kind: Kind,
  key: (row: T) => string,
): Compare<readonly T[]> {
  return (before, now, on) => {
    const { both, gone, added } = paired(before, now, key);
    for (const one of gone) tellGone(on, kind, one.id, { what: key(one) });
    for (const one of added) tellAdded(on, kind, one.id, { what: key(one) });
    for (const [old, one] of both) {
      const at = { ...on, before: old.id, now: one.id };
      for (const member of Object.keys({ ...old, ...one }) as (keyof T)[]) {
        if (member === "id" || isSame(old[member], one[member])) continue;
        if (!tellGap(old[member], one[member], at)) tell(at, kind, { what: key(one) });
      }
    }
  };
}

export const versioning: Members<Versioning> = {
  version: told("version changed"),
  chosenBy: told("choice of a version changed"),
  oldVersions: told("time of old versions changed"),
  endFields: told("deprecation changed"),
  rules: rows("compatibility changed", ({ change }) => change),
  changes: rows("history changed", ({ version, item, change }) => `${version} ${item}: ${change}`),
  deprecations: rows("deprecation changed", ({ item }) => item),
};

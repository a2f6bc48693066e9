/** What every request of the shop goes through before its own steps. */
import { type Account, type Context, hashOf, type Shop } from "./model.ts";
import { type Member, membersOf, noOthers, pairsOf, queryOf, type Reader } from "./values.ts";
import {
  type Asked,
  canonical,
  jsonIn,
  membersIn,
  Refused,
  type Reply,
  repeatedIn,
} from "./wire.ts";

const BODY_MAX = 2000;
const ORDERS_MAX = 6;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** What an endpoint reads. */
export interface Reads {
  readonly who: "anyone" | "staff" | "manager";
  readonly query?: (shop: Shop) => Readonly<Record<string, Reader>>;
  readonly body?: (shop: Shop) => Readonly<Record<string, Member>>;
  /** Refuses references to what is not there. */
  readonly refers?: (context: Context) => void;
  /** A member at least must be given. */
  readonly isChange?: boolean;
  /** Takes an idempotency key and is limited. */
  readonly isPlacing?: boolean;
}

const NOBODY: Account = { id: "", shop: "", name: "", role: "", active: true, keyHash: "" };

function version(shop: Shop, { headers }: Asked): void {
  const given = headers["api-version"];
  if (given === undefined && !shop.has("a version may be missing")) throw new Refused("no_version");
  if (given === undefined || given === "2" || shop.has("any version will do")) return;
  throw new Refused("other_version");
}

function callerOf(shop: Shop, { headers }: Asked, { who, query }: Reads): Account {
  if (who === "anyone") return NOBODY;
  const key = /^bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  const hash = hashOf(key ?? "");
  const found = [...shop.accounts.values()].find((one) => one.keyHash === hash);
  const isOpen = shop.has("a list without a key") && query !== undefined;
  const first = isOpen ? [...shop.accounts.values()].at(-1) : undefined;
  const caller = found ?? first;
  if (caller === undefined) throw new Refused("unauthorized");
  if (!caller.active && !shop.has("locked out and still in")) throw new Refused("unauthorized");
  if (who === "manager" && caller.role !== "manager") {
    if (!shop.has("clerks may do all"))
      throw new Refused(shop.has("forbidden is 401") ? "unauthorized" : "forbidden");
  }
  return caller;
}

/** Sizes come before rates. */
function sized(shop: Shop, { size }: Asked): void {
  const most = BODY_MAX + (shop.has("body one byte longer") ? 1 : 0);
  if (size > most && !shop.has("no limit of bytes")) throw new Refused("too_large");
}

function limited(shop: Shop, { id }: Account): void {
  const now = Date.now();
  const whose = shop.has("limit for all together") ? "all" : id;
  const times = (shop.placed.get(whose) ?? []).filter((at) => at > now - MINUTE);
  shop.placed.set(whose, times);
  const most =
    ORDERS_MAX + (shop.has("limit one too high") ? 1 : shop.has("limit one too low") ? -1 : 0);
  if (times.length < most || shop.has("no limit of orders")) return;
  const left = Math.ceil(((times[0] ?? now) + MINUTE - now) / 1000);
  const wait = shop.has("retry after an hour") ? 3600 : left;
  throw new Refused(
    "slow_down",
    null,
    shop.has("no retry-after") ? {} : { "Retry-After": String(wait) },
  );
}

/** The content that is sent, not read yet. Throws `Refused` for what is no JSON. */
function messageOf(shop: Shop, asked: Asked, { body }: Reads): unknown {
  pairsOf(asked.query);
  sized(shop, asked);
  if (body === undefined) {
    if (asked.size > 0) throw new Refused("malformed");
    return {};
  }
  const type = (asked.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (asked.size === 0) throw new Refused("malformed");
  if (type !== "application/json" && !shop.has("any media type")) throw new Refused("not_json");
  return jsonIn(asked.body);
}

function bodyOf(shop: Shop, asked: Asked, reads: Reads): Context["body"] {
  const sent = messageOf(shop, asked, reads);
  if (reads.body === undefined) return {};
  const members = reads.body(shop);
  const given = membersIn(sent);
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => name in members));
  const read = membersOf(shop.has("unknown members are ignored") ? known : given, members);
  const twice = repeatedIn(asked.body);
  if (twice !== undefined) throw new Refused("invalid", twice);
  const isEmpty = reads.isChange === true && Object.keys(read).length === 0;
  if (isEmpty && !shop.has("an empty change is fine")) throw new Refused("malformed");
  return read;
}

function keyOf({ headers }: Asked): string {
  const key = headers["idempotency-key"];
  if (typeof key !== "string") throw new Refused("invalid", "Idempotency-Key");
  if (key.length < 1 || key.length > 64) throw new Refused("invalid", "Idempotency-Key");
  return key;
}

/** The first answer, sent again; else that of the steps, which is kept. */
function once(context: Context, key: string, steps: () => Reply): Reply {
  const { shop, asked, caller } = context;
  if (shop.has("keys are ignored")) return steps();
  const name = shop.has("keys of all callers") ? key : `${caller.id} ${key}`;
  const likeness = canonical(JSON.parse(asked.body));
  const first = shop.kept.get(name);
  if (first !== undefined && first.at + DAY > Date.now()) {
    if (first.likeness !== likeness && !shop.has("another body under a key")) {
      throw new Refused("key_reused");
    }
    return shop.has("again is 200") ? { ...first.reply, status: 200 } : first.reply;
  }
  const reply = steps();
  shop.kept.set(name, { likeness, at: Date.now(), reply });
  return reply;
}

/** Makes an endpoint of what it reads and its steps. */
export function checked(reads: Reads, steps: (context: Context) => Reply) {
  return (shop: Shop, asked: Asked, id: string): Reply => {
    version(shop, asked);
    const isEarly = shop.has("inputs before the caller");
    const early = isEarly ? bodyOf(shop, asked, reads) : undefined;
    const caller = callerOf(shop, asked, reads);
    sized(shop, asked);
    if (reads.isPlacing === true) limited(shop, caller);
    messageOf(shop, asked, reads);
    const readers = reads.query?.(shop) ?? {};
    const query = queryOf(asked.query, readers);
    const key = reads.isPlacing === true ? keyOf(asked) : undefined;
    const body = early ?? bodyOf(shop, asked, reads);
    noOthers(asked.query, readers);
    const context: Context = { shop, asked, caller, id, query, body };
    reads.refers?.(context);
    const reply = key === undefined ? steps(context) : once(context, key, () => steps(context));
    if (reads.isPlacing === true && reply.status === 201) {
      const whose = shop.has("limit for all together") ? "all" : caller.id;
      shop.placed.get(whose)?.push(Date.now());
    }
    return reply;
  };
}

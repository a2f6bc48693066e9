/** Shops and the people who work there. */
import { randomBytes } from "node:crypto";
import { checked } from "./checks.ts";
import { type Account, hashOf, newId, type ServedEndpoint, type Shop } from "./model.ts";
import * as read from "./values.ts";
import { Refused, type Reply } from "./wire.ts";

function shownAccount({ id, name, role, active }: Account) {
  return { id, name, role, active };
}

function newAccount(shop: Shop, given: Pick<Account, "shop" | "name" | "role">): Reply {
  const key = `sk_${randomBytes(24).toString("hex")}`;
  const active = !shop.has("locked out from the start");
  const account: Account = { ...given, id: newId("acc_"), active, keyHash: hashOf(key) };
  shop.accounts.set(account.id, account);
  const body = { ...shownAccount(account), key };
  return { status: shop.has("made is 200") ? 200 : 201, body };
}

const NAME = (shop: Shop): read.Reader => read.text(1, 40, !shop.has("names are not trimmed"));

export const staffEndpoints: readonly ServedEndpoint[] = [
  {
    method: "POST",
    path: /^\/shop\/shops$/,
    done: checked(
      {
        who: "anyone",
        body: (shop) => ({
          shop: { given: "must", read: read.text(1, 40) },
          name: { given: "must", read: NAME(shop) },
        }),
      },
      ({ shop, body }) =>
        newAccount(shop, { shop: newId("shop_"), name: String(body["name"]), role: "manager" }),
    ),
  },
  {
    method: "GET",
    path: /^\/shop\/me$/,
    done: checked({ who: "staff" }, ({ shop, caller }) => {
      const more = {
        ...(shop.has("shows the shop") ? { shop: caller.shop } : {}),
        ...(shop.has("active is null") ? { active: null } : {}),
      };
      return { status: 200, body: { ...shownAccount(caller), ...more } };
    }),
  },
  {
    method: "POST",
    path: /^\/shop\/staff$/,
    done: checked(
      {
        who: "manager",
        body: (shop) => ({
          id: read.never,
          shop: read.never,
          name: { given: "must", read: NAME(shop) },
          role: {
            given: "must",
            read: shop.has("any role") ? read.text(1, 40) : read.oneOf("manager", "clerk"),
          },
          active: read.never,
          key: read.never,
        }),
      },
      ({ shop, caller, body }) =>
        newAccount(shop, {
          shop: caller.shop,
          name: String(body["name"]),
          role: String(body["role"]),
        }),
    ),
  },
  {
    method: "PATCH",
    path: /^\/shop\/staff\/([^/]+)$/,
    done: checked(
      {
        who: "manager",
        isChange: true,
        body: (shop) => ({
          id: read.never,
          shop: read.never,
          name: { given: "may", read: NAME(shop) },
          role: read.never,
          active: { given: "may", read: read.boolean },
          key: read.never,
        }),
      },
      ({ shop, caller, id, body }) => {
        const account = shop.accounts.get(id);
        if (account === undefined || account.shop !== caller.shop) throw new Refused("not_found");
        if (account === caller && !shop.has("oneself is fine")) throw new Refused("not_oneself");
        Object.assign(account, body);
        return { status: 200, body: shownAccount(account) };
      },
    ),
  },
];

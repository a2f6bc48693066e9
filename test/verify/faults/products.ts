/** Products: made, read, changed in four ways and deleted. */
import { checked } from "./checks.ts";
import {
  type Account,
  type Context,
  newId,
  type Product,
  type ServedEndpoint,
  type Shop,
} from "./model.ts";
import type { Member } from "./values.ts";
import * as read from "./values.ts";
import { Refused, type Reply } from "./wire.ts";

const KEPT_MAX = 6;

function membersOf(shop: Shop, is: "new" | "changed"): Readonly<Record<string, Member>> {
  const most = shop.has("a longer title") ? 61 : 60;
  const least = shop.has("a price of nothing") ? 0 : 1;
  const pattern = shop.has("a sku with more around")
    ? /[A-Z]{2}-[0-9]{1,4}/
    : /^[A-Z]{2}-[0-9]{1,4}$/;
  const unit = shop.has("any unit") ? read.text(1, 40) : read.oneOf("piece", "kg", "litre");
  const tags = shop.has("tags without end") ? read.different(100) : read.different(3);
  const stock = shop.has("stock is given by clients") ? ("may" as const) : ("never" as const);
  const { never } = read;
  return {
    id: never,
    shop: never,
    sku: is === "new" ? { given: "must", read: read.matching(pattern) } : never,
    title: { given: "must", read: read.text(1, most, true) },
    price: { given: "must", read: read.money(least, 999_999) },
    bulkPrice: { given: "may", read: read.orNull(read.money(1, 999_999)) },
    unit: { given: "may", read: unit },
    tags: { given: "may", read: shop.has("tags twice") ? anyTags : tags },
    fragile: { given: "may", read: shop.has("fragile may be null") ? asBoolean : read.boolean },
    cost: { given: "may", read: read.orNull(read.money(0, 999_999)) },
    stock: { given: stock, read: read.whole(0, 1000) },
    version: never,
    createdAt: never,
    changedAt: never,
  };
}

const asBoolean: read.Reader = (value, name) =>
  value === null ? false : read.boolean(value, name);

const anyTags: read.Reader = (value, name) => {
  read.different(3)(Array.isArray(value) ? [...new Set(value)] : value, name);
  return Array.isArray(value) && value.length > 3 ? read.different(0)(value, name) : value;
};

/** What is given before a change of a product sets anything. */
const START = { bulkPrice: null, unit: "piece", tags: [], fragile: false, cost: null };

function shown(shop: Shop, product: Product, caller: Account) {
  const { id, sku, title, unit, tags, fragile, stock } = product;
  const [price, bulkPrice, cost] = [product.price, product.bulkPrice, product.cost].map((one) =>
    one === null ? null : one / 100,
  );
  const isShown = caller.role === "manager" || shop.has("clerks see the cost");
  const told = isShown ? { cost } : {};
  const [createdAt, changedAt] = [product.createdAt, product.changedAt].map((at) =>
    shop.has("times in seconds") ? `${at.slice(0, 19)}Z` : at,
  );
  const times = shop.has("no time of change") ? { createdAt } : { createdAt, changedAt };
  const priced = shop.has("money as text") ? { price: String(price) } : { price };
  return { id, sku, title, ...priced, bulkPrice, unit, tags, fragile, ...told, stock, ...times };
}

function one(context: Context, product: Product, status = 200): Reply {
  const { shop, caller } = context;
  const ETag = shop.has("weak tags") ? `W/"${product.version}"` : `"${product.version}"`;
  const headers: Readonly<Record<string, string>> = shop.has("no tags") ? {} : { ETag };
  return { status, headers, body: shown(shop, product, caller) };
}

/** The product of the path, as far as the caller sees it. */
export function productOf({ shop, caller, id }: Pick<Context, "shop" | "caller" | "id">): Product {
  const found = shop.products.get(id);
  const isTheirs = found?.shop === caller.shop || shop.has("products of other shops");
  if (found === undefined || !isTheirs) throw new Refused("not_found");
  return found;
}

/** Takes a change over, if it breaks nothing. */
export function change(shop: Shop, product: Product, to: Partial<Product>): void {
  const next = { ...product, ...to };
  invariant(shop, next);
  Object.assign(product, to);
  if (!shop.has("the version stays")) product.version += 1;
  if (!shop.has("the time of change stays")) product.changedAt = new Date().toISOString();
}

function invariant(shop: Shop, { price, bulkPrice }: Pick<Product, "price" | "bulkPrice">): void {
  const isRight = bulkPrice === null || bulkPrice <= price;
  if (!isRight && !shop.has("bulk may be dearer")) throw new Refused("bulk_dearer");
}

function created(context: Context): Reply {
  const { shop, caller, body } = context;
  const now = new Date().toISOString();
  const start = shop.has("another unit at the start") ? { ...START, unit: "kg" } : START;
  const made = { stock: 0, ...start, ...body, createdAt: now, changedAt: now, version: 1 };
  const product = { ...made, id: newId("prd_"), shop: caller.shop } as unknown as Product;
  const others = [...shop.products.values()];
  const own = others.filter((one) => one.shop === caller.shop);
  const rivals = shop.has("a sku in no other shop") ? others : own;
  const isTaken = rivals.some((one) => one.sku === product.sku);
  if (isTaken && !shop.has("a sku twice")) throw new Refused("sku_taken", "sku");
  invariant(shop, product);
  const most = KEPT_MAX + (shop.has("one product more") ? 1 : 0);
  if (own.length >= most) throw new Refused("too_many_products");
  shop.products.set(product.id, product);
  const reply = one(context, product, shop.has("a product is 200") ? 200 : 201);
  const at = shop.has("a location that leads nowhere") ? "/shop/product/" : "/shop/products/";
  return { ...reply, headers: { ...reply.headers, Location: at + product.id } };
}

function listed({ shop, caller, query }: Context): Reply {
  const tag = query["tag"];
  const isFiltered = typeof tag === "string" && !shop.has("no filter by tag");
  const found = [...shop.products.values()]
    .filter((one) => one.shop === caller.shop || shop.has("lists of all shops"))
    .filter((one) => !isFiltered || one.tags.includes(tag))
    .sort((a, b) => (a.sku < b.sku ? -1 : 1));
  if (shop.has("products in the order made")) {
    found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }
  const from = Number(query["offset"] ?? 0) * (shop.has("offset in pages") ? 3 : 1);
  const most = Number(query["limit"] ?? (shop.has("another size of pages") ? 4 : 3));
  const page = found.slice(from, from + most);
  return { status: 200, body: page.map((each) => shown(shop, each, caller)) };
}

function put(context: Context): Reply {
  const { shop, asked, body } = context;
  const product = productOf(context);
  const tag = asked.headers["if-match"];
  if (tag === undefined && !shop.has("no tag is needed")) throw new Refused("tag_needed");
  const isSame =
    tag === undefined || tag.trim() === "*" || tagsIn(tag).includes(`"${product.version}"`);
  if (!isSame && !shop.has("stale tags are fine")) throw new Refused("changed_meanwhile");
  const whole = shop.has("a partial put") ? body : { ...START, ...body };
  const kept = shop.has("a put that keeps the cost") ? { cost: product.cost } : {};
  change(shop, product, { ...whole, ...kept });
  return one(context, product, shop.has("a put is 201") ? 201 : 200);
}

const tagsIn = (list: string): readonly string[] => list.split(",").map((tag) => tag.trim());

function patched(context: Context): Reply {
  const { shop, body } = context;
  const product = productOf(context);
  const given = Object.entries(body).filter(([, value]) => value !== null);
  const sets = shop.has("a patch leaves null out") ? Object.fromEntries(given) : body;
  const whole = shop.has("a patch like a put") ? { ...START, ...sets } : sets;
  if (shop.has("a patch that does nothing")) return one(context, { ...product, ...whole });
  change(shop, product, whole);
  return one(context, product);
}

function deleted(context: Context): Reply {
  const { shop } = context;
  const product = productOf(context);
  const isUsed = [...shop.orders.values()].some((one) => one.product === product.id);
  if (isUsed && !shop.has("deleted with orders")) throw new Refused("in_use");
  const status = shop.has("deleted is 200") ? 200 : 204;
  if (shop.has("a delete that does nothing")) return { status };
  shop.products.delete(product.id);
  if (shop.has("reviews stay")) return { status };
  for (const review of shop.reviews.values()) {
    if (review.product === product.id) shop.reviews.delete(review.id);
  }
  return { status };
}

function stocked(context: Context): Reply {
  const { shop, body } = context;
  const product = productOf(context);
  const stock = Number(body["stock"]);
  const sum = shop.has("a put that adds") ? product.stock + stock : stock;
  change(shop, product, { stock: sum });
  return one(context, product);
}

export const productEndpoints: readonly ServedEndpoint[] = [
  {
    method: "POST",
    path: /^\/shop\/products$/,
    done: checked({ who: "manager", body: (shop) => membersOf(shop, "new") }, created),
  },
  {
    method: "GET",
    path: /^\/shop\/products$/,
    done: checked(
      {
        who: "staff",
        query: (shop) => ({
          tag: read.text(0, 10_000),
          offset: read.inQuery(read.whole(0, 1000)),
          limit: read.inQuery(read.whole(1, shop.has("pages of eleven") ? 11 : 10)),
        }),
      },
      listed,
    ),
  },
  {
    method: "GET",
    path: /^\/shop\/products\/([^/]+)$/,
    done: checked({ who: "staff" }, (context) => one(context, productOf(context))),
  },
  {
    method: "PUT",
    path: /^\/shop\/products\/([^/]+)$/,
    done: checked({ who: "manager", body: (shop) => membersOf(shop, "changed") }, put),
  },
  {
    method: "PATCH",
    path: /^\/shop\/products\/([^/]+)$/,
    done: checked(
      { who: "manager", isChange: true, body: (shop) => membersOf(shop, "changed") },
      patched,
    ),
  },
  {
    method: "DELETE",
    path: /^\/shop\/products\/([^/]+)$/,
    done: checked({ who: "manager" }, deleted),
  },
  {
    method: "PUT",
    path: /^\/shop\/products\/([^/]+)\/stock$/,
    done: checked(
      {
        who: "staff",
        body: (shop) => ({
          stock: { given: "must", read: read.whole(0, shop.has("stock without end") ? 1e9 : 1000) },
        }),
      },
      stocked,
    ),
  },
];

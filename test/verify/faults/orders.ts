/** Orders: placed once under a key, paid, shipped, cancelled and returned. */
import { checked } from "./checks.ts";
import { type Context, newId, type Order, type ServedEndpoint } from "./model.ts";
import { change } from "./products.ts";
import * as read from "./values.ts";
import { Refused, type Reply } from "./wire.ts";

const BULK = 10;

function shown(order: Order) {
  const { shop: _, total, ...others } = order;
  return { ...others, total: total / 100 };
}

function orderOf({ shop, caller, id }: Context): Order {
  const found = shop.orders.get(id);
  const isTheirs = found?.shop === caller.shop || shop.has("orders of other shops");
  if (found === undefined || !isTheirs) throw new Refused("not_found");
  return found;
}

function placed(context: Context): Reply {
  const { shop, caller, body } = context;
  const product = shop.products.get(String(body["product"]));
  if (product === undefined) throw new Error("an order of no product");
  const quantity = Number(body["quantity"]);
  const isThere = product.stock >= quantity || shop.has("more than there are");
  if (!isThere) throw new Refused("out_of_stock", "quantity");
  const from = BULK + (shop.has("bulk from eleven on") ? 1 : 0);
  const isBulk = quantity >= from && product.bulkPrice !== null && !shop.has("no bulk price");
  const each = isBulk ? Number(product.bulkPrice) : product.price;
  const order: Order = {
    id: newId("ord_"),
    shop: caller.shop,
    number: shop.next(shop.has("one row of order numbers") ? "orders" : caller.shop),
    product: product.id,
    quantity,
    placedBy: caller.id,
    total: shop.has("the total of one") ? each : each * quantity,
    status: shop.has("paid from the start") ? "paid" : "open",
    tracking: null,
  };
  shop.orders.set(order.id, order);
  if (!shop.has("the stock stays")) change(shop, product, { stock: product.stock - quantity });
  const at = shop.has("a location of the wrong list") ? "/shop/order/" : "/shop/orders/";
  const headers = { Location: at + order.id };
  return { status: 201, headers, body: shown(order) };
}

function listed({ shop, caller, query }: Context): Reply {
  const { status, before } = query;
  const isIn = (number: number): boolean =>
    shop.has("pages overlap") ? number <= Number(before) : number < Number(before);
  const found = [...shop.orders.values()]
    .filter((one) => one.shop === caller.shop)
    .filter(
      (one) => status === undefined || one.status === status || shop.has("no filter by state"),
    )
    .filter((one) => typeof before !== "number" || isIn(one.number))
    .sort((a, b) => (shop.has("the oldest first") ? a.number - b.number : b.number - a.number));
  const limit = Number(query["limit"] ?? 2);
  const page = found.slice(0, limit + (shop.has("one more on a page") ? 1 : 0));
  const last = page.at(-1)?.number ?? null;
  const isMore = shop.has("a next page that is empty")
    ? page.length === limit
    : found.length > page.length;
  const next = shop.has("no next page") ? null : isMore ? last : null;
  return { status: 200, body: { orders: page.map(shown), next } };
}

/** Where an order may go from, by the fault that lets it go from elsewhere, too. */
function refuseUnless(order: Order, ...states: readonly string[]): void {
  if (!states.includes(order.status)) throw new Refused("wrong_state");
}

function paid(context: Context): Reply {
  const { shop, body } = context;
  const order = orderOf(context);
  refuseUnless(order, "open", ...(shop.has("paid twice") ? ["paid"] : []));
  const isRight = body["amount"] === order.total || shop.has("any amount");
  if (!isRight) throw new Refused("wrong_amount", "amount");
  if (!shop.has("paid and still open")) order.status = "paid";
  return { status: shop.has("paid is 202") ? 202 : 200, body: { ...shown(order), status: "paid" } };
}

function shipped(context: Context): Reply {
  const { shop, body } = context;
  const order = orderOf(context);
  const tracking = String(body["tracking"]);
  if (shop.has("a refused shipment stays")) order.tracking = tracking;
  refuseUnless(order, "paid", ...(shop.has("shipped unpaid") ? ["open"] : []));
  if (!shop.has("no tracking kept")) order.tracking = tracking;
  order.status = "shipped";
  return { status: 200, body: shown(order) };
}

function cancelled(context: Context): Reply {
  const { shop, caller } = context;
  const order = orderOf(context);
  const isOwn = order.placedBy === caller.id || caller.role === "manager";
  if (!isOwn && !shop.has("orders of others are cancelled")) throw new Refused("not_yours");
  const late = shop.has("shipped and cancelled") ? ["shipped"] : [];
  const early = shop.has("paid and not cancelled") ? [] : ["paid"];
  refuseUnless(order, "open", ...early, ...late);
  order.status = "cancelled";
  const product = shop.products.get(order.product);
  if (product !== undefined && !shop.has("cancelled stock is lost")) {
    change(shop, product, { stock: product.stock + order.quantity });
  }
  return { status: 200, body: shown(order) };
}

function returned(context: Context): Reply {
  const { shop } = context;
  const order = orderOf(context);
  refuseUnless(order, "shipped");
  const isFragile = shop.products.get(order.product)?.fragile === true;
  if (isFragile && !shop.has("fragile goods come back")) throw new Refused("wrong_state");
  order.status = shop.has("returned is cancelled") ? "cancelled" : "returned";
  return { status: 200, body: shown(order) };
}

function totals({ shop, caller }: Context): Reply {
  if (shop.has("totals fail")) throw new Refused("broken");
  const all = [...shop.orders.values()].filter((one) => one.shop === caller.shop);
  const isIn = shop.has("income of open orders") ? ["open"] : [];
  const counted = all.filter((one) => ["paid", "shipped", ...isIn].includes(one.status));
  const income = counted.reduce((sum, { total }) => sum + total, 0) / 100;
  return { status: 200, body: { orders: all.length, paid: counted.length, income } };
}

const STATES = ["open", "paid", "shipped", "returned", "cancelled"];
const below = (rest: string): RegExp => new RegExp(`^/shop/orders/([^/]+)${rest}$`);

/** The product that is ordered is one that the caller sees. */
function refers({ shop, caller, body }: Context): void {
  const found = shop.products.get(String(body["product"]));
  const isTheirs = found?.shop === caller.shop || shop.has("orders from other shops");
  if (found === undefined || !isTheirs) throw new Refused("no_product", "product");
}

export const orderEndpoints: readonly ServedEndpoint[] = [
  {
    method: "POST",
    path: /^\/shop\/orders$/,
    done: checked(
      {
        who: "staff",
        isPlacing: true,
        refers,
        body: (shop) => ({
          id: read.never,
          shop: read.never,
          number: read.never,
          product: { given: "must", read: read.matching(/^prd_/) },
          quantity: { given: "must", read: read.whole(1, shop.has("twenty-one of one") ? 21 : 20) },
          placedBy: read.never,
          total: read.never,
          status: read.never,
          tracking: read.never,
        }),
      },
      placed,
    ),
  },
  {
    method: "GET",
    path: /^\/shop\/orders$/,
    done: checked(
      {
        who: "staff",
        query: () => ({
          status: read.oneOf(...STATES),
          before: read.inQuery(read.whole(-1e38, 1e38)),
          limit: read.inQuery(read.whole(1, 5)),
        }),
      },
      listed,
    ),
  },
  {
    method: "GET",
    path: below(""),
    done: checked({ who: "staff" }, (context) => ({ status: 200, body: shown(orderOf(context)) })),
  },
  {
    method: "POST",
    path: below("/payment"),
    done: checked(
      {
        who: "staff",
        body: () => ({ amount: { given: "must", read: read.money(1, 1e38) } }),
      },
      paid,
    ),
  },
  {
    method: "POST",
    path: below("/shipment"),
    done: checked(
      {
        who: "manager",
        body: () => ({ tracking: { given: "must", read: read.text(1, 30) } }),
      },
      shipped,
    ),
  },
  { method: "POST", path: below("/cancellation"), done: checked({ who: "staff" }, cancelled) },
  { method: "POST", path: below("/return"), done: checked({ who: "staff" }, returned) },
  {
    method: "GET",
    path: /^\/shop\/totals$/,
    isDeprecated: true,
    done: checked({ who: "staff" }, totals),
  },
];

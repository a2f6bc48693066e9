/**
 * A service written by hand, in memory, that does what `shop.md` states: it shares no code with
 * Lacuna. Faults of `seeded.ts` are switched on by name.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { endpoints } from "./endpoints.ts";
import { Shop } from "./model.ts";
import type { Fault } from "./seeded.ts";
import { type Asked, Refused, type Reply, readAsked, send } from "./wire.ts";

const STATUS: Readonly<Record<string, readonly [status: number, says: string]>> = {
  invalid: [422, "Something in the request is not allowed"],
  malformed: [400, "The request cannot be read"],
  unauthorized: [401, "A valid key is needed"],
  forbidden: [403, "This is for managers"],
  not_yours: [403, "Somebody else has made it"],
  not_found: [404, "There is no such thing"],
  no_such_method: [405, "There is no such method here"],
  wrong_state: [409, "The order is not in a state for that"],
  sku_taken: [409, "Another product has it"],
  reviewed: [409, "One review each"],
  in_use: [409, "There are orders of it"],
  out_of_stock: [409, "There are not so many"],
  not_oneself: [409, "Somebody else must do that"],
  too_many_products: [409, "A shop has six products at most"],
  changed_meanwhile: [412, "Somebody has changed it"],
  too_large: [413, "The body is too large"],
  not_json: [415, "The body must be JSON"],
  bulk_dearer: [422, "The bulk price is above the price"],
  no_product: [422, "There is no such product"],
  wrong_amount: [422, "That is not the total"],
  key_reused: [422, "The key was used for another body"],
  tag_needed: [428, "Send If-Match"],
  slow_down: [429, "Too many orders in a minute"],
  no_version: [400, "Send Api-Version"],
  other_version: [400, "That version is not served"],
};

function refusal(shop: Shop, { error, field, headers }: Refused): Reply {
  const [status, says] = STATUS[error] ?? [500, "The service has failed"];
  const wrongStatus: readonly [Fault, string, number][] = [
    ["not found is 400", "not_found", 400],
    ["invalid is 400", "invalid", 400],
    ["wrong state is 400", "wrong_state", 400],
  ];
  const other = wrongStatus.find(([fault, name]) => name === error && shop.has(fault));
  const message = shop.has("messages tell more") ? `${says} (${error})` : says;
  const named = shop.has("no field named") ? null : field;
  const code = shop.has("errors are named otherwise") && error === "in_use" ? "conflict" : error;
  const body = shop.has("errors without a body")
    ? undefined
    : { error: code, message, field: named };
  const challenge: Record<string, string> = status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
  return { status: other?.[2] ?? status, body, headers: { ...challenge, ...headers } };
}

/** Answers one request. */
export function answer(shop: Shop, asked: Asked): Reply {
  try {
    return routed(shop, asked);
  } catch (error) {
    if (error instanceof Refused) return refusal(shop, error);
    throw error;
  }
}

function routed(shop: Shop, asked: Asked): Reply {
  const method = asked.method === "HEAD" ? "GET" : asked.method;
  const here = endpoints.flatMap((endpoint) => {
    const match = endpoint.path.exec(asked.path);
    return match === null ? [] : [{ endpoint, id: decodeURIComponent(match[1] ?? "") }];
  });
  if (here.length === 0) throw new Refused("not_found");
  const methods = here.map((one) => one.endpoint.method);
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
  const Allow = (shop.has("allow leaves out") ? allow.slice(1) : allow).join(", ");
  if (method === "OPTIONS") return { status: 204, headers: { Allow } };
  const found = here.find(({ endpoint }) => endpoint.method === method);
  if (found === undefined) throw new Refused("no_such_method", null, { Allow });
  const isOld = found.endpoint.isDeprecated === true;
  const old = isOld ? deprecation(shop) : {};
  const reply = guarded(shop, () => found.endpoint.done(shop, { ...asked, method }, found.id));
  return { ...reply, headers: { ...old, ...reply.headers } };
}

function guarded(shop: Shop, act: () => Reply): Reply {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return refusal(shop, error);
    throw error;
  }
}

/** RFC 9745 and RFC 8594. */
function deprecation(shop: Shop): Readonly<Record<string, string>> {
  const Sunset = new Date("2199-01-01").toUTCString();
  if (shop.has("no deprecation told")) return { Sunset };
  const at = new Date("2026-01-01").getTime() / 1000;
  return { Deprecation: `@${at + (shop.has("deprecated later") ? 86_400 : 0)}`, Sunset };
}

export interface Running {
  readonly address: string;
  /** How many requests have come. */
  requests(): number;
  stop(): Promise<void>;
}

/** Serves a shop on a free port of 127.0.0.1. */
export async function running(faults: readonly Fault[] = []): Promise<Running> {
  const shop = new Shop(faults);
  let requests = 0;
  const server: Server = createServer((incoming, outgoing) => {
    requests += 1;
    readAsked(incoming)
      .then((asked) => send(outgoing, answer(shop, asked), asked.method === "HEAD"))
      .catch(() => send(outgoing, { status: 500 }, false));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests: () => requests,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

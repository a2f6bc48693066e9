/**
 * Drives `examples/stripe` by Stripe's official client as published: each call has what the real
 * API gives. The client is told the address of the service, and nothing else.
 */
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Calls } from "./calls.ts";
import type { Outcome } from "./outcome.ts";

/** The client is no dependency of this package: its types are not there. */
// biome-ignore lint/suspicious/noExplicitAny: what is published is driven as it is.
type Client = any;

/** Collects what is sent to a webhook endpoint. */
class Inbox {
  readonly got: { readonly body: string; readonly signature: string }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const signature = String(request.headers["stripe-signature"]);
        this.got.push({ body: Buffer.concat(pieces).toString("utf8"), signature });
        response.writeHead(200).end();
      });
    });
  }

  listen(): Promise<string> {
    return new Promise((done) => {
      this.server.listen(0, "127.0.0.1", () => {
        const { port } = this.server.address() as { port: number };
        done(`http://127.0.0.1:${port}/hook`);
      });
    });
  }

  /** The first message of that type, as soon as it is there. */
  async of(type: string): Promise<{ readonly body: string; readonly signature: string }> {
    for (let i = 0; i < 100; i++) {
      const found = this.got.find(({ body }) => JSON.parse(body).type === type);
      if (found !== undefined) return found;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`nothing of ${type} came`);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

interface Driving {
  readonly calls: Calls;
  readonly stripe: Client;
  readonly Stripe: Client;
}

async function customers({ calls, stripe }: Driving): Promise<void> {
  const { call, refused } = calls;
  const jenny = await call(
    "customers.create",
    () =>
      stripe.customers.create({
        name: "Jenny Rosen",
        email: "jenny@example.com",
        address: { city: "Bern", line1: "Weg 1", postal_code: "3000" },
        metadata: { order: "6735", "odd key": "a b" },
      }),
    {
      object: "customer",
      name: "Jenny Rosen",
      email: "jenny@example.com",
      description: null,
      phone: null,
      balance: 0,
      livemode: false,
      address: { city: "Bern", line1: "Weg 1", line2: null, postal_code: "3000" },
      metadata: { order: "6735", "odd key": "a b" },
    },
  );
  await call("customers.create, nothing given", () => stripe.customers.create(), {
    name: null,
    email: null,
    metadata: {},
    address: null,
  });
  await call("customers.retrieve", () => stripe.customers.retrieve(jenny.id), { id: jenny.id });
  await call(
    "customers.update",
    () =>
      stripe.customers.update(jenny.id, {
        phone: "+41 31 000 00 00",
        metadata: { order: "", more: "1" },
        address: { city: "Thun" },
      }),
    {
      name: "Jenny Rosen",
      phone: "+41 31 000 00 00",
      metadata: { more: "1", "odd key": "a b" },
      address: { city: "Thun", line1: "Weg 1" },
    },
  );
  await call("customers.update, unset", () => stripe.customers.update(jenny.id, { phone: "" }), {
    phone: null,
  });
  await call(
    "customers.list by email",
    () => stripe.customers.list({ email: "jenny@example.com" }),
    {
      object: "list",
      url: "/v1/customers",
      has_more: false,
      data: [{ id: jenny.id }],
    },
  );
  const gone = await call("customers.create", () => stripe.customers.create({ name: "Gone" }), {});
  await call("customers.del", () => stripe.customers.del(gone.id), {
    id: gone.id,
    object: "customer",
    deleted: true,
  });
  await call("customers.retrieve, deleted", () => stripe.customers.retrieve(gone.id), {
    id: gone.id,
    deleted: true,
  });
  await refused(
    "customers.update, deleted",
    () => stripe.customers.update(gone.id, { name: "x" }),
    {
      type: "StripeInvalidRequestError",
      code: "resource_missing",
      statusCode: 404,
      param: "id",
    },
  );
  await refused("customers.retrieve, unknown", () => stripe.customers.retrieve("cus_nope"), {
    type: "StripeInvalidRequestError",
    rawType: "invalid_request_error",
    code: "resource_missing",
    statusCode: 404,
    param: "id",
    message: "No such customer: 'cus_nope'",
  });
  await refused("customers.create, wrong email", () => stripe.customers.create({ email: "nope" }), {
    type: "StripeInvalidRequestError",
    code: "email_invalid",
    statusCode: 400,
    param: "email",
  });
  await refused(
    "customers.create, unknown parameter",
    () => stripe.customers.create({ foo: "bar" }),
    {
      type: "StripeInvalidRequestError",
      code: "parameter_unknown",
      param: "foo",
      message: "Received unknown parameter: foo",
    },
  );
  await refused(
    "customers.create, unknown inside",
    () => stripe.customers.create({ address: { planet: "x" } }),
    { code: "parameter_unknown", param: "address[planet]" },
  );
  await refused(
    "customers.create, name too long",
    () => stripe.customers.create({ name: "x".repeat(300) }),
    { type: "StripeInvalidRequestError", param: "name" },
  );
}

async function paging({ calls, stripe }: Driving): Promise<void> {
  const { call, refused } = calls;
  const made: string[] = [];
  for (let i = 0; i < 7; i++) {
    const one = await stripe.customers.create({ name: `p${i}`, email: "page@example.com" });
    made.unshift(one.id);
  }
  const all = { email: "page@example.com", limit: 3 };
  await call("customers.list, first page", () => stripe.customers.list(all), {
    has_more: true,
    data: made.slice(0, 3).map((id) => ({ id })),
  });
  await call(
    "customers.list, starting_after",
    () => stripe.customers.list({ ...all, starting_after: made[5] }),
    { has_more: false, data: [{ id: made[6] }] },
  );
  await call(
    "customers.list, ending_before",
    () => stripe.customers.list({ ...all, ending_before: made[4] }),
    { has_more: true, data: made.slice(1, 4).map((id) => ({ id })) },
  );
  await call(
    "customers.list, autoPagingToArray",
    () => stripe.customers.list(all).autoPagingToArray({ limit: 100 }),
    made.map((id) => ({ id })),
  );
  await call(
    "customers.list, auto-paging backwards",
    () =>
      stripe.customers.list({ ...all, ending_before: made[6] }).autoPagingToArray({ limit: 100 }),
    made
      .slice(0, 6)
      .reverse()
      .map((id) => ({ id })),
  );
  await refused("customers.list, limit", () => stripe.customers.list({ limit: 1000 }), {
    type: "StripeInvalidRequestError",
    param: "limit",
  });
  await refused(
    "customers.list, unknown cursor",
    () => stripe.customers.list({ starting_after: "cus_nope" }),
    { code: "resource_missing", param: "starting_after", message: "No such customer: 'cus_nope'" },
  );
}

/** A card by its test token. */
async function card({ stripe }: Driving, token: string): Promise<string> {
  return (await stripe.paymentMethods.create({ type: "card", card: { token } })).id;
}

async function methods({ calls, stripe }: Driving): Promise<void> {
  const { call, refused } = calls;
  const visa = await call(
    "paymentMethods.create",
    () => stripe.paymentMethods.create({ type: "card", card: { token: "tok_visa" } }),
    {
      object: "payment_method",
      type: "card",
      customer: null,
      card: { brand: "visa", last4: "4242", exp_month: 12, funding: "credit" },
    },
  );
  await refused(
    "paymentMethods.create, unknown token",
    () => stripe.paymentMethods.create({ type: "card", card: { token: "tok_nope" } }),
    { code: "resource_missing", param: "card[token]", message: "No such token: 'tok_nope'" },
  );
  const owner = await stripe.customers.create({ name: "Owner" });
  await call(
    "paymentMethods.attach",
    () => stripe.paymentMethods.attach(visa.id, { customer: owner.id }),
    { id: visa.id, customer: owner.id },
  );
  await call(
    "paymentMethods.list",
    () => stripe.paymentMethods.list({ customer: owner.id, type: "card" }),
    { data: [{ id: visa.id }], has_more: false },
  );
  await call("paymentMethods.detach", () => stripe.paymentMethods.detach(visa.id), {
    id: visa.id,
    customer: null,
  });
  await refused(
    "paymentMethods.attach, unknown customer",
    () => stripe.paymentMethods.attach(visa.id, { customer: "cus_nope" }),
    { code: "resource_missing", param: "customer", message: "No such customer: 'cus_nope'" },
  );
}

async function intents(driving: Driving): Promise<void> {
  const { calls, stripe } = driving;
  const { call, refused } = calls;
  const visa = await card(driving, "tok_visa");
  const jenny = await stripe.customers.create({ name: "Jenny" });
  const open = await call(
    "paymentIntents.create",
    () =>
      stripe.paymentIntents.create({
        amount: 2000,
        currency: "usd",
        customer: jenny.id,
        payment_method_types: ["card"],
        metadata: { cart: "9" },
      }),
    {
      object: "payment_intent",
      amount: 2000,
      amount_received: 0,
      amount_capturable: 0,
      currency: "usd",
      customer: jenny.id,
      payment_method: null,
      capture_method: "automatic_async",
      status: "requires_payment_method",
      last_payment_error: null,
      payment_method_types: ["card"],
      metadata: { cart: "9" },
    },
  );
  calls.holds("client_secret", String(open.client_secret).startsWith(`${open.id}_secret_`));
  await call(
    "paymentIntents.update",
    () => stripe.paymentIntents.update(open.id, { amount: 2500 }),
    {
      amount: 2500,
      status: "requires_payment_method",
    },
  );
  await call(
    "paymentIntents.confirm",
    () => stripe.paymentIntents.confirm(open.id, { payment_method: visa }),
    { status: "succeeded", amount_received: 2500, payment_method: visa },
  );
  await call(
    "paymentIntents.retrieve, expand",
    () => stripe.paymentIntents.retrieve(open.id, { expand: ["customer", "payment_method"] }),
    {
      customer: { id: jenny.id, object: "customer", name: "Jenny" },
      payment_method: { id: visa, card: { last4: "4242" } },
    },
  );
  await call(
    "paymentIntents.list, expand",
    () => stripe.paymentIntents.list({ customer: jenny.id, expand: ["data.customer"] }),
    { data: [{ id: open.id, payment_method: visa, customer: { name: "Jenny" } }] },
  );
  await refused("paymentIntents.cancel, succeeded", () => stripe.paymentIntents.cancel(open.id), {
    type: "StripeInvalidRequestError",
    code: "payment_intent_unexpected_state",
    statusCode: 400,
    payment_intent: { id: open.id, status: "succeeded" },
  });
  const ready = await call(
    "paymentIntents.create, with a method",
    () => stripe.paymentIntents.create({ amount: 1000, currency: "eur", payment_method: visa }),
    { status: "requires_confirmation", payment_method: visa },
  );
  await call(
    "paymentIntents.confirm, nothing given",
    () => stripe.paymentIntents.confirm(ready.id),
    {
      status: "succeeded",
    },
  );
  const held = await call(
    "paymentIntents.create, manual capture",
    () =>
      stripe.paymentIntents.create({
        amount: 5000,
        currency: "usd",
        capture_method: "manual",
        payment_method: visa,
        confirm: true,
      }),
    { status: "requires_capture", amount_capturable: 5000, amount_received: 0 },
  );
  await refused(
    "paymentIntents.capture, too much",
    () => stripe.paymentIntents.capture(held.id, { amount_to_capture: 6000 }),
    { code: "amount_too_large", param: "amount_to_capture" },
  );
  await call(
    "paymentIntents.capture",
    () => stripe.paymentIntents.capture(held.id, { amount_to_capture: 4000 }),
    { status: "succeeded", amount_received: 4000, amount_capturable: 0 },
  );
  const unwanted = await stripe.paymentIntents.create({ amount: 700, currency: "usd" });
  await call(
    "paymentIntents.cancel",
    () => stripe.paymentIntents.cancel(unwanted.id, { cancellation_reason: "abandoned" }),
    { status: "canceled", cancellation_reason: "abandoned" },
  );
  await refused(
    "paymentIntents.confirm, canceled",
    () => stripe.paymentIntents.confirm(unwanted.id),
    {
      code: "payment_intent_unexpected_state",
      payment_intent: { status: "canceled" },
    },
  );
}

async function refusals(driving: Driving): Promise<void> {
  const { calls, stripe } = driving;
  const { call, refused } = calls;
  const declined = await card(driving, "tok_chargeDeclined");
  const poor = await card(driving, "tok_chargeDeclinedInsufficientFunds");
  const intent = await stripe.paymentIntents.create({ amount: 900, currency: "usd" });
  await refused(
    "paymentIntents.confirm, declined",
    () => stripe.paymentIntents.confirm(intent.id, { payment_method: declined }),
    {
      type: "StripeCardError",
      rawType: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      statusCode: 402,
      message: "Your card was declined.",
      payment_intent: {
        id: intent.id,
        status: "requires_payment_method",
        last_payment_error: { code: "card_declined", decline_code: "generic_decline" },
      },
    },
  );
  await call("paymentIntents.retrieve, declined", () => stripe.paymentIntents.retrieve(intent.id), {
    status: "requires_payment_method",
    last_payment_error: { type: "card_error", code: "card_declined" },
  });
  await refused(
    "paymentIntents.create, insufficient funds",
    () =>
      stripe.paymentIntents.create({
        amount: 900,
        currency: "usd",
        payment_method: poor,
        confirm: true,
      }),
    {
      type: "StripeCardError",
      decline_code: "insufficient_funds",
      message: "Your card has insufficient funds.",
    },
  );
  const asked = await card(driving, "tok_threeDSecure2Required");
  await call(
    "paymentIntents.confirm, challenge",
    () => stripe.paymentIntents.confirm(intent.id, { payment_method: asked }),
    { status: "requires_action", next_action: { type: "use_stripe_sdk" } },
  );
  const bank = await call(
    "paymentMethods.create, bank account",
    () =>
      stripe.paymentMethods.create({
        type: "us_bank_account",
        us_bank_account: { account_number: "000123456789" },
      }),
    { type: "us_bank_account", us_bank_account: { last4: "6789" } },
  );
  const slow = await call(
    "paymentIntents.create, processing",
    () =>
      stripe.paymentIntents.create({
        amount: 900,
        currency: "usd",
        payment_method_types: ["us_bank_account"],
        payment_method: bank.id,
        confirm: true,
      }),
    { status: "processing" },
  );
  await new Promise((done) => setTimeout(done, 3500));
  await call("paymentIntents.retrieve, settled", () => stripe.paymentIntents.retrieve(slow.id), {
    status: "succeeded",
    amount_received: 900,
  });
  await refused(
    "paymentIntents.create, no amount",
    () => stripe.paymentIntents.create({ currency: "usd" }),
    {
      type: "StripeInvalidRequestError",
      code: "parameter_missing",
      param: "amount",
      message: "Missing required param: amount.",
    },
  );
  await refused(
    "paymentIntents.create, too small",
    () => stripe.paymentIntents.create({ amount: 1, currency: "usd" }),
    { code: "amount_too_small", param: "amount" },
  );
  await refused(
    "paymentIntents.create, currency",
    () => stripe.paymentIntents.create({ amount: 900, currency: "xxx" }),
    { type: "StripeInvalidRequestError", param: "currency", statusCode: 400 },
  );
  await refused(
    "paymentIntents.create, unknown customer",
    () => stripe.paymentIntents.create({ amount: 900, currency: "usd", customer: "cus_nope" }),
    { code: "resource_missing", param: "customer", statusCode: 404 },
  );
  await refused(
    "paymentIntents.create, confirm without a method",
    () => stripe.paymentIntents.create({ amount: 900, currency: "usd", confirm: true }),
    { type: "StripeInvalidRequestError", statusCode: 400 },
  );
}

async function refunds(driving: Driving): Promise<void> {
  const { calls, stripe } = driving;
  const { call, refused } = calls;
  const paid = await stripe.paymentIntents.create({
    amount: 3000,
    currency: "usd",
    payment_method: await card(driving, "tok_mastercard"),
    confirm: true,
  });
  const part = await call(
    "refunds.create, a part",
    () =>
      stripe.refunds.create({
        payment_intent: paid.id,
        amount: 1000,
        reason: "requested_by_customer",
      }),
    {
      object: "refund",
      amount: 1000,
      currency: "usd",
      payment_intent: paid.id,
      reason: "requested_by_customer",
      status: "succeeded",
    },
  );
  await refused(
    "refunds.create, too much",
    () => stripe.refunds.create({ payment_intent: paid.id, amount: 2500 }),
    { type: "StripeInvalidRequestError", param: "amount", statusCode: 400 },
  );
  await call("refunds.create, the rest", () => stripe.refunds.create({ payment_intent: paid.id }), {
    amount: 2000,
  });
  await refused("refunds.create, again", () => stripe.refunds.create({ payment_intent: paid.id }), {
    code: "charge_already_refunded",
    statusCode: 400,
  });
  await call("refunds.list", () => stripe.refunds.list({ payment_intent: paid.id }), {
    data: [{ amount: 2000 }, { amount: 1000 }],
  });
  await call("refunds.retrieve", () => stripe.refunds.retrieve(part.id), { amount: 1000 });
}

async function keys({ calls, stripe }: Driving): Promise<void> {
  const { call, refused } = calls;
  const key = { idempotencyKey: "a-key-of-the-driver" };
  const first = await call(
    "idempotent, first",
    () => stripe.customers.create({ name: "Once" }, key),
    { name: "Once" },
  );
  calls.holds("no mark", first.lastResponse.headers["idempotent-replayed"] === undefined);
  const again = await call(
    "idempotent, again",
    () => stripe.customers.create({ name: "Once" }, key),
    { id: first.id },
  );
  calls.holds("the mark", again.lastResponse.headers["idempotent-replayed"] === "true");
  calls.holds("the key comes back", again.lastResponse.idempotencyKey === key.idempotencyKey);
  calls.holds(
    "an id for each request",
    again.lastResponse.requestId !== first.lastResponse.requestId,
  );
  await refused("idempotent, other body", () => stripe.customers.create({ name: "Other" }, key), {
    type: "StripeIdempotencyError",
    statusCode: 400,
  });
  await refused(
    "idempotent, other endpoint",
    () => stripe.paymentIntents.create({ amount: 900, currency: "usd" }, key),
    {
      type: "StripeIdempotencyError",
    },
  );
}

async function authentication({ calls, Stripe }: Driving, at: object): Promise<void> {
  const bad = new Stripe("sk_test_wrong", at);
  await calls.refused("a wrong key", () => bad.customers.list(), {
    type: "StripeAuthenticationError",
    statusCode: 401,
  });
}

async function webhooks(driving: Driving): Promise<void> {
  const { calls, stripe } = driving;
  const { call, refused } = calls;
  const inbox = new Inbox();
  try {
    const url = await inbox.listen();
    const endpoint = await call(
      "webhookEndpoints.create",
      () => stripe.webhookEndpoints.create({ url, enabled_events: ["*"] }),
      { object: "webhook_endpoint", url, status: "enabled", enabled_events: ["*"] },
    );
    calls.holds("a secret", String(endpoint.secret).startsWith("whsec_"));
    const read = await call(
      "webhookEndpoints.retrieve",
      () => stripe.webhookEndpoints.retrieve(endpoint.id),
      { id: endpoint.id },
    );
    calls.holds("no secret", read.secret === undefined);
    const paid = await stripe.paymentIntents.create({
      amount: 1200,
      currency: "usd",
      payment_method: await card(driving, "tok_visa"),
      confirm: true,
    });
    const message = await inbox.of("payment_intent.succeeded");
    await call(
      "webhooks.constructEvent",
      async () => stripe.webhooks.constructEvent(message.body, message.signature, endpoint.secret),
      {
        object: "event",
        type: "payment_intent.succeeded",
        livemode: false,
        data: { object: { id: paid.id, status: "succeeded", amount: 1200 } },
      },
    );
    await refused(
      "webhooks.constructEvent, another secret",
      async () => stripe.webhooks.constructEvent(message.body, message.signature, "whsec_x"),
      { type: "StripeSignatureVerificationError" },
    );
    await call("webhookEndpoints.del", () => stripe.webhookEndpoints.del(endpoint.id), {
      id: endpoint.id,
      deleted: true,
    });
  } finally {
    inbox.close();
  }
}

/** The key of an account that stands there from the start: `examples/stripe/rows.json`. */
const STRIPE_KEY = "sk_test_first";

/** Runs every call against the service. `installed`: the folder of the published packages. */
export async function stripe(installed: string, address: string): Promise<Outcome> {
  const path = join(installed, "stripe/esm/stripe.esm.node.js");
  const { default: Stripe } = (await import(pathToFileURL(path).href)) as Client;
  const { hostname, port } = new URL(address);
  const at = { host: hostname, port: Number(port), protocol: "http" };
  const calls = new Calls();
  const driving = { calls, Stripe, stripe: new Stripe(STRIPE_KEY, at) };
  const authenticated = (one: Driving) => authentication(one, at);
  const groups = [customers, paging, methods, intents, refusals, refunds, keys, authenticated];
  for (const group of [...groups, webhooks]) await calls.within(() => group(driving));
  return calls.outcome("Stripe, official client");
}

/**
 * Faults that the shop can be given, one at a time. The ten kinds of the project rest-faults
 * (github.com/EMResearch/rest-faults) stand among them, with their numbers there; the others are such
 * faults of all parts of a document.
 */

export type Part =
  | "service"
  | "resources"
  | "states"
  | "endpoints"
  | "effects"
  | "pagination"
  | "authentication"
  | "errors"
  | "limits"
  | "versioning";

/** Texts in lines of the document, behind ` > ` below a heading: one of them is to be named. */
type Lines = readonly string[];

const ORDERS = "### `POST /orders`";
const LIST = "### `GET /orders`";
const PUT = "### `PUT /products/{id}`:";
const PATCH = "### `PATCH /products/{id}`";

/** Each fault by its name, with the part that it is about. */
export const seeded = {
  "any media type": ["errors", "| `not_json` |"],
  "an empty change is fine": [
    "endpoints",
    `${PATCH} > - Body:`,
    "### `PATCH /staff/{id}` > - Body:",
  ],
  "unknown members are ignored": ["errors", "| `invalid` |"],
  "totals fail": ["endpoints", "### `GET /totals` >"], // 1
  "active is null": ["resources", "| `active` |"], // 2

  "a longer title": ["resources", "| `title` |"], // 4
  "a price of nothing": ["resources", "| `price` |"], // 5
  "a sku with more around": ["resources", "| `sku` |"], // 6
  "any unit": ["resources", "| `unit` |"],
  "any role": ["resources", "| `role` |"],
  "tags without end": ["resources", "| `tags` |"],
  "tags twice": ["resources", "| `tags` |"],
  "no stars": ["resources", "| `stars` |"],
  "twenty-one of one": ["resources", "| `quantity` |"],
  "fragile may be null": ["resources", "| `fragile` |"],
  "stock is given by clients": ["resources", "| `stock` |"],
  "stock without end": ["endpoints", "### `PUT /products/{id}/stock` > | `stock` |"],
  "names are not trimmed": ["resources", "| `name` |"],
  "another unit at the start": ["resources", "| `unit` |"],
  "locked out from the start": ["resources", "| `active` |"],
  "clerks see the cost": ["resources", "| `cost` |"],
  "shows the shop": ["resources", "| `shop` | `Shop`"],
  "money as text": ["resources", "| `price` |"],
  "no time of change": ["resources", "| `changedAt` |"],
  "the time of change stays": ["resources", "| `changedAt` |"],
  "times in seconds": ["service", "- Timestamps:", "| `createdAt` |", "| `changedAt` |"],
  "a sku twice": ["resources", "| `sku` |"],
  "a sku in no other shop": ["resources", "| `sku` |"],
  "bulk may be dearer": ["resources", "- Always:"],
  "no tags": ["resources", "- Version tag:"],
  "weak tags": ["resources", "- Version tag:"],
  "the version stays": ["resources", "| `version` |", "- Version tag:"],
  "no tag is needed": ["resources", "- Version tag:", `${PUT} > Check the tag`],
  "stale tags are fine": ["resources", "- Version tag:", `${PUT} > Check the tag`],
  "one row of numbers": [
    "resources",
    "| `number` | integer | no | no | yes | counts up from 1 within `product` |",
  ],
  "one row of order numbers": [
    "resources",
    "| `number` | integer | no | no | yes | counts up from 1 within `shop` |",
  ],
  "reviews stay": ["resources", "| `product` | `Product` | no | no | yes | deleted with it |"],
  "deleted with orders": ["resources", "its deletion is refused, else `in_use`"],
  "products of other shops": ["resources", "### `Product` > - Rows:"],
  "lists of all shops": ["resources", "### `Product` > - Rows:"],
  "orders of other shops": ["resources", "### `Order` > - Rows:"],
  "orders from other shops": ["resources", "- Missing `product`", "### `Product` > - Rows:"],

  "paid from the start": ["states", "- States:", "| `status` | state |"],
  "paid twice": ["states", "- Any other transition:", "| `pay` |"],
  "shipped unpaid": ["states", "- Any other transition:", "| `ship` |"],
  "shipped and cancelled": ["states", "- Any other transition:", "| `cancel` |"],
  "paid and not cancelled": ["states", "| `cancel` |"],
  "paid and still open": ["states", "| `pay` |"],
  "returned is cancelled": ["states", "| `return` |"],
  "fragile goods come back": ["states", "| `return` |", "- Any other transition:"],

  "made is 200": [
    "endpoints",
    "### `POST /shops` > Respond 201",
    "### `POST /staff` > Respond 201",
  ],
  "a product is 200": ["endpoints", "### `POST /products` > Respond 201"], // 3
  "paid is 202": ["endpoints", "### `POST /orders/{id}/payment` > Respond 200"],
  "a put is 201": ["endpoints", `${PUT} > Respond 200`],
  "deleted is 200": ["endpoints", "### `DELETE /products/{id}` > Respond 204"],
  "a location that leads nowhere": ["endpoints", "### `POST /products` > Respond 201"], // 7
  "a location of the wrong list": ["endpoints", `${ORDERS} > Respond 201`],
  "any amount": ["endpoints", "Require `body.amount == order.total`"],
  "oneself is fine": ["endpoints", "Require `account != caller`"],
  "two reviews each": ["endpoints", "Require no `Review`"],
  "more than there are": ["endpoints", "Require `product.stock >= body.quantity`"],
  "orders of others are cancelled": ["endpoints", "Require `order.placedBy == caller"],
  "reviews of others are deleted": ["endpoints", "Require `review.author == caller"],
  "keys are ignored": ["endpoints", "- Same key and same body:", "- Idempotency key:"],
  "keys of all callers": ["endpoints", "- Key per:", "- Idempotency key:"],
  "another body under a key": ["endpoints", "- Same key and other body:", "- Idempotency key:"],
  "again is 200": ["endpoints", "- Same key and same body:", "- Idempotency key:"],
  "inputs before the caller": ["endpoints", "Check the caller.", "| `unauthorized` |"],

  "a partial put": ["effects", `${PUT} > every member`], // 9
  "a put that keeps the cost": ["effects", `${PUT} > every member`],
  "a put that adds": ["effects", "Set `product.stock` = `body.stock`"], // 10
  "a patch leaves null out": ["effects", `${PATCH} > given members only`],
  "a patch like a put": ["effects", `${PATCH} > given members only`],
  "a patch that does nothing": ["effects", `${PATCH} > given members only`],
  "a delete that does nothing": ["effects", "Delete `product`"], // 8
  "a refused shipment stays": [
    "effects",
    "- One request:",
    "Set `order.tracking`",
    "- Any other transition:",
  ],
  "no tracking kept": ["effects", "Set `order.tracking`"],
  "the total of one": ["effects", `${ORDERS} > Create an \`Order\``, "| `total` |"],
  "bulk from eleven on": [
    "effects",
    "Let `each` be",
    `${ORDERS} > Create an \`Order\``,
    "| `total` |",
  ],
  "no bulk price": ["effects", "Let `each` be", `${ORDERS} > Create an \`Order\``, "| `total` |"],
  "the stock stays": ["effects", "Set `product.stock` = `product.stock - body.quantity`"],
  "cancelled stock is lost": ["effects", "Set `product.stock` = `product.stock + order.quantity`"],
  "income of open orders": ["effects", "### `GET /totals` >", "### `Totals` >"],

  // Conditions in lines of their own are of the item of their step.
  "pages overlap": ["pagination", `${LIST} > Let \`found\` be every`],
  "no filter by state": ["pagination", `${LIST} > Let \`found\` be every`],
  "the oldest first": ["pagination", "Order `found` by `it.number` descending"],
  "one more on a page": ["pagination", "Let `page` be `found` from `0`"],
  "a next page that is empty": ["pagination", "Let `next` be", "### `OrderPage` > | `next` |"],
  "no next page": ["pagination", "Let `next` be", "### `OrderPage` > | `next` |"],
  "no filter by tag": ["pagination", "where `query.tag in it.tags`"],
  "products in the order made": ["pagination", "Order `found` by `it.sku` ascending"],
  "the newest review first": ["pagination", "Order `found` by `it.stars` descending"],
  "offset in pages": ["pagination", "Let `page` be `found` from `query.offset`"],
  "another size of pages": ["pagination", "### `GET /products` > | `limit` |"],
  "pages of eleven": ["pagination", "### `GET /products` > | `limit` |"],

  "a list without a key": [
    "authentication",
    "| `unauthorized` |",
    "- Caller:",
    "Check the caller.",
  ],
  "locked out and still in": ["authentication", "- Caller:", "| `unauthorized` |"],
  "clerks may do all": ["authentication", "- Who: `manager`", "| `manager` |", "| `forbidden` |"],
  "forbidden is 401": ["authentication", "| `forbidden` |"],

  "not found is 400": ["errors", "| `not_found` |"],
  "invalid is 400": ["errors", "| `invalid` |"],
  "wrong state is 400": ["errors", "| `wrong_state` |"],
  "messages tell more": ["errors", "| `message` |"],
  "no field named": ["errors", "| `field` |"],
  "errors are named otherwise": ["errors", "| `in_use` |", "| `error` |"],
  "errors without a body": ["errors", "### `Problem`", "- Every Body:", "| `invalid` |"],
  "allow leaves out": ["errors", "| `no_such_method` |"],

  "no limit of orders": ["limits", "| `orders_a_minute` |"],
  "limit one too high": ["limits", "| `orders_a_minute` |"],
  "limit one too low": ["limits", "| `orders_a_minute` |"],
  "limit for all together": ["limits", "| `orders_a_minute` |"],
  "no retry-after": ["limits", "| `orders_a_minute` |"],
  "retry after an hour": ["limits", "| `orders_a_minute` |"],
  "one product more": ["limits", "| `products_kept` |"],
  "no limit of bytes": ["limits", "| `body` |"],
  "body one byte longer": ["limits", "| `body` |"],

  "a version may be missing": ["versioning", "| `no_version` |"],
  "any version will do": ["versioning", "| `other_version` |"],
  "no deprecation told": ["versioning", "| `GET /totals` |", "- Sent with deprecated"],
  "deprecated later": ["versioning", "| `GET /totals` |", "- Sent with deprecated"],
} as const satisfies Readonly<Record<string, readonly [Part, ...Lines]>>;

export type Fault = keyof typeof seeded;

/** Fields of one row are changed that a step comes to together, and the step is about that row. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { mutantsOf } from "../../src/verify/rivals/mutants.ts";
import { Nearness } from "../../src/verify/rivals/near.ts";
import { exportableOf } from "../export/exported.ts";

const { plan } = exportableOf(join(import.meta.dirname, "faults/shop.md"));
const nearness = new Nearness(plan);

/** What changes fields of which resources for a clause. */
function fedFor(item: string): readonly string[] {
  const mutant = mutantsOf(plan).find((one) => one.item.startsWith(item));
  assert.ok(mutant !== undefined, item);
  return nearness
    .of(mutant)
    .fed.flatMap(({ resource, changes }) =>
      [...changes].flatMap(([field, endpoints]) =>
        endpoints.map(({ method, id }) => `${resource}.${field}: ${method} ${id.split(" ")[1]}`),
      ),
    );
}

test("what a price hangs on is changed where the product is, and its stock elsewhere", () => {
  const found = fedFor("endpoints/POST /orders/step Let each be");
  for (const field of ["price", "bulkPrice"]) {
    for (const method of ["PUT", "PATCH"]) {
      assert.ok(found.includes(`Product.${field}: ${method} /products/{id}`), found.join());
    }
  }
  assert.ok(found.includes("Product.stock: PUT /products/{id}/stock"), found.join());
  // Nothing that is sent changes these, and rows of other resources have nothing to do with it.
  assert.ok(
    found.every((one) => /^Product\.(price|bulkPrice|stock):/.test(one)),
    found.join(),
  );
});

test("a clause that is of no step, or comes to no field, is fed by nothing", () => {
  assert.deepEqual(fedFor("resources/Product/price"), []);
  assert.deepEqual(fedFor("endpoints/GET /me/"), []);
});

/** Writes many products into the files of Lacuna and of a control, before either is started. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { openProducts } from "./control/products.ts";
import { Filler } from "./scale-rows.ts";
import { newProducts } from "./scenarios.ts";
import { HERE } from "./servers.ts";

/** Different products; the rows repeat them, so that little memory is used. */
const KINDS = 10_000;
const PATHS = 5000;
const BATCH = 50_000;
const START = 1_750_000_000_000_000n;
const MILLISECOND = 1000n;

/** Whether the path of a row is one of those that are read, spread over the store. */
const isRead = (i: number, count: number): boolean =>
  i % Math.max(1, Math.floor(count / PATHS)) === 0;

/** Fills a store of `spec.md`; gives paths of products in it. */
export function fillOurs(file: string, count: number, seed: number): readonly string[] {
  const planned = plan(check(read(readFileSync(join(HERE, "spec.md")))));
  if (planned === undefined) throw new Error("spec.md has errors");
  const filler = new Filler(planned.plan, file);
  const add = filler.into("Product");
  const products = newProducts(KINDS, seed);
  const paths: string[] = [];
  for (let i = 0; i < count; i++) {
    const { cents, stock, note = null, ...product } = products[i % KINDS] ?? {};
    const at = START + BigInt(i) * MILLISECOND;
    const id = `p${String(i).padStart(9, "0")}`;
    const numbers = { cents: BigInt(cents ?? 0), stock: BigInt(stock ?? 0) };
    add({ id, ...product, ...numbers, note, createdAt: at, updatedAt: at });
    if (isRead(i, count)) paths.push(`/products/${id}`);
  }
  filler.close();
  return paths;
}

/** Fills the table of the control; gives paths of products in it. */
export async function fillControl(
  file: string,
  count: number,
  seed: number,
): Promise<readonly string[]> {
  const products = openProducts(file, "expert");
  const kinds = newProducts(KINDS, seed);
  const paths: string[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => {
      const product = kinds[(from + i) % KINDS];
      return new Promise<string>((resolve, reject) => {
        if (product === undefined) throw new Error("there are no products");
        products.create(product, ({ id }) => resolve(id), reject);
      });
    });
    for (const [i, id] of (await Promise.all(made)).entries()) {
      if (isRead(from + i, count)) paths.push(`/products/${id}`);
    }
  }
  await products.close();
  return paths;
}

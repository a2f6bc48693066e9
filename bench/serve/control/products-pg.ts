/**
 * The same table in PostgreSQL, as most write it: a pool of connections of `pg`, prepared
 * statements, each change a transaction.
 */
import pg from "pg";
import type { NewProduct, Page, Product, Products } from "./products.ts";
import { newProduct } from "./products.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS products (
    id text PRIMARY KEY,
    name text NOT NULL,
    category text NOT NULL,
    cents integer NOT NULL,
    stock integer NOT NULL,
    note text,
    "onSale" boolean NOT NULL,
    "createdAt" timestamptz NOT NULL,
    "updatedAt" timestamptz NOT NULL
  );
  CREATE INDEX IF NOT EXISTS newest ON products (category, "createdAt" DESC, id DESC);
`;

type Held = Omit<Product, "createdAt" | "updatedAt"> & {
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const shown = ({ createdAt, updatedAt, ...held }: Held): Product => ({
  ...held,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const INSERT =
  "INSERT INTO products VALUES ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $9::timestamptz)";
const REPLACE =
  'UPDATE products SET name = $2, category = $3, cents = $4, stock = $5, note = $6, "onSale" = $7, ' +
  '"updatedAt" = $8::timestamptz WHERE id = $1';
const NEWEST =
  'SELECT * FROM products WHERE category = $1 ORDER BY "createdAt" DESC, id DESC ' +
  "LIMIT $2 OFFSET $3";

/** Opens the table in a database. */
export async function openPgProducts(url: string): Promise<Products> {
  const pool = new pg.Pool({ connectionString: url });
  await pool.query(SCHEMA);
  const one = async (id: string): Promise<Product | undefined> => {
    const text = "SELECT * FROM products WHERE id = $1";
    const { rows } = await pool.query<Held>({ name: "one", text, values: [id] });
    return rows[0] && shown(rows[0]);
  };
  const changed = async (id: string, given: Partial<NewProduct>): Promise<Product | undefined> => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const text = "SELECT * FROM products WHERE id = $1 FOR UPDATE";
      const { rows } = await client.query<Held>({ name: "held", text, values: [id] });
      const [before] = rows;
      if (before === undefined) {
        await client.query("ROLLBACK");
        return undefined;
      }
      const after = { ...shown(before), ...given, updatedAt: new Date().toISOString() };
      const { name, category, cents, stock, note, onSale, updatedAt } = after;
      const values = [id, name, category, cents, stock, note, onSale, updatedAt];
      await client.query({ name: "replace", text: REPLACE, values });
      await client.query("COMMIT");
      return after;
    } catch (fault) {
      await client.query("ROLLBACK").catch(() => {});
      throw fault;
    } finally {
      client.release();
    }
  };
  return {
    create: (given, done, failed) => {
      const made = newProduct(given);
      const values = [
        ...[made.id, made.name, made.category, made.cents, made.stock, made.note, made.onSale],
        ...[made.createdAt, made.updatedAt],
      ];
      // One statement is one transaction.
      pool.query({ name: "insert", text: INSERT, values }).then(() => done(made), failed);
    },
    change: (id, given, done, failed) => void changed(id, given).then(done, failed),
    get: (id, done, failed) => void one(id).then(done, failed),
    list: ({ category, limit, offset }: Page, done, failed) =>
      void pool
        .query<Held>({ name: "newest", text: NEWEST, values: [category, limit, offset] })
        .then(({ rows }) => done(rows.map(shown)), failed),
    remove: (id, done, failed) => {
      const text = "DELETE FROM products WHERE id = $1";
      const removed = pool.query({ name: "remove", text, values: [id] });
      removed.then(({ rowCount }) => done(rowCount === 1), failed);
    },
    close: () => pool.end(),
  };
}

/** The control's table of products in SQLite, durable at each commit; knows nothing of HTTP. */
import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";

export interface NewProduct {
  readonly name: string;
  readonly category: string;
  readonly cents: number;
  readonly stock: number;
  readonly note?: string | null;
  readonly onSale: boolean;
}

export interface Product extends Required<NewProduct> {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Held extends Omit<Product, "onSale"> {
  readonly onSale: number;
}

export interface Page {
  readonly category: string;
  readonly limit: number;
  readonly offset: number;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS products (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    cents INTEGER NOT NULL,
    stock INTEGER NOT NULL,
    note TEXT,
    onSale INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS newest ON products (category, createdAt DESC, id DESC);
`;

/** 26 characters, later ones after earlier ones, so that the index grows at its end. */
function newId(): string {
  const random = randomUUID().replaceAll("-", "").slice(0, 17);
  return Date.now().toString(36).padStart(9, "0") + random;
}

const shown = (held: Held): Product => ({ ...held, onSale: held.onSale === 1 });
const held = (product: Product): Held => ({ ...product, onSale: product.onSale ? 1 : 0 });

/** Opens the table in `file`; each method is one transaction. */
export function openProducts(file: string) {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(SCHEMA);
  if (db.pragma("synchronous", { simple: true }) !== 2) throw new Error("not durable");
  const insert = db.prepare<Held>(
    "INSERT INTO products VALUES (@id, @name, @category, @cents, " +
      "@stock, @note, @onSale, @createdAt, @updatedAt)",
  );
  const one = db.prepare<[string], Held>("SELECT * FROM products WHERE id = ?");
  const newest = db.prepare<Page, Held>(
    "SELECT * FROM products WHERE category = @category " +
      "ORDER BY createdAt DESC, id DESC LIMIT @limit OFFSET @offset",
  );
  const replace = db.prepare<Held>(
    "UPDATE products SET name = @name, category = @category, " +
      "cents = @cents, stock = @stock, note = @note, onSale = @onSale, updatedAt = @updatedAt " +
      "WHERE id = @id",
  );
  const remove = db.prepare<[string]>("DELETE FROM products WHERE id = ?");

  const create = db.transaction((given: NewProduct): Product => {
    const now = new Date().toISOString();
    const { name, category, cents, stock, note = null, onSale } = given;
    const product = {
      id: newId(),
      name,
      category,
      cents,
      stock,
      note,
      onSale,
      createdAt: now,
      updatedAt: now,
    };
    insert.run(held(product));
    return product;
  });
  const change = db.transaction((id: string, given: Partial<NewProduct>): Product | undefined => {
    const before = one.get(id);
    if (before === undefined) return undefined;
    const after = { ...shown(before), ...given, updatedAt: new Date().toISOString() };
    replace.run(held(after));
    return after;
  });
  return {
    create: create.immediate,
    change: change.immediate,
    get: (id: string): Product | undefined => {
      const found = one.get(id);
      return found && shown(found);
    },
    list: (page: Page): Product[] => newest.all(page).map(shown),
    remove: db.transaction((id: string): boolean => remove.run(id).changes === 1).immediate,
    close: (): void => void db.close(),
  };
}

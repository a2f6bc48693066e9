/**
 * The control's table of products in SQLite, durable at each commit; knows nothing of HTTP. As most
 * write it: each change is a transaction. As an expert writes it: more of the file is kept in
 * memory, and changes that arrive together share a transaction.
 */
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

/** What is done with what was made, and with a fault. */
type Done<T> = (made: T) => void;
type Failed = (fault: unknown) => void;

/** A table of products; each change is durable when it is done. */
export interface Products {
  create(given: NewProduct, done: Done<Product>, failed: Failed): void;
  change(
    id: string,
    given: Partial<NewProduct>,
    done: Done<Product | undefined>,
    failed: Failed,
  ): void;
  get(id: string, done: Done<Product | undefined>, failed: Failed): void;
  list(page: Page, done: Done<Product[]>, failed: Failed): void;
  remove(id: string, done: Done<boolean>, failed: Failed): void;
  close(): void | Promise<void>;
}

interface Held extends Omit<Product, "onSale"> {
  readonly onSale: number;
}

export interface Page {
  readonly category: string;
  readonly limit: number;
  readonly offset: number;
}

/** How a control is written. */
export type Manner = "usual" | "expert";

/** As Lacuna opens its own store. */
const EXPERT_PRAGMAS = [
  "cache_size = -65536",
  "mmap_size = 268435456",
  "temp_store = MEMORY",
  "wal_autocheckpoint = 4000",
];

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

/** A product as it is made. */
export function newProduct(given: NewProduct): Product {
  const now = new Date().toISOString();
  const { name, category, cents, stock, note = null, onSale } = given;
  return {
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
}

const shown = (held: Held): Product => ({ ...held, onSale: held.onSale === 1 });
const held = (product: Product): Held => ({ ...product, onSale: product.onSale ? 1 : 0 });

/** Runs a change now or with others; tells what it gave when it is durable. */
type Commit = <T>(run: () => T, done: (made: T) => void, failed: (fault: unknown) => void) => void;

function oneByOne(db: Database.Database): Commit {
  const alone = db.transaction((run: () => unknown) => run()).immediate;
  return (run, done) => done(alone(run) as ReturnType<typeof run>);
}

/** The changes of one turn of the event loop in one transaction. */
function inGroups(db: Database.Database): Commit {
  interface Waiting {
    run(): void;
    done(): void;
    failed(fault: unknown): void;
  }
  let waiting: Waiting[] = [];
  const all = db.transaction((group: readonly Waiting[]) => {
    for (const one of group) one.run();
  }).immediate;
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      all(group);
    } catch (fault) {
      for (const one of group) one.failed(fault);
      return;
    }
    for (const one of group) one.done();
  };
  return (run, done, failed) => {
    let made: ReturnType<typeof run>;
    const one = { run: () => void (made = run()), done: () => done(made), failed };
    if (waiting.push(one) === 1) setImmediate(flush);
  };
}

/** Opens the table in `file`. */
export function openProducts(file: string, manner: Manner): Products {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  if (manner === "expert") for (const pragma of EXPERT_PRAGMAS) db.pragma(pragma);
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

  const create = (given: NewProduct): Product => {
    const product = newProduct(given);
    insert.run(held(product));
    return product;
  };
  const change = (id: string, given: Partial<NewProduct>): Product | undefined => {
    const before = one.get(id);
    if (before === undefined) return undefined;
    const after = { ...shown(before), ...given, updatedAt: new Date().toISOString() };
    replace.run(held(after));
    return after;
  };
  const commit = manner === "expert" ? inGroups(db) : oneByOne(db);
  return {
    create: (given, done, failed) => commit(() => create(given), done, failed),
    change: (id, given, done, failed) => commit(() => change(id, given), done, failed),
    get: (id, done) => {
      const found = one.get(id);
      done(found && shown(found));
    },
    list: (page, done) => done(newest.all(page).map(shown)),
    remove: (id, done, failed) => commit(() => remove.run(id).changes === 1, done, failed),
    close: () => void db.close(),
  };
}

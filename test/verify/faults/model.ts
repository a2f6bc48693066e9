/** What the shop keeps, and what one request of it holds. */
import { createHash, randomBytes } from "node:crypto";
import type { Fault } from "./seeded.ts";
import type { Asked, Reply } from "./wire.ts";

export interface Account {
  readonly id: string;
  readonly shop: string;
  name: string;
  role: string;
  active: boolean;
  readonly keyHash: string;
}

export interface Product {
  readonly id: string;
  readonly shop: string;
  readonly sku: string;
  title: string;
  /** Money in hundredths. */
  price: number;
  bulkPrice: number | null;
  unit: string;
  tags: readonly string[];
  fragile: boolean;
  cost: number | null;
  stock: number;
  version: number;
  readonly createdAt: string;
  changedAt: string;
}

export interface Review {
  readonly id: string;
  readonly product: string;
  readonly author: string;
  readonly number: number;
  readonly stars: number;
  readonly text: string;
}

export interface Order {
  readonly id: string;
  readonly shop: string;
  readonly number: number;
  readonly product: string;
  readonly quantity: number;
  readonly placedBy: string;
  readonly total: number;
  status: string;
  tracking: string | null;
}

/** A first answer under an idempotency key. */
export interface Kept {
  readonly likeness: string;
  readonly at: number;
  readonly reply: Reply;
}

/** What the service keeps. */
export class Shop {
  readonly accounts = new Map<string, Account>();
  readonly products = new Map<string, Product>();
  readonly reviews = new Map<string, Review>();
  readonly orders = new Map<string, Order>();
  readonly kept = new Map<string, Kept>();
  /** Times of orders placed, by caller. */
  readonly placed = new Map<string, number[]>();
  /** The last number given, by what it counts within. */
  readonly numbers = new Map<string, number>();
  readonly #faults: ReadonlySet<Fault>;

  constructor(faults: readonly Fault[]) {
    this.#faults = new Set(faults);
  }

  /** Whether the service has the fault. */
  has(fault: Fault): boolean {
    return this.#faults.has(fault);
  }

  next(within: string): number {
    const number = (this.numbers.get(within) ?? 0) + 1;
    this.numbers.set(within, number);
    return number;
  }
}

/** One request on its way. */
export interface Context {
  readonly shop: Shop;
  readonly asked: Asked;
  readonly caller: Account;
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export const newId = (prefix: string): string => prefix + randomBytes(9).toString("hex");
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** One endpoint as it is served. */
export interface ServedEndpoint {
  readonly method: string;
  readonly path: RegExp;
  readonly isDeprecated?: boolean;
  done(shop: Shop, asked: Asked, id: string): Reply;
}

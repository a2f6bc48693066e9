/** The requests that are sent to every server, as whole texts; the same for the same seed. */
import { seeded } from "./figures.ts";

export const CATEGORIES = ["book", "game", "garden", "kitchen", "music", "toy"] as const;
const NAMES = ["Lamp", "Kettle", "Atlas", "Trowel", "Drum", "Puzzle"] as const;

export interface NewProduct {
  readonly name: string;
  readonly category: string;
  readonly cents: number;
  readonly stock: number;
  readonly note?: string;
  readonly onSale: boolean;
}

/** Bodies of products to make. */
export function newProducts(count: number, seed: number): readonly NewProduct[] {
  const random = seeded(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  return Array.from({ length: count }, (_, i) => ({
    name: `${NAMES[below(NAMES.length)]} ${i}`,
    category: CATEGORIES[below(CATEGORIES.length)] ?? "book",
    cents: below(100_000),
    stock: below(1000),
    ...(random() < 0.5 ? { note: `Note ${"on this one ".repeat(1 + below(6))}` } : {}),
    onSale: random() < 0.7,
  }));
}

const HEAD = "Host: 127.0.0.1\r\nAccept: application/json\r\n";

export function getRequest(path: string, further = ""): string {
  return `GET ${path} HTTP/1.1\r\n${HEAD}${further}\r\n`;
}

export function postRequest(path: string, body: unknown, further = ""): string {
  return withBody("POST", path, body, further);
}

export function patchRequest(path: string, body: unknown): string {
  return withBody("PATCH", path, body, "");
}

/** Nine requests of the first list for each of the second, as long as the first lasts. */
export function mixed(nine: readonly string[], one: readonly string[]): readonly string[] {
  return nine.flatMap((each, i) => {
    const other = one[Math.floor(i / 9) % one.length];
    return i % 9 === 8 && other !== undefined ? [each, other] : [each];
  });
}

function withBody(method: string, path: string, body: unknown, further: string): string {
  const text = JSON.stringify(body);
  return (
    `${method} ${path} HTTP/1.1\r\n${HEAD}${further}Content-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

/** First and second pages of the categories. */
export function listRequests(): readonly string[] {
  return CATEGORIES.flatMap((one) => [
    getRequest(`/products?category=${one}`),
    getRequest(`/products?category=${one}&limit=20&offset=20`),
  ]);
}

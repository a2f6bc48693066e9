/** Sends the same requests to two servers; tells where answers differ in more than values. */

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly type?: string;
}

const GOOD = { name: "Lamp", category: "kitchen", cents: 1999, stock: 3, onSale: true };
const ASKED: readonly Asked[] = [
  { method: "POST", path: "/products", body: GOOD },
  { method: "POST", path: "/products", body: { ...GOOD, note: "heavy" } },
  { method: "POST", path: "/products", body: { ...GOOD, note: null } },
  { method: "POST", path: "/products", body: { ...GOOD, name: "" } },
  { method: "POST", path: "/products", body: { ...GOOD, name: "n".repeat(81) } },
  { method: "POST", path: "/products", body: { ...GOOD, category: "car" } },
  { method: "POST", path: "/products", body: { ...GOOD, cents: -1 } },
  { method: "POST", path: "/products", body: { ...GOOD, cents: "1999" } },
  { method: "POST", path: "/products", body: { ...GOOD, stock: 1.5 } },
  { method: "POST", path: "/products", body: { ...GOOD, onSale: null } },
  { method: "POST", path: "/products", body: { ...GOOD, colour: "red" } },
  { method: "POST", path: "/products", body: { name: "Lamp" } },
  { method: "POST", path: "/products", text: "{" },
  { method: "POST", path: "/products", text: "a", type: "text/csv" },
  { method: "GET", path: "/products" },
  { method: "GET", path: "/products?category=car" },
  { method: "GET", path: "/products?category=kitchen" },
  { method: "GET", path: "/products?category=kitchen&limit=0" },
  { method: "GET", path: "/products?category=kitchen&limit=2&offset=1" },
  { method: "GET", path: "/products?category=kitchen&page=2" },
  { method: "GET", path: "/products/{id}" },
  { method: "GET", path: "/products/nobody" },
  { method: "PATCH", path: "/products/{id}", body: { cents: 5, note: "less" } },
  { method: "PATCH", path: "/products/{id}", body: {} },
  { method: "PATCH", path: "/products/nobody", body: { cents: 5 } },
  { method: "PUT", path: "/products/{id}", body: GOOD },
  { method: "GET", path: "/nothing" },
  { method: "DELETE", path: "/products/{id}" },
  { method: "DELETE", path: "/products/{id}" },
];

/** The shape of JSON: names in their order and kinds; a timestamp's form, not its value. */
function shapeOf(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => shapeOf(one));
  if (value !== null && typeof value === "object") {
    return Object.entries(value).map(([key, one]) => [key, shapeOf(one, key)]);
  }
  if (name === "id") return `${String(value).length} characters`;
  return typeof value === "string" ? value.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "time") : value;
}

async function ask(port: number, asked: Asked, id: string): Promise<readonly [string, string]> {
  const { method, path, body, text, type = "application/json" } = asked;
  const content = body === undefined ? text : JSON.stringify(body);
  const response = await fetch(`http://127.0.0.1:${port}${path.replace("{id}", id)}`, {
    method,
    ...(content === undefined ? {} : { body: content, headers: { "content-type": type } }),
  });
  const answer = await response.text();
  const media = response.headers.get("content-type")?.split(";")[0];
  const location = response.headers.get("location")?.replace(/[^/]+$/, "id");
  const allow = response.headers.get("allow")?.split(", ").sort();
  const shape = answer === "" ? null : shapeOf(JSON.parse(answer));
  const made = response.status === 201 ? (JSON.parse(answer) as { id: string }).id : id;
  return [JSON.stringify([response.status, media, location, allow, shape]), made];
}

/** Differences of servers' answers from the first one's, one line each; none: they are alike. */
export async function differences(ports: readonly number[]): Promise<readonly string[]> {
  const found: string[] = [];
  const ids = ports.map(() => "");
  for (const asked of ASKED) {
    const answers: string[] = [];
    for (const [i, port] of ports.entries()) {
      const [answer, made] = await ask(port, asked, ids[i] ?? "");
      answers.push(answer);
      ids[i] = made;
    }
    if (answers.every((one) => one === answers[0])) continue;
    const content = asked.text ?? JSON.stringify(asked.body) ?? "";
    found.push(`${asked.method} ${asked.path} ${content}`, ...answers.map((one) => `  ${one}`));
  }
  return found;
}

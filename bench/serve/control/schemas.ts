/** The control's JSON Schemas, for validation by ajv and for serialisation; holds no code. */

const CATEGORIES = ["book", "game", "garden", "kitchen", "music", "toy"];

const settable = {
  name: { type: "string", minLength: 1, maxLength: 80 },
  category: { type: "string", enum: CATEGORIES },
  cents: { type: "integer", minimum: 0, maximum: 100_000_000 },
  stock: { type: "integer", minimum: 0, maximum: 1_000_000 },
  note: { type: ["string", "null"], maxLength: 500 },
  onSale: { type: "boolean" },
};

export const newProduct = {
  type: "object",
  properties: settable,
  required: ["name", "category", "cents", "stock", "onSale"],
  additionalProperties: false,
};

export const changedProduct = {
  type: "object",
  properties: settable,
  minProperties: 1,
  additionalProperties: false,
};

export const pageQuery = {
  type: "object",
  properties: {
    category: { type: "string", enum: CATEGORIES },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    offset: { type: "integer", minimum: 0, default: 0 },
  },
  required: ["category"],
  additionalProperties: false,
};

export const product = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    category: { type: "string" },
    cents: { type: "integer" },
    stock: { type: "integer" },
    note: { type: ["string", "null"] },
    onSale: { type: "boolean" },
    createdAt: { type: "string" },
    updatedAt: { type: "string" },
  },
};

export const productPage = {
  type: "object",
  properties: { items: { type: "array", items: product } },
};

export const problem = {
  type: "object",
  properties: { error: { type: "string" }, field: { type: ["string", "null"] } },
};

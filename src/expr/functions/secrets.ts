/* data table */
/** Functions of secrets and tokens: what they come to is stated by the document. */
import { type FunctionEntry, form } from "./form.ts";

export const SECRETS = [
  {
    name: "password_matches",
    forms: [
      form("string, secret", "boolean"),
      form("secret, secret", "boolean"),
      form("secret, string", "boolean"),
    ],
    does:
      "Whether the second is the secret whose stored form is the first, by the hash that the " +
      "document states for it.",
    example: "",
  },
  {
    name: "token",
    forms: [form("row", "string")],
    does: "A new token for the row, of the form that the document states for it.",
    example: "",
  },
] as const satisfies readonly FunctionEntry[];

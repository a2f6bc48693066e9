/** Functions of secrets and tokens: what the host computes. */
import { EvaluationFault } from "./fault.ts";
import type { Build, Row } from "./values.ts";
import { argument, kindOf, load } from "./values.ts";

/** A secret: its text, or inside a list, map or part the text that is kept of it. */
type Secret = string | { readonly keptText: string };

function secretText(secret: Secret): string {
  return typeof secret === "string" ? secret : secret.keptText;
}

export const secretBuilds = {
  password_matches: (args) => {
    const [stored, secret] = [argument<Secret>(args, 0), argument<Secret>(args, 1)];
    return (state) => {
      const [a, b] = [secretText(stored(state)), secretText(secret(state))];
      if (state.source.passwordMatches) return state.source.passwordMatches(a, b);
      throw new EvaluationFault("unavailable", "no password hashing is supplied here");
    };
  },
  token: (args, code) => {
    const value = argument<Row | number>(args, 0);
    const type = code.args[0]?.type;
    const resource = type?.kind === "row" ? type.resource : kindOf(code, 0);
    return (state) => {
      const row = load(state, resource, value(state));
      if (state.source.token) return state.source.token(row);
      throw new EvaluationFault("unavailable", "no token issue is supplied here");
    };
  },
} as const satisfies Readonly<Record<string, Build>>;

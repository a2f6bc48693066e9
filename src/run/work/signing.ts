/** What a message of a webhook carries besides its body: its signature, and stated headers. */
import { isStated, type Signature, type Webhook } from "../../plan/index.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { EvaluationFault } from "../evaluate/index.ts";
import type { Message, Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";

export type Headers = readonly (readonly [name: string, value: string])[];

const NAMES = ["payload", "delivery", "event", "sent"] as const;

/** The names by which expressions of a webhook see a message. */
export class MessageSlots {
  readonly #slots: readonly number[];

  constructor(scope: Scope) {
    this.#slots = NAMES.map((name) => scope.slot(name));
  }

  fill(activation: Activation, { body, name, event, sent }: Message): void {
    const values: readonly Value[] = [body, name, event, sent];
    for (const [at, slot] of this.#slots.entries()) activation.set(slot, values[at]);
  }
}

type Hmac = Extract<Signature, { form: "HMAC" }>;

function compileHmac(scope: Scope, { algorithm, encoding, ...said }: Hmac) {
  const [text, secret] = [
    compileExpression(scope, said.text),
    compileExpression(scope, said.secret),
  ];
  return (activation: Activation): string => {
    const { hmac } = activation.tx.ambient.hooks;
    if (hmac === undefined) throw new EvaluationFault("unavailable", "nothing is signed");
    const of = { key: String(secret(activation)), text: String(text(activation)) };
    return hmac(algorithm, encoding, of);
  };
}

/** Compiles the headers of an attempt; the names of the message have their slots already. */
export function compileHeaders(
  scope: Scope,
  { signature, headers = [] }: Webhook,
): (activation: Activation) => Headers {
  const signed =
    isStated(signature) && signature.value.form === "HMAC"
      ? compileHmac(scope, signature.value)
      : undefined;
  const slot = scope.slot("signature");
  const values = headers.flatMap(({ name, value }) =>
    isStated(value) ? [[name, compileExpression(scope, value.value)] as const] : [],
  );
  return (activation) => {
    if (signed !== undefined) activation.set(slot, signed(activation));
    return values.map(([name, value]) => [name, String(value(activation))] as const);
  };
}

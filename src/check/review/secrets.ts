/** Review: secrets, passwords, tokens, and who else may come to know them. */
import { type Endpoint, type Expression, isStated, type Resource } from "../../plan/index.ts";
import { codesIn, isOpen, readsCaller, stepsOf } from "../rules/asked.ts";
import type { Rule, RuleContext } from "../rules/context.ts";
import { question, wordsOf } from "./common.ts";

/** Secrets that people choose: short, and used elsewhere too. */
const CHOSEN: ReadonlySet<string> = new Set(["password", "passphrase", "passcode", "pin"]);
const SECRETS: ReadonlySet<string> = new Set([...CHOSEN, "secret", "token", "credential"]);

const isChosen = (name: string): boolean => wordsOf(name).some((word) => CHOSEN.has(word));

function secretsKept(c: RuleContext): void {
  for (const { fields } of [...c.service.resources, ...c.service.partTypes]) {
    for (const field of fields) {
      const rule = field.rules.find((one) => one.kind === "kept as");
      if (rule?.kind !== "kept as" || !isChosen(field.name)) continue;
      if (rule.hash.kind !== "sha256" && rule.hash.kind !== "plain") continue;
      question(c, {
        code: "password-fast",
        at: rule.id,
        message:
          `\`${field.name}\` is chosen by people: ` +
          (rule.hash.kind === "plain"
            ? "who reads the database has it."
            : "whoever has its SHA-256 tries a thousand million guesses a second."),
        hint: "Write `kept as Argon2id with 19456 KiB, 2 passes and 1 lanes`.",
      });
    }
  }
}

function addresses(c: RuleContext): void {
  for (const { sent } of c.service.schemes) {
    if (!isStated(sent) || sent.value.in !== "query") continue;
    question(c, {
      code: "secret-in-address",
      at: sent.id,
      message: "A credential in the query stands in logs, histories and `Referer` fields.",
      hint: "Take it from a header or a cookie.",
    });
  }
  for (const { inputs } of c.service.endpoints) {
    for (const input of inputs) {
      const isSecret =
        input.type.type.kind === "secret" || wordsOf(input.name).some((one) => SECRETS.has(one));
      if (!isSecret || (input.in !== "query" && input.in !== "path")) continue;
      question(c, {
        code: "secret-in-address",
        at: input.id,
        message:
          `\`${input.name}\` in the ${input.in} stands in logs, histories and ` +
          "`Referer` fields.",
        hint: "Take it from the body or a header.",
      });
    }
  }
}

function tokens(c: RuleContext): void {
  for (const { credential, lifetime, audience } of c.service.schemes) {
    if (!isStated(credential) || credential.value.is !== "jwt") continue;
    if (lifetime.is === "none") {
      question(c, {
        code: "token-endless",
        at: lifetime.id,
        message: "A token that never ends is good for whoever finds it, for ever.",
        hint: "State a lifetime, such as `- Lifetime: 24 h`.",
      });
    }
    if (audience.is === "none") {
      question(c, {
        code: "token-anywhere",
        at: audience.id,
        message: "A token that was made for another service with the same key is good here, too.",
        hint: "State one, such as `- Audience: orders`, unless no other service has the key.",
      });
    }
  }
}

const isPasswordAsked = (value: unknown): boolean =>
  codesIn(value).some((code) => code.op === "call" && code.fn === "password_matches");

/** What a log-in tells those who guess, and how often they may. */
function logIns(c: RuleContext): void {
  for (const endpoint of c.service.endpoints) {
    const steps = stepsOf(c, endpoint);
    const asked = steps.find((one) => one.kind === "require" && isPasswordAsked(one.condition));
    if (asked?.kind !== "require") continue;
    const found = steps.find((one) => one.kind === "let one" && one.otherwise !== undefined);
    const [unknown, wrong] = [
      found?.kind === "let one" ? found.otherwise : undefined,
      asked.otherwise,
    ];
    if (unknown?.is === "error" && wrong.is === "error" && unknown.error !== wrong.error) {
      question(c, {
        code: "login-tells",
        at: asked.id,
        message: `\`${unknown.error}\` and \`${wrong.error}\` tell who has an account here.`,
        hint: "Give both the same error.",
      });
    }
    if (isOpen(c, endpoint) && !isCounted(c, endpoint)) {
      question(c, {
        code: "login-unlimited",
        at: endpoint.id,
        message: "Nothing counts how often a password is tried here.",
        hint: "State a rate limit per address for this endpoint.",
      });
    }
  }
}

function isCounted(c: RuleContext, endpoint: Endpoint): boolean {
  const key = [...c.endpoints].find(([, one]) => one === endpoint)?.[0];
  return c.service.limits.some(
    ({ counts }) =>
      counts.is === "gap" ||
      (counts.is === "requests" && (counts.endpoint === undefined || counts.endpoint === key)),
  );
}

/** Keys that follow one another: who knows one knows the next. */
function guesses(c: RuleContext): void {
  for (const endpoint of c.service.endpoints) {
    if (endpoint.method !== "GET" || readsCaller([endpoint.bindings, stepsOf(c, endpoint)]))
      continue;
    for (const { resource: name, by, where, id } of endpoint.bindings) {
      const resource = c.resources.get(name);
      if (resource === undefined || isWalledOff(resource, where)) continue;
      const field = resource.fields.find((one) => one.name === by);
      if (!field?.rules.some((rule) => rule.kind === "counts up")) continue;
      question(c, {
        code: "id-counted",
        at: id,
        message: `\`${by}\` counts up: whoever knows one \`${name}\` finds all others.`,
        hint: "Take a field of type `id`, or ask who the caller is.",
      });
    }
  }
}

function isWalledOff({ invariants }: Resource, where: Expression | undefined): boolean {
  return where !== undefined || invariants.some((one) => one.kind === "rows");
}

/** Reports `password-fast`, `secret-in-address`, `token-...`, `login-...`, `id-counted`. */
export const secrets: Rule = (c) => {
  secretsKept(c);
  addresses(c);
  tokens(c);
  logIns(c);
  guesses(c);
};

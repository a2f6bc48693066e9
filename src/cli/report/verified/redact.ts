/** Hides secrets in what was sent and answered, wherever they stand; must not know any report. */
import { references } from "../../../expr/index.ts";
import { type Plan, statedOf, type ValueType } from "../../../plan/index.ts";
import type { Exchange, Fields, Request, Told } from "../../../verify/index.ts";

/** What stands in place of a secret: letters alone, so that it fits into any text. */
export const HIDDEN = "REDACTED";

/** Header fields that carry credentials whatever a document states. */
const CREDENTIALS = /^(?:proxy-)?authorization$/i;
/** A shorter text is in too many others to be told from them. */
const SECRET_MIN = 6;
/** Runs of the characters of which tokens are made (RFC 3986 section 2.3: unreserved). */
const RUNS = /[A-Za-z0-9._~-]{6,}/g;
const IS_RUN = /^[A-Za-z0-9._~-]{6,}$/;

const NEVER = /(?!)/g;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/** A request, or an answer. */
interface Message {
  readonly headers: Fields;
  readonly body?: string | undefined;
}

/** Names under which secrets are sent and shown in bodies, as the document states. */
function secretNames(plan: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  const last = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
  const take = (one: { name: string; sentAs?: string; type: ValueType }): void => {
    if (one.type.type.kind === "secret") found.add(one.sentAs ?? last(one.name));
  };
  for (const { fields } of [...plan.resources, ...plan.partTypes]) fields.forEach(take);
  for (const { inputs } of plan.endpoints) inputs.forEach(take);
  for (const { fields } of plan.shapes) {
    for (const field of fields) {
      take(field);
      const value = statedOf(field.value);
      const isToken = value !== undefined && references(value.code).functions.has("token");
      if (isToken) found.add(field.sentAs ?? last(field.name));
    }
  }
  return found;
}

/** Hides the secrets of one run. With `isOff` nothing is hidden. */
export class Redactor {
  readonly #isOff: boolean;
  readonly #plan: Plan;
  readonly #runs = new Set<string>();
  readonly #others = new Set<string>();
  readonly #names: ReadonlySet<string>;
  readonly #members: RegExp | undefined;
  readonly #pairs: RegExp | undefined;

  constructor(plan: Plan, exchanges: readonly Exchange[], told: Told, isOff = false) {
    this.#isOff = isOff;
    this.#plan = plan;
    const queries = plan.schemes.flatMap(({ sent }) => {
      const place = statedOf(sent);
      return place?.in === "query" ? [place.name] : [];
    });
    this.#names = new Set([...secretNames(plan), ...queries]);
    if (this.#names.size > 0) {
      const json = [...this.#names].map((name) => escaped(JSON.stringify(name))).join("|");
      this.#members = new RegExp(String.raw`((?:${json})\s*:\s*)"((?:[^"\\]|\\.)*)"`, "g");
      const form = [...this.#names].map(escaped).join("|");
      this.#pairs = new RegExp(`((?:^|[?&])(?:${form})=)[^&#]*`, "g");
    }
    if (isOff) return;
    this.#takeTold(told);
    for (const { request, answer } of exchanges) {
      this.#takePresented(request);
      for (const found of (answer.body ?? "").matchAll(this.#members ?? NEVER)) {
        this.#take(found[2] ?? "");
      }
    }
  }

  #take(secret: string): void {
    if (secret.length < SECRET_MIN) return;
    for (const one of new Set([secret, encodeURIComponent(secret)])) {
      (IS_RUN.test(one) ? this.#runs : this.#others).add(one);
    }
  }

  #takeTold({ settings, rows }: Told): void {
    const { about, resources, schemes, webhooks } = this.#plan;
    const keys = [
      ...schemes.flatMap(({ credential }) => {
        const kind = statedOf(credential);
        return kind?.is === "jwt" && kind.key !== "jwks" ? [kind.key] : [];
      }),
      ...webhooks.flatMap(({ signature }) => statedOf(signature)?.secret ?? []),
    ];
    const members = keys.flatMap(({ code }) => [...references(code).members]);
    const named = new Set(members.flatMap(({ of, member }) => (of === "setting" ? [member] : [])));
    for (const { name, type } of about.settings) {
      const value = settings.get(name);
      const isSecret = named.has(name) || type.type.kind === "secret";
      if (isSecret && typeof value === "string") this.#take(value);
    }
    for (const { name, fields } of resources) {
      const secrets = fields.filter(({ type }) => type.type.kind === "secret");
      for (const row of rows.get(name) ?? []) {
        for (const field of secrets) {
          const value = row.get(field.name);
          if (typeof value === "string") this.#take(value);
        }
      }
    }
  }

  /** Notes what a request presents to say who asks. */
  #takePresented({ headers, target }: Request): void {
    for (const { sent } of this.#plan.schemes) {
      const place = statedOf(sent);
      if (place === undefined) continue;
      for (const [name, value] of headers) {
        if (place.in === "header" && name.toLowerCase() === place.name.toLowerCase()) {
          this.#take(value.slice(place.before.length, value.length - place.after.length));
        } else if (place.in === "basic" && name.toLowerCase() === "authorization") {
          const words = Buffer.from(value.slice("Basic ".length), "base64").toString();
          this.#take(words.slice(words.indexOf(":") + 1));
        } else if (place.in === "cookie" && name.toLowerCase() === "cookie") {
          for (const pair of value.split(/;\s*/)) {
            if (pair.startsWith(`${place.name}=`)) this.#take(pair.slice(place.name.length + 1));
          }
        }
      }
      if (place.in !== "query") continue;
      const given = new URLSearchParams(target.split("?").slice(1).join("?")).get(place.name);
      if (given !== null) this.#take(given);
    }
  }

  /** Any text without the secrets that are known. */
  text(text: string): string {
    if (this.#isOff) return text;
    let shown = text.replaceAll(RUNS, (run) => (this.#runs.has(run) ? HIDDEN : run));
    for (const one of this.#others) shown = shown.replaceAll(one, HIDDEN);
    return shown;
  }

  /** Path and query. */
  target(target: string): string {
    if (this.#isOff) return target;
    const pairs = this.#pairs;
    return this.text(pairs === undefined ? target : target.replaceAll(pairs, `$1${HIDDEN}`));
  }

  body(body: string): string {
    if (this.#isOff) return body;
    let shown = body;
    if (this.#members !== undefined) shown = shown.replaceAll(this.#members, `$1"${HIDDEN}"`);
    const isForm = this.#pairs !== undefined && !/^\s*[[{"]/.test(shown);
    if (isForm) shown = shown.replaceAll(this.#pairs as RegExp, `$1${HIDDEN}`);
    return this.text(shown);
  }

  header([name, value]: readonly [string, string]): readonly [string, string] {
    if (this.#isOff) return [name, value];
    // Of `Set-Cookie` the first pair is the cookie; what follows says how it is kept.
    if (/^set-cookie$/i.test(name)) return [name, value.replace(/=[^;]*/, `=${HIDDEN}`)];
    if (/^cookie$/i.test(name)) return [name, value.replaceAll(/=[^;]*/g, `=${HIDDEN}`)];
    if (CREDENTIALS.test(name)) return [name, value.replace(/(?<=^\S+\s+)\S.*$|^\S+$/, HIDDEN)];
    for (const { sent } of this.#plan.schemes) {
      const place = statedOf(sent);
      if (place?.in !== "header" || place.name.toLowerCase() !== name.toLowerCase()) continue;
      const isWhole = value.startsWith(place.before) && value.endsWith(place.after);
      return [name, isWhole ? place.before + HIDDEN + place.after : HIDDEN];
    }
    return [name, this.text(value)];
  }

  /** A value at a place of a body, as JSON text. */
  value(where: readonly (string | number)[], text: string): string {
    const name = where.findLast((one) => typeof one === "string");
    const isSecret = typeof name === "string" && this.#names.has(name);
    return isSecret && !this.#isOff ? JSON.stringify(HIDDEN) : this.body(text);
  }

  /** A message without its secrets. */
  message<T extends Message>(message: T): T {
    if (this.#isOff) return message;
    const headers = message.headers.map((one) => this.header(one));
    const { body } = message;
    return { ...message, headers, ...(body === undefined ? {} : { body: this.body(body) }) };
  }

  request(request: Request): Request {
    return { ...this.message(request), target: this.target(request.target) };
  }
}

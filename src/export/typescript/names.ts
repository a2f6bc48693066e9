/** Names in TypeScript, made of those of a document. */

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Words of the text as a name that begins with a capital. */
export function pascal(text: string): string {
  const name = (text.match(/[\p{ID_Continue}$]+/gu) ?? [])
    .flatMap((word) => word.split("_"))
    .map(capital)
    .join("");
  return IDENTIFIER.test(name) ? name : `N${name}`;
}

/** The text itself where it is a name, else its words as one. */
export function camel(text: string): string {
  if (IDENTIFIER.test(text)) return text;
  const name = pascal(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The name of a member, in quotes where it needs them. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) && name !== "__proto__"
    ? name
    : JSON.stringify(name);
}

/** Gives each name once. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** The name itself, or with `suffix`, or with that and a number, if it is given already. */
  claim(name: string, suffix: string): string {
    let free = name;
    for (let i = 1; this.#taken.has(free); i++) free = `${name}${suffix}${i === 1 ? "" : i}`;
    this.#taken.add(free);
    return free;
  }
}

/** Names that types of a document may not have: the file or the platform has them. */
export const TYPE_NAMES: readonly string[] = [
  ...["Answer", "ApiError", "BodyOf", "Client", "ClientOptions", "Credential", "Credentials"],
  ...[
    "InexactNumber",
    "Input",
    "Message",
    "Operation",
    "Pair",
    "Payload",
    "RequestOptions",
    "Sent",
    "UserAndPassword",
  ],
  ...["Success", "UnstatedAnswer", "ErrorName", "Status2", "Status3", "Status4", "Status5"],
  ...["Array", "AbortSignal", "AsyncGenerator", "Blob", "Error", "Exclude", "FormData"],
  ...["Headers", "JSON", "Map", "Math", "Number", "Object", "Promise", "RangeError", "Readonly"],
  ...["Record", "Request", "RequestInit", "Response", "String", "TextDecoder", "TextEncoder"],
  ...["URLSearchParams", "BASE_PATH", "NESTING", "SCHEMES"],
];

/** Names that methods may not have; whoever awaits an object asks it for `then`. */
export const METHOD_NAMES: readonly string[] = ["constructor", "then"];

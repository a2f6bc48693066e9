/** Documents that are large, deep or broken in one way each; must not know what reads them. */

export interface Hostile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A code that must be among the findings; undefined where nothing but silence is expected. */
  readonly code: string | undefined;
}

const encoder = new TextEncoder();

const document = (name: string, text: string, code?: string): Hostile => ({
  name,
  bytes: encoder.encode(text),
  code,
});

const many = (piece: string, count: number): string => piece.repeat(count);
const numbered = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join("");

const part = (title: string, text: string): string => `# T\n\n## ${title}\n\n${text}`;
const resources = (text: string): string => part("Resources and their fields", text);
const endpoints = (text: string): string => part("Endpoints", text);
const head = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n";
const field = (type: string, rules = "none"): string =>
  resources(`### \`A\`, many \`as\`\n\n${head}| \`f\` | ${type} | no | no | yes | ${rules} |\n`);
const step = (text: string): string => endpoints(`### \`GET /a\`\n\n1. ${text}\n`);
const expression = (text: string): string => step(`Let \`a\` be \`${text}\`.`);
const mega = 1_000_000;

export const hostile: readonly Hostile[] = [
  // Bytes
  { ...document("no byte at all", ""), code: "no-title" },
  document("NUL", part("Limits", many("\u0000", 100_000)), "control-character"),
  document(
    "bidirectional controls",
    part("Limits", many("a\u202E\u2066", 100_000)),
    "bidirectional-control",
  ),
  document("half characters", part("Limits", many("\uD800", 100_000)), undefined),
  {
    name: "bytes that are no UTF-8",
    bytes: new Uint8Array(300_000).fill(0xff),
    code: "encoding",
  },
  document("line ends of all kinds", part("Limits", many("a\r\n\n\r", 50_000)), "line-ends"),
  document(
    "a document with CRLF",
    part("Limits", "Rate limits: not shown.\n").replaceAll("\n", "\r\n"),
    "silent",
  ),
  document("a byte-order mark", `\uFEFF${part("Limits", "")}`, "byte-order-mark"),
  document("findings past the thousandth", part("Limits", many("2. a\n\nb\n\n", 3000)), "too-many"),
  // Lines and Markdown
  document("backticks", part("Limits", many("`", mega)), "fence-unclosed"),
  document("backticks in a bullet", part("Limits", `- a ${many("`", mega)}`), "code-unclosed"),
  document("pipes", part("Limits", many("|", mega)), "too-large"),
  document("brackets", part("Limits", many("[", mega)), "prose"),
  document("brackets in a bullet", part("Limits", `- ${many("[", mega)}`), "link"),
  document("one long line", part("Limits", many("word ", 400_000)), "too-large"),
  document("one long paragraph", part("What the service does", many("word\n", 300_000)), "silent"),
  document("a paragraph of statements", part("Limits", many("a: not shown.\n", 60_000)), undefined),
  document("spaces", part("Limits", `- a${many(" ", 900_000)}b`), "unknown-bullet"),
  document("headings", resources(numbered(100_000, (i) => `### \`A${i}\`\n\n`)), "silent"),
  document("headings of nothing", part("Limits", many("### a\n\n", 100_000)), "unknown-heading"),
  document("one heading again and again", resources(many("### `A`\n\n", 20_000)), "second-name"),
  document("parts again and again", many("## Limits\n\n", 50_000), "second-part"),
  document("gap sentences", endpoints(numbered(100_000, (i) => `Gap ${i}: not shown.\n\n`)), "gap"),
  document(
    "a million columns",
    part("Limits", `|${many("a|", mega)}\n|${many("-|", mega)}\n`),
    "too-large",
  ),
  document(
    "deep bullets",
    part(
      "Limits",
      numbered(500, (i) => `${many("  ", i)}- a\n`),
    ),
    "too-deep",
  ),
  document("deep quotes", part("Limits", many(">", 300_000)), undefined),
  document(
    "an endless fence",
    part("Limits", `\`\`\`http a\n${many("GET /\n", 100_000)}`),
    "fence-unclosed",
  ),
  document(
    "an example of a million requests",
    endpoints(`\`\`\`http a\n${many("GET /a\n\nHTTP/1.1 200\n\n", 30_000)}\`\`\`\n`),
    // What is silent about its endpoints keeps examples from being judged.
    "silent",
  ),
  // Names, numbers, types
  document(
    "a name of a million letters",
    resources(`### \`${many("a", 1_000_000)}\``),
    "unknown-heading",
  ),
  document("a huge number", field("integer", `starts \`${many("9", 60_000)}\``), "too-large"),
  document(
    "a huge count",
    field("string", `at most ${many("9", 100_000)} characters`),
    "unknown-rule",
  ),
  document("list of list of list", field(`${many("list of ", 10_000)}string`), "unknown-type"),
  document("one of many", field(`one of ${numbered(9_000, (i) => `\`v${i}\`, `)}\`w\``), undefined),
  document(
    "one of one again and again",
    field(`one of ${many("`v`, ", 9_000)}\`v\``),
    "second-name",
  ),
  document("many rules", field("string", many("trimmed; ", 9_000)), "unknown-rule"),
  document(
    "many fields",
    resources(
      `### \`A\`\n\n${head}${numbered(20_000, (i) => `| \`f${i}\` | string | no | no | yes | none |\n`)}`,
    ),
    "silent",
  ),
  // Patterns
  document(
    "a pattern that explodes when it backtracks",
    field("string", "matches `(a+)+$`"),
    "silent",
  ),
  document(
    "a pattern with a huge count",
    field("string", "matches `(((a{1,1000}){1,1000}){1,1000})`"),
    "pattern",
  ),
  document("a pattern of brackets", field("string", `matches \`${many("(", 50_000)}\``), "pattern"),
  document("a pattern of stars", field("string", `matches \`${many("a*", 20_000)}\``), "silent"),
  document(
    "a pattern of nested brackets",
    field("string", `matches \`${many("(", 900)}a${many(")", 900)}\``),
    undefined,
  ),
  // Expressions
  document("brackets in an expression", expression(many("(", 60_000)), "too-large"),
  document("brackets past the bound on text", expression(many("(", 200_000)), "too-large"),
  document("signs in an expression", expression(`${many("-", 60_000)}1`), "too-large"),
  document("a chain of sums", expression(`1${many("+1", 30_000)}`), undefined),
  document("a chain of ors", expression(`true${many("||true", 10_000)}`), undefined),
  document("a chain of questions", expression(`${many("true?1:", 8_000)}1`), "too-large"),
  document("a chain of members", expression(`now${many(".a", 30_000)}`), undefined),
  document("a chain of indexes", expression(`[1]${many("[0]", 20_000)}`), undefined),
  document("a list of lists", expression(many("[", 30_000)), "too-large"),
  document(
    "nested macros",
    expression(`${many("[1].map(x,", 5_000)}x${many(")", 5_000)}`),
    "too-large",
  ),
  document("a long string", expression(`"${many("a", 60_000)}"`), "no-answer"),
  // Steps
  document(
    "many steps",
    endpoints(
      `### \`GET /a\`\n\n${numbered(20_000, (i) => `${i + 1}. Let \`a${i}\` be \`${i}\`.\n`)}`,
    ),
    "no-answer",
  ),
  document(
    "many nested steps",
    endpoints(
      `### \`GET /a\`\n\n1. When \`true\`:\n${numbered(20_000, (i) => `   ${i + 1}. Do nothing.\n`)}`,
    ),
    "no-answer",
  ),
  document(
    "many conditions",
    endpoints(
      `### \`GET /a\`\n\n1. Let \`a\` be every \`A\` where all of:\n${many("   - `true`\n", 20_000)}`,
    ),
    undefined,
  ),
  document(
    "when in when in when",
    step(`${many("When `true`, when `true`, ", 3_000)}do nothing.`),
    "unknown-step",
  ),
  document(
    "many pairs",
    step(`Let \`a\` be the \`A\` where ${many("`f` is `1` and ", 3_000)}\`f\` is \`1\`, or null.`),
    "unknown-name",
  ),
  document(
    "many cases",
    endpoints(
      `### \`GET /a\`\n\n1. By \`1\`:\n${numbered(10_000, (i) => `   - \`${i}\`: do nothing.\n`)}`,
    ),
    "case-missing",
  ),
  document(
    "many endpoints",
    endpoints(numbered(5_000, (i) => `### \`GET /a${i}\`\n\n1. Respond \`204\` with no body.\n\n`)),
    "silent",
  ),
  document(
    "many endpoints that match one request",
    endpoints(
      numbered(3_000, (i) => `### \`GET /{a${i}}\`\n\n1. Respond \`204\` with no body.\n\n`),
    ),
    "same-request",
  ),
  document(
    "a path of many segments",
    endpoints(`### \`GET ${many("/{a}", 5_000)}\`\n`),
    "second-name",
  ),
  document(
    "named steps in a long chain",
    endpoints(numbered(2_000, (i) => `### \`s${i}\`, steps\n\n1. Do \`s${i + 1}\`.\n\n`)),
    "unknown-name",
  ),
  document(
    "a machine of many states",
    part(
      "States and transitions",
      `### \`A\`\n\n- States: \`s\` (initial)${numbered(6_000, (i) => `, \`s${i}\``)}\n`,
    ),
    "unknown-name",
  ),
  document(
    "rows that are deep",
    resources(
      `### \`A\`\n\n- Rows at the start: block \`r\`\n\n\`\`\`json rows r\n${many("[", 100_000)}\n\`\`\`\n`,
    ),
    "rows",
  ),
  document(
    "many rows",
    resources(
      `### \`A\`\n\n- Rows at the start: block \`r\`\n\n${head}| \`f\` | string | no | no | yes | none |\n\n\`\`\`json rows r\n[${many('{"f": "a"},', 30_000)}{"f": "b"}]\n\`\`\`\n`,
    ),
    "silent",
  ),
];

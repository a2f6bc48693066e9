/** Rule: an answer stands where something asks for it. */
import { type RowNode, type SectionNode, unfolded } from "../../spec/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Why a key answers nothing in a section; undefined where it answers something. */
type Idle = (c: RuleContext, section: SectionNode) => string | undefined;

const KEYED: readonly string[] = [
  "key kept",
  "key per",
  "same key and same body",
  "same key and other body",
  "same key while the first runs",
  "answers kept under a key",
  "bodies are the same when",
];

const stated = (section: SectionNode | undefined, key: string): boolean =>
  section?.bullets.some((one) => one.key === key && one.status !== "none") === true;

function formAt(row: RowNode, at: number): string | undefined {
  const cell = row.cells[at];
  return cell === undefined ? undefined : unfolded(cell).matches[0]?.form;
}

const noTimer: Idle = (_c, section) => {
  const on = section.tables
    .filter((one) => one.table === "transitions")
    .flatMap((table) => table.rows.flatMap((row) => formAt(row, 3) ?? "time"));
  return on.some((form) => form === "time" || form === "every")
    ? undefined
    : "no transition here happens on time";
};

const noKey: Idle = (c, section) => {
  if (stated(section, "idempotency key")) return undefined;
  if (section.scope !== "endpoint") {
    return c.service.endpoints.some((one) => one.idempotency !== undefined)
      ? undefined
      : "no idempotency key is stated";
  }
  return c.service.endpoints.some(({ id, idempotency }) => id === section.id && idempotency)
    ? undefined
    : "no idempotency key is stated here";
};

const noToken: Idle = (_c, section) => {
  const kind = section.bullets.find((one) => one.key === "credential");
  return kind?.status !== "stated" || kind.match.form.startsWith("credential jw")
    ? undefined
    : "the credential is no JWT";
};

const noEffect: Idle = (_c, section) => {
  const kind = section.bullets.find((one) => one.key === "kind")?.match.slots.kind;
  return kind?.kind === "text" && kind.text === "pure" ? "the call is pure" : undefined;
};

const idle: ReadonlyMap<string, Idle> = new Map<string, Idle>([
  [
    "limits sent with every answer",
    (c) =>
      c.service.limits.some((one) => one.counts.is === "requests" || one.counts.is === "gap")
        ? undefined
        : "no limit counts requests",
  ],
  [
    "versioning sent with deprecated endpoints",
    (c, { tables }) =>
      // An old version may end, though nothing in it is deprecated.
      stated(c.sections.get("versioning"), "old versions") ||
      tables.some(({ table, rows }) => table === "deprecations" && rows.length > 0)
        ? undefined
        : "nothing is deprecated, and no old version is kept for a time",
  ],
  ["machine clock", noTimer],
  ["machine at the same time", noTimer],
  ...["lifetime", "issuer", "audience", "subject", "clock skew", "rotation"].map(
    (key) => [`scheme ${key}`, noToken] as const,
  ),
  ...["endpoint", "group", "every endpoint"].flatMap((scope) =>
    KEYED.map((key) => [`${scope} ${key}`, noKey] as const),
  ),
  ["call same key", noEffect],
  ["call undo", noEffect],
  [
    "call no answer in time",
    (_c, section) =>
      section.bullets.some(({ key, status }) => key === "time-out" && status === "none")
        ? "the call has no time-out"
        : undefined,
  ],
]);

/** Rows that no bullet says are there at the start. */
function idleRows(c: RuleContext, { fences, bullets }: SectionNode): void {
  for (const fence of fences) {
    if (fence.block !== "rows") continue;
    const isNamed = bullets.some(({ key, status, match }) => {
      const name = match.slots["block"];
      if (key !== "rows at the start") return false;
      return status === "not shown" || (name?.kind === "text" && name.text === fence.name.text);
    });
    if (isNamed) continue;
    report(c, {
      code: "idle-answer",
      severity: "warning",
      at: fence.name,
      message: "This answers what nothing asks: no bullet says that these rows are there.",
      hint: `Write: - Rows at the start: block \`${fence.name.text}\`. Or take the block away.`,
    });
  }
}

/** Reports `idle-answer`. */
export const idleAnswers: Rule = (c) => {
  for (const part of c.spec.parts) {
    for (const section of part.sections) {
      idleRows(c, section);
      for (const bullet of section.bullets) {
        const why = idle.get(`${section.scope} ${bullet.key}`)?.(c, section);
        if (why === undefined) continue;
        report(c, {
          code: "idle-answer",
          severity: "warning",
          at: bullet,
          message: `This answers what nothing asks: ${why}.`,
          hint: "Take it away, or state what asks for it.",
        });
      }
    }
  }
};

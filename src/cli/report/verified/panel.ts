/** What a verification has come to, drawn on a terminal while it runs; writes nothing elsewhere. */
import type { Span } from "../../../base/index.ts";
import type { ItemId } from "../../../plan/index.ts";
import type { Session } from "../../../verify/index.ts";
import type { Io } from "../../io.ts";
import type { Paint } from "../../paint.ts";
import { counted } from "../../render/wrap.ts";
import { cut } from "./visible.ts";

/** Milliseconds from one drawing to the next. */
const EVERY = 120;
const BAR = 20;
const CLEAR_LINE = "\r\u001b[2K";
const UP = "\u001b[1A";

interface Part {
  readonly name: string;
  readonly items: readonly ItemId[];
}

/** A few lines that are drawn again and again in the same place. */
export class Panel {
  readonly #io: Io;
  readonly #paint: Paint;
  readonly #parts: readonly Part[];
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #session: Session | undefined;
  /** Lines that stand there. */
  #drawn = 0;
  #at = -EVERY;
  #said = "";

  /** `origins`: where each item stands; parts come in the order of the document. */
  constructor(io: Io, paint: Paint, origins: ReadonlyMap<ItemId, Span>) {
    this.#io = io;
    this.#paint = paint;
    const placed = [...origins].toSorted(([, a], [, b]) => a.start - b.start);
    const items = placed.flatMap(([id]) => (id.includes("/") ? [id] : []));
    const groups = Map.groupBy(items, (id) => id.slice(0, id.indexOf("/")));
    this.#parts = [...groups].map(([name, own]) => ({ name, items: own }));
    if (!io.isErrTerminal) return;
    // The seconds go on while an answer is waited for.
    this.#timer = setInterval(() => this.#draw(), EVERY);
    this.#timer.unref();
  }

  /** Takes what is known now. */
  update(session: Session): void {
    this.#session = session;
    if (this.#io.isErrTerminal && performance.now() - this.#at >= EVERY) this.#draw();
  }

  /** Says something in place of what is tried. */
  say(text: string): void {
    this.#said = text;
    if (this.#io.isErrTerminal) this.#draw();
  }

  /** Takes it all away. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#io.isErrTerminal) this.#io.err(this.#cleared());
    this.#drawn = 0;
  }

  #cleared(): string {
    return CLEAR_LINE + (UP + CLEAR_LINE).repeat(Math.max(0, this.#drawn - 1));
  }

  #draw(): void {
    this.#at = performance.now();
    const lines = this.#lines();
    this.#io.err(this.#cleared() + lines.join("\n"));
    this.#drawn = lines.length;
  }

  #lines(): readonly string[] {
    const paint = this.#paint;
    const session = this.#session;
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1);
    const rows = this.#parts.map((part) => this.#row(part));
    const sum = (of: "held" | "broken"): number => rows.reduce((all, row) => all + row[of], 0);
    const items = this.#parts.reduce((all, { items }) => all + items.length, 0);
    const broken = sum("broken");
    const found = [
      paint.good(`${sum("held")} held`),
      broken === 0 ? "0 broken" : paint.error(`${broken} broken`),
      paint.dim(`${items - sum("held") - broken} not reached`),
    ];
    const count = counted(session?.requests ?? 0, "request");
    const { columns } = this.#io;
    return [
      `${paint.bold(count)}  ${seconds} s  ${found.join("  ")}`,
      ...rows.map(({ line }) => line),
      paint.dim(cut(this.#said === "" ? this.#trying() : this.#said, columns - 1)),
    ];
  }

  #row({ name, items }: Part): { line: string; held: number; broken: number } {
    const paint = this.#paint;
    let held = 0;
    let broken = 0;
    for (const item of items) {
      const verdict = this.#session?.verdicts.of(item).verdict;
      if (verdict === "held") held += 1;
      else if (verdict === "broken") broken += 1;
    }
    const of = (count: number): number => Math.round((count * BAR) / Math.max(1, items.length));
    const red = broken === 0 ? 0 : Math.max(1, of(broken));
    const green = Math.min(BAR - red, of(held));
    const width = Math.max(...this.#parts.map((part) => part.name.length));
    const bar =
      paint.good("█".repeat(green)) +
      paint.error("█".repeat(red)) +
      paint.dim("░".repeat(BAR - green - red));
    return { line: `  ${name.padEnd(width)} ${bar} ${held}/${items.length}`, held, broken };
  }

  /** The last request and what came of it. */
  #trying(): string {
    const last = this.#session?.exchanges.at(-1);
    if (last === undefined) return "asking for the first time …";
    const { request, answer, judgement } = last;
    const path = judgement.ran.endpoint?.id.replace(/^endpoints\//, "");
    const asked = path ?? `${request.method} ${request.target}`;
    return `${asked} → ${answer.status} ${judgement.ran.outcome.error ?? ""}`;
  }
}

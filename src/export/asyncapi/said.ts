/** What AsyncAPI has no word for: the document's own sentence, with its line. */
import { type Answer, type ItemId, itemOf } from "../../plan/index.ts";
import type { Json, JsonObject } from "../schemas/json.ts";
import { membersOf } from "../schemas/json.ts";
import type { World } from "../schemas/world.ts";

/** The lines of the document, cut once. */
export class Lines {
  readonly #lines: readonly string[];
  readonly #w: World;

  constructor(w: World) {
    this.#w = w;
    this.#lines = w.from.spec.text.split("\n");
  }

  /** The value of a bullet as it is written, with those of its lines that are indented. */
  at(id: ItemId): JsonObject {
    const line = this.#w.from.lineOf(id);
    if (line === undefined) return { line };
    const found = [this.#lines[line - 1] ?? ""];
    for (let at = line; /^\s+\S/.test(this.#lines[at] ?? ""); at += 1) {
      found.push(this.#lines[at] ?? "");
    }
    const text = found.map((each) => each.trim()).join(" ");
    return { text: /^- [^`:]*(?:`[^`]*`)?[^`:]*: (.*)$/.exec(text)?.[1] ?? text, line };
  }

  /** An answer of any kind; undefined: nothing asks. */
  said(answer: Answer<unknown> | undefined): JsonObject | undefined {
    const id = answer === undefined ? undefined : itemOf(answer);
    if (answer === undefined || id === undefined) return undefined;
    return answer.is === "gap" ? { "x-lacuna-gap": this.#w.gap(id) } : this.at(id);
  }

  /** Answers by their names, as members `x-lacuna-NAME`. */
  members(answers: Readonly<Record<string, Answer<unknown> | undefined>>): JsonObject {
    const found = Object.entries(answers).map(([name, answer]): [string, Json | undefined] => [
      `x-lacuna-${name}`,
      this.said(answer),
    ]);
    return membersOf(found) ?? {};
  }
}

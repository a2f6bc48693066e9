/** Parses the pattern of a form into nodes; knows no document. */
import type { SlotKind } from "../../language/index.ts";

export type PatternNode =
  | { readonly is: "word" | "mark" | "code"; readonly text: string }
  | { readonly is: "optional"; readonly body: readonly PatternNode[] }
  | { readonly is: "either"; readonly words: readonly string[] }
  | { readonly is: "choice"; readonly slot: string; readonly options: readonly string[] }
  | { readonly is: "slot"; readonly slot: string; readonly kind: SlotKind };

const MARKS = ",;:.=()";

interface Cursor {
  readonly text: string;
  at: number;
}

function parseBraces(body: string): PatternNode {
  const equals = body.indexOf("=");
  if (equals >= 0) {
    const options = body.slice(equals + 1).split("|");
    return { is: "choice", slot: body.slice(0, equals), options };
  }
  const [slot = "", kind = ""] = body.split(":");
  return { is: "slot", slot, kind: kind as SlotKind };
}

function upTo(cursor: Cursor, close: string): string {
  const end = cursor.text.indexOf(close, cursor.at);
  if (end < 0) throw new Error(`pattern without ${close}: ${cursor.text}`);
  const body = cursor.text.slice(cursor.at, end);
  cursor.at = end + 1;
  return body;
}

function parseNodes(cursor: Cursor, close: string): PatternNode[] {
  const nodes: PatternNode[] = [];
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] as string;
    cursor.at++;
    if (char === close) return nodes;
    if (char === " ") continue;
    if (char === "[") nodes.push({ is: "optional", body: parseNodes(cursor, "]") });
    else if (char === "{") nodes.push(parseBraces(upTo(cursor, "}")));
    else if (char === "`") nodes.push({ is: "code", text: upTo(cursor, "`") });
    else if (char === "(") nodes.push({ is: "either", words: upTo(cursor, ")").split("|") });
    else if (MARKS.includes(char)) nodes.push({ is: "mark", text: char });
    else {
      let end = cursor.at;
      while (end < cursor.text.length && !` []{}(),;:=.\``.includes(cursor.text[end] as string))
        end++;
      nodes.push({ is: "word", text: cursor.text.slice(cursor.at - 1, end) });
      cursor.at = end;
    }
  }
  return nodes;
}

/** The nodes of a pattern. Throws on a pattern that is not well formed: a bug of the tables. */
export function parsePattern(text: string): PatternNode[] {
  return parseNodes({ text, at: 0 }, "");
}

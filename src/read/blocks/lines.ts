/** Walks a text line by line, giving offsets and indentation; must not know what a line means. */

/** UTF-16 units of the longest line that is read. */
const LINE_MAX = 1024 * 1024;

const TAB = 9;
const SPACE = 32;
const TAB_WIDTH = 4;

/** Where one line stands in the text. */
export interface Line {
  /** Offset of the line's first character. */
  readonly start: number;
  /** Offset behind its last one, line end not counted. */
  readonly end: number;
  /** Offset of its first character that is neither space nor tab; `end` where it is blank. */
  readonly at: number;
  /** Columns before `at`, with tab stops of 4. */
  readonly indent: number;
}

/** A cursor over the lines of one text; the fields are those of the current line. */
export class Lines implements Line {
  readonly text: string;
  start = 0;
  end = 0;
  at = 0;
  indent = 0;
  /** A tab stands before `at`. */
  tabbed = false;
  /** Offset of the following line; the text's length where there is none. */
  next = 0;
  /** No line is left. */
  done = false;
  // The nearest CR and LF at or after the current line, kept so that each is searched for once.
  private carriageReturn: number;
  private lineFeed: number;

  constructor(text: string) {
    this.text = text;
    this.carriageReturn = text.indexOf("\r");
    this.lineFeed = text.indexOf("\n");
    this.advance();
  }

  get blank(): boolean {
    return this.at === this.end;
  }

  get tooLong(): boolean {
    return this.end - this.start > LINE_MAX;
  }

  /** Goes to the following line. */
  advance(): void {
    if (this.next >= this.text.length) {
      this.done = true;
      this.start = this.end = this.at = this.text.length;
      this.indent = 0;
      return;
    }
    this.start = this.next;
    this.findEnd();
    this.findIndent();
  }

  private findEnd(): void {
    const { text, start } = this;
    if (this.lineFeed >= 0 && this.lineFeed < start) this.lineFeed = text.indexOf("\n", start);
    if (this.carriageReturn >= 0 && this.carriageReturn < start) {
      this.carriageReturn = text.indexOf("\r", start);
    }
    const { lineFeed, carriageReturn } = this;
    if (carriageReturn >= 0 && (lineFeed < 0 || carriageReturn < lineFeed)) {
      this.end = carriageReturn;
      this.next = carriageReturn + (lineFeed === carriageReturn + 1 ? 2 : 1);
    } else {
      this.end = lineFeed < 0 ? text.length : lineFeed;
      this.next = lineFeed < 0 ? text.length : lineFeed + 1;
    }
  }

  private findIndent(): void {
    const { text, end } = this;
    let at = this.start;
    let indent = 0;
    this.tabbed = false;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === SPACE) indent++;
      else if (code === TAB) {
        indent += TAB_WIDTH - (indent % TAB_WIDTH);
        this.tabbed = true;
      } else break;
    }
    this.at = at;
    this.indent = indent;
  }
}

/** The offset behind the last character of `[start, end)` that is neither space nor tab. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The offset of the first character of `[start, end)` that is neither space nor tab. */
export function trimStart(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Space or tab, the blank characters of CommonMark 2.1. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The page around its content: head, header, navigation, and what makes it work by itself. */
import { POLICY } from "./policy.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style/index.ts";
import { escaped } from "./text.ts";

interface Content {
  readonly title: string;
  /** The document's name. */
  readonly file: string;
  readonly lead: string;
  readonly contents: string;
  readonly main: string;
  /** The line of the title, as attributes. */
  readonly line: string;
  /** Whether sections that are not in view wait to be drawn. */
  readonly isLarge: boolean;
}

const HEADER =
  `<header class="bar"><a class="skip" href="#main">Skip to the text</a>` +
  `<a class="home" href="#top">TITLE</a>` +
  `<div class="find" hidden><label class="vh" for="search">Search names, paths and text</label>` +
  `<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" ` +
  `role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">` +
  `<kbd aria-hidden="true">/</kbd><ul id="found" role="listbox" aria-label="Found" hidden></ul>` +
  `<p id="said" class="vh" role="status"></p></div>` +
  `<button id="theme" type="button" role="switch" aria-checked="false" hidden>` +
  `<span class="knob" aria-hidden="true"></span>Dark</button></header>`;

/** The whole text of the page. */
export function documentHtml(content: Content): string {
  const { title, file, lead, contents, main, line, isLarge } = content;
  const name = escaped(title === "" ? file : title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="lacuna export --to html">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body id="top">
${HEADER.replace("TITLE", () => name)}
<div class="frame">
<nav class="side" aria-label="Contents"><details open id="contents">
<summary>Contents</summary>${contents}</details></nav>
<main id="main"${isLarge ? ` class="large"` : ""} tabindex="-1">
<h1 class="line"><span ${line}>${name}</span></h1>
${lead}
${main}
</main>
</div>
<footer><p>Made of <code>${escaped(file)}</code> by <code>lacuna export --to html</code>.
Small numbers are its lines.</p></footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

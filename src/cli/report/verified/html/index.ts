/** What was found as one page of HTML that needs nothing else, for people. */
import { createHash } from "node:crypto";
import { BASE, COLOURS, escaped } from "../../../../export/index.ts";
import type { Looked } from "../model.ts";
import { brokenHtml } from "./broken.ts";
import { choiceStyle, documentHtml } from "./document.ts";
import { frontHtml, partsHtml } from "./front.ts";
import { reasonsHtml } from "./reasons.ts";
import { requestsHtml } from "./requests.ts";
import { SCRIPT } from "./script.ts";
import { OWN } from "./style.ts";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");

/** The page may run its own script and styles, and ask nothing of any network (CSP level 3). */
const policyOf = (style: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${hashOf(SCRIPT)}'`,
    `style-src 'sha256-${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

/** The whole page. */
export function htmlReport(looked: Looked): string {
  const style = [COLOURS, BASE, OWN, choiceStyle(looked)].join("\n").trim();
  const title = escaped(looked.title.replaceAll("`", ""));
  const { counts } = looked;
  const broken = brokenHtml(looked);
  const reasons = reasonsHtml(looked);
  const links = [
    ...(broken === "" ? [] : [`<a href="#broken">Broken</a>`]),
    ...(reasons === "" ? [] : [`<a href="#not-reached">Not reached</a>`]),
    `<a href="#document">Document</a>`,
  ];
  const sign = counts.broken > 0 ? "✗" : "✓";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="lacuna verify --format html">
<title>${sign} ${title}</title>
<style>${style}</style>
</head>
<body id="top">
<header class="bar"><a class="skip" href="#main">Skip to the text</a>
<a class="home" href="#top">${title}</a>${links.join("\n")}
<button id="theme" type="button" hidden>Dark</button></header>
<main id="main" tabindex="-1">
${frontHtml(looked)}
${partsHtml(looked)}
${broken}
${reasons}
${documentHtml(looked)}
${requestsHtml(looked)}
</main>
<footer><p>Made by <code>lacuna verify --format html</code>. Numbers before lines are those of
<code>${escaped(looked.outcome.report.file)}</code>.</p></footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

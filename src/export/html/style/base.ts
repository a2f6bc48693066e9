/** Type: a scale of sizes by 1.2, one family for words and one for code, both of the system. */

export const BASE = `
*, *::before, *::after { box-sizing: border-box; }
html {
  font: 100%/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
    "Helvetica Neue", Arial, "DejaVu Sans", sans-serif;
  -webkit-text-size-adjust: 100%;
  scroll-padding-top: 5rem;
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--text); overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; margin: 0; font-weight: 650; }
h1 { font-size: 2.25rem; letter-spacing: -0.02em; margin-bottom: 1rem; }
h2 { font-size: 1.6rem; letter-spacing: -0.012em; }
h3 { font-size: 1.2rem; }
h4 { font-size: 0.875rem; }
p { margin: 0 0 1rem; }
p, li { text-wrap: pretty; }
ul[role="list"], ol[role="list"] { list-style: none; margin: 0; padding: 0; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, pre, kbd, .path, .m, .st {
  font-family: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono",
    "DejaVu Sans Mono", monospace;
  font-variant-ligatures: none;
}
code {
  font-size: 0.875em; background: var(--code); padding: 0.12em 0.36em; border-radius: 4px;
  overflow-wrap: anywhere;
}
pre {
  position: relative; margin: 0; font-size: 0.8125rem; line-height: 1.6; overflow-x: auto;
  tab-size: 2;
}
pre code { font-size: inherit; background: none; padding: 0; overflow-wrap: normal; }
a.ref { color: inherit; text-decoration-color: var(--edge); text-decoration-style: dotted; }
a.ref:hover { color: var(--link); }
.vh {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
[hidden] { display: none !important; }
::selection { background: var(--chosen); }
`;

/** On paper: black on white, no bar, nothing cut off, the address of links to the web. */

export const PRINT = `
@page { margin: 18mm 16mm; }
@media print {
  :root, :root:not([data-theme="light"]), :root[data-theme="dark"] {
    color-scheme: light;
    --paper: #fff; --side: #fff; --raised: #fff; --code: #f3f3f1; --line: #c9c9c4;
    --edge: #6f6f69;
    --text: #000; --soft: #444; --link: #000; --accent: #000; --mark: #fff; --mark-edge: #000;
    --mark-text: #000;
    --good: #000; --good-paper: #eee; --moved: #000; --moved-paper: #eee; --wrong: #000;
    --wrong-paper: #eee;
    --broken: #000; --broken-paper: #eee; --read: #000; --make: #000; --change: #000;
    --remove: #000;
    --name: #000; --string: #000; --number: #000; --hole: #000; --chosen: #fff;
  }
  html { font-size: 10pt; }
  .bar, .side, .anchor { display: none !important; }
  .frame { display: block; }
  details::details-content { content-visibility: visible; block-size: auto; }
  main { padding: 0; max-width: none; }
  main > *, .part > *, .section > * { max-width: none; }
  .both { display: block; }
  .told { position: static; }
  .large .section { content-visibility: visible; }
  .scroll, pre { overflow: visible; }
  pre, pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
  table { font-size: 0.85em; }
  th, td { min-width: 0; padding: 0.3rem 0.45rem; }
  td:nth-last-child(2) code { overflow-wrap: anywhere; }
  .ln { white-space: nowrap; }
  thead { display: table-header-group; }
  tr, .checks > li, .steps > li, .facts > li, .states > li { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
  .part { margin-top: 2rem; }
  .drawing svg { max-width: 100%; height: auto; }
  main a[href^="http"]::after { content: " (" attr(href) ")"; font-size: 0.85em; }
}
`;

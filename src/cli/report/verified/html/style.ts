/** The styles of the page that are its own. */

export const OWN = `
.bar {
  position: sticky; top: 0; z-index: 5; display: flex; gap: 1rem; align-items: center;
  padding: 0.5rem 1.5rem; min-height: 3.25rem; background: var(--paper);
  border-bottom: 1px solid var(--line); font-size: 0.9rem;
}
.bar a { color: var(--soft); text-decoration: none; white-space: nowrap; }
.bar a:hover { color: var(--text); text-decoration: underline; }
.bar .home {
  color: var(--text); font-weight: 650; margin-right: auto; min-width: 0; overflow: hidden;
  text-overflow: ellipsis;
}
.skip { position: absolute; left: 0.75rem; top: -4rem; background: var(--paper); z-index: 9; }
.skip:focus { top: 0.6rem; }
#theme {
  font: inherit; font-size: 0.8125rem; color: var(--text); background: none; cursor: pointer;
  border: 1px solid var(--edge); border-radius: 99px; padding: 0.2rem 0.8rem;
}
main { max-width: 78rem; margin: 0 auto; padding: 2rem 1.5rem 5rem; }
section { margin-top: 3.5rem; }
h1 { overflow-wrap: anywhere; margin-bottom: 0.4rem; }
h2 { padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); margin-bottom: 1.25rem; }
h3 { margin: 2rem 0 1rem; }
.of, .run, .num { color: var(--soft); font-size: 0.9rem; }
.num { font-weight: 400; }
.result { font-size: 1.45rem; font-weight: 650; margin: 1.25rem 0 0.75rem; line-height: 1.3; }
.result::before { display: inline-block; margin-right: 0.5rem; }
.r-held { color: var(--good); } .r-held::before { content: "✓"; }
.r-broken { color: var(--broken); } .r-broken::before { content: "✗"; }
.r-not-reached { color: var(--soft); }
.bar-of {
  display: block; width: 100%; height: 0.6rem; border-radius: 99px; background: var(--code);
}
.b-held { fill: var(--good); } .b-broken { fill: var(--broken); }
.b-not-reached { fill: var(--line); } .b-unstated { fill: var(--mark-edge); }
.tiles {
  display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0.75rem;
  margin: 1rem 0 !important;
}
.tiles li {
  border: 1px solid var(--line); border-radius: 10px; background: var(--raised);
  padding: 0.8rem 1rem; line-height: 1.35;
}
.tiles b { font-size: 1.7rem; font-weight: 650; display: block; line-height: 1.2; }
.tiles .word { font-weight: 600; }
.tiles small { display: block; color: var(--soft); font-size: 0.8125rem; margin-top: 0.2rem; }
.sign { display: inline-block; width: 1.1em; text-align: center; font-weight: 700; }
.sign.v-held, .v-held > b { color: var(--good); }
.sign.v-broken, .v-broken > b, small.v-broken, b.v-broken { color: var(--broken); }
.sign.v-not-reached { color: var(--soft); }
.sign.v-unstated, .v-unstated > b { color: var(--mark-text); }
.parts { margin-top: 2rem !important; }
.parts li {
  display: grid; grid-template-columns: 10rem minmax(0, 1fr) 13rem; gap: 1rem;
  align-items: center; padding: 0.3rem 0;
}
.card {
  border: 1px solid var(--line); border-left: 4px solid var(--broken); border-radius: 8px;
  padding: 1.1rem 1.25rem; margin-bottom: 1.5rem; scroll-margin-top: 4rem;
}
.card h3 { margin: 0 0 0.3rem; font-size: 1.05rem; overflow-wrap: anywhere; }
.items { margin: 0 0 1rem !important; }
.items li + li { border-top: 1px solid var(--line); }
.more { margin: -0.5rem 0 1rem; }
.more > summary { cursor: pointer; color: var(--soft); font-size: 0.875rem; }
.to-line {
  display: grid; grid-template-columns: 3rem minmax(0, 1fr); gap: 0.5rem; padding: 0.3rem 0;
  color: var(--text); text-decoration: none; align-items: baseline;
}
.to-line:hover code { text-decoration: underline; }
.to-line code { background: none; padding: 0; white-space: pre-wrap; }
.no {
  font: 400 0.75rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  color: var(--soft); text-align: right; user-select: none;
}
.story { margin: 0 0 1rem; padding-left: 1.6rem; }
.story > li { margin-bottom: 0.6rem; }
.story > li::marker { color: var(--soft); font-size: 0.85rem; }
.story:has(> li:only-child) { list-style: none; padding-left: 0; }
.wait, .got { margin: 0.3rem 0 0; font-size: 0.875rem; color: var(--soft); }
pre {
  background: var(--raised); border: 1px solid var(--line); border-radius: 8px;
  padding: 0.7rem 0.9rem; max-height: 28rem; overflow: auto;
}
pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
.sides h4 { margin-bottom: 0.4rem; }
.sides .is h4 { color: var(--broken); } .sides .not h4 { color: var(--good); }
.sides .is pre { border-color: var(--broken); } .sides .not pre { border-color: var(--good); }
.scroll { overflow-x: auto; margin-top: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
th, td {
  text-align: left; vertical-align: top; padding: 0.4rem 0.6rem;
  border-bottom: 1px solid var(--line);
}
thead th { color: var(--soft); font-weight: 600; font-size: 0.8125rem; }
td code.is { background: var(--broken-paper); color: var(--broken); }
td code.not { background: var(--good-paper); color: var(--good); }
.m { font-size: 0.8em; font-weight: 700; letter-spacing: 0.03em; color: var(--soft); }
.m-get, .m-head { color: var(--read); } .m-post { color: var(--make); }
.m-put, .m-patch { color: var(--change); } .m-delete { color: var(--remove); }
.st {
  font-size: 0.8125rem; font-weight: 600; border-radius: 5px; padding: 0.1em 0.45em;
  color: var(--soft); background: var(--code);
}
.s2 { color: var(--good); background: var(--good-paper); }
.s3 { color: var(--moved); background: var(--moved-paper); }
.s4 { color: var(--wrong); background: var(--wrong-paper); }
.s5 { color: var(--broken); background: var(--broken-paper); }
.k { color: var(--name); } .s { color: var(--string); } .n { color: var(--number); }
.v { color: var(--hole); }
.reason { border-top: 1px solid var(--line); padding: 0.2rem 0; }
.reason > summary { cursor: pointer; padding: 0.5rem 0; font-weight: 600; }
.choices {
  position: sticky; top: 3.25rem; z-index: 4; background: var(--paper); padding: 0.5rem 0 0.6rem;
  border-bottom: 1px solid var(--line); margin-bottom: 0.75rem;
}
fieldset {
  border: 0; margin: 0; padding: 0.15rem 0; display: flex; flex-wrap: wrap; gap: 0.3rem;
  align-items: center;
}
legend { float: left; width: 3.2rem; color: var(--soft); font-size: 0.8125rem; padding: 0; }
fieldset input { position: absolute; opacity: 0; pointer-events: none; }
fieldset label {
  font-size: 0.8125rem; border: 1px solid var(--line); border-radius: 99px; padding: 0.05rem 0.7rem;
  cursor: pointer; color: var(--soft);
}
fieldset label:hover { border-color: var(--edge); color: var(--text); }
fieldset input:checked + label {
  background: var(--text); color: var(--paper); border-color: var(--text);
}
fieldset input:focus-visible + label { outline: 3px solid var(--link); outline-offset: 2px; }
.row { scroll-margin-top: 9rem; border-radius: 4px; }
.row > summary, .row.plain {
  display: grid; grid-template-columns: 2.6rem 1.2rem minmax(0, 1fr) auto; gap: 0.5rem;
  align-items: baseline; padding: 0.06rem 0.4rem 0.06rem 0;
}
.row > summary { cursor: pointer; list-style: none; border-radius: 4px; }
.row > summary::-webkit-details-marker { display: none; }
.row > summary:hover { background: var(--raised); }
.row code {
  background: none; padding: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font-size: 0.8125rem; line-height: 1.55;
}
.row.plain code { color: var(--soft); }
.row.h code { font-weight: 700; font-size: 0.9rem; color: var(--text); }
.row.v-broken > summary { background: var(--broken-paper); }
.row.v-unstated > summary { background: var(--mark); }
.row.v-not-reached > summary code { color: var(--soft); }
.row mark { background: none; color: var(--broken); font-weight: 700; text-decoration: underline; }
.share { font-size: 0.75rem; color: var(--soft); white-space: nowrap; }
.row[open] { background: var(--raised); outline: 1px solid var(--line); margin: 0.3rem 0; }
.found { padding: 0.3rem 0.8rem 0.7rem 4.8rem !important; font-size: 0.875rem; }
.found li { padding: 0.15rem 0; overflow-wrap: anywhere; }
.found .said, .by { color: var(--soft); }
.row:target { outline: 2px solid var(--link); }
.request { border-top: 1px solid var(--line); }
.request > summary { cursor: pointer; padding: 0.35rem 0; overflow-wrap: anywhere; }
.request > summary .path { font-size: 0.875rem; }
.request > div { padding: 0.3rem 0 1rem; scroll-margin-top: 6rem; }
.request pre + pre { margin-top: 0.6rem; }
.request small { color: var(--soft); }
footer { border-top: 1px solid var(--line); padding: 1.25rem 1.5rem; color: var(--soft); }
footer p { max-width: 75rem; margin: 0 auto; font-size: 0.875rem; }
@media (max-width: 48rem) {
  main { padding: 1.25rem 1rem 3rem; }
  .bar { padding: 0.4rem 1rem; gap: 0.7rem; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .sides { grid-template-columns: minmax(0, 1fr); }
  .parts li { grid-template-columns: minmax(0, 1fr) auto; gap: 0.2rem 1rem; padding: 0.5rem 0; }
  .parts .bar-of { grid-column: 1 / -1; order: 3; }
  .choices { position: static; }
  .row > summary, .row.plain {
    grid-template-columns: 2rem 1.1rem minmax(0, 1fr) auto; gap: 0.3rem;
  }
  .found { padding-left: 1rem !important; }
  .card { padding: 0.9rem; }
  .more { margin: -0.5rem 0 1rem; }
.more > summary { cursor: pointer; color: var(--soft); font-size: 0.875rem; }
.to-line { grid-template-columns: 2rem minmax(0, 1fr); }
  h1 { font-size: 1.7rem; } h2 { font-size: 1.35rem; }
}
@media (max-width: 30rem) { .bar .home { display: none; } #theme { margin-left: auto; } }
@media print {
  :root, :root[data-theme="dark"] {
    color-scheme: light; --paper: #fff; --raised: #fff; --code: #f3f3f1; --text: #000;
    --soft: #444; --line: #c9c9c4; --link: #000; --good: #0b5c31; --good-paper: #fff;
    --broken: #a11d2f; --broken-paper: #fff; --mark: #fff; --mark-text: #5c4400;
  }
  html { font-size: 10pt; }
  .bar, .choices, .skip { display: none !important; }
  main { max-width: none; padding: 0; }
  pre { max-height: none; overflow: visible; }
  .card, .row, .tiles li { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
}
`;

/** The pieces of the text: tables, steps, facts, panels, gaps, code, drawings. */

export const PIECES = `
.part { margin-top: 4rem; }
.part > h2 {
  padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); margin-bottom: 1.25rem;
}
.section { margin-top: 2.75rem; }
.section > h3 { margin-bottom: 1rem; }
.large .section { content-visibility: auto; contain-intrinsic-size: auto 50rem; }
.endpoint { border-top: 1px solid var(--line); padding-top: 1.75rem; }
.endpoint > h3 { font-size: 1.1rem; font-weight: 600; }
h3 .path { background: none; padding: 0; font-size: 1rem; font-weight: 600; }
.endpoint > h3 { display: flex; flex-wrap: wrap; align-items: baseline; }
h3 .title {
  flex: 0 0 100%; order: 2; margin-top: 0.3rem; font-weight: 400; color: var(--soft);
  font-size: 1rem;
}
.below { color: var(--soft); font-size: 0.875rem; margin-bottom: 0.75rem; }
.anchor {
  margin-left: 0.5rem; color: var(--soft); text-decoration: none; font-weight: 400; opacity: 0;
}
h2:hover .anchor, h3:hover .anchor, .anchor:focus { opacity: 1; }
.line { position: relative; }
.line[data-l]::after, h1 [data-l]::after, h2 [data-l]::after, h3 [data-l]::after {
  content: attr(data-l);
  font: 400 0.75rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  color: var(--soft);
  letter-spacing: 0; margin-left: 0.6rem; user-select: none;
}
.ln, .at {
  font: 400 0.75rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  color: var(--soft); user-select: none;
}
.at { text-decoration: none; margin-left: 0.3rem; }
.at:hover { text-decoration: underline; }
:target { background: var(--chosen); border-radius: 4px; }
section:target, body:target { background: none; }
section:target > h2, section:target > h3 {
  background: var(--chosen); box-shadow: -0.75rem 0 var(--chosen), 0.75rem 0 var(--chosen);
}
tr:target > * { background: var(--chosen); }
.facts { margin: 0 0 1.25rem !important; }
.facts > li { padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
.facts > li:last-child { border-bottom: 0; }
.fact .key, .facts .key { color: var(--soft); }
.value .facts { margin: 0.25rem 0 0 !important; }
@media (min-width: 40rem) {
  .fact {
    display: grid; grid-template-columns: minmax(8rem, 13rem) minmax(0, 1fr) auto; gap: 1rem;
    align-items: baseline;
  }
  .fact[data-l]::after { margin: 0; }
}
.panel .facts .value { font-size: 0.9rem; }
.scroll {
  position: relative;
  overflow-x: auto; margin: 0 0 1.5rem; border: 1px solid var(--line); border-radius: 8px;
}
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; line-height: 1.5; }
th, td {
  text-align: left; vertical-align: top; padding: 0.5rem 0.75rem;
  border-bottom: 1px solid var(--line); min-width: 4.5rem; overflow-wrap: break-word;
}
td { max-width: 26rem; }
thead th {
  background: var(--raised); font-size: 0.8125rem; font-weight: 600; color: var(--soft);
  white-space: nowrap;
}
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
td code, th code { overflow-wrap: break-word; }
th.ln, td.ln { min-width: 0; width: 1%; text-align: right; padding-left: 0.25rem; }
.ln a { color: inherit; text-decoration: none; }
.ln a:hover { text-decoration: underline; }
.steps { counter-reset: none; margin: 0 0 1.5rem !important; }
.steps > li {
  display: grid; grid-template-columns: 1.9rem minmax(0, 1fr) auto; padding: 0.4rem 0;
  align-items: baseline;
}
.steps > li::before {
  content: attr(value); color: var(--accent); font-weight: 600; font-size: 0.9rem;
}
.steps > li > .step { grid-column: 2; }
.steps > li::after { grid-column: 3; grid-row: 1; }
.steps > li > :is(ul, ol, pre, figure) { grid-column: 2; margin: 0.25rem 0 0 !important; }
.note {
  border-left: 3px solid var(--accent); padding: 0.15rem 0 0.15rem 1rem; margin: 0 0 1.25rem;
  color: var(--soft);
}
.note p { margin: 0 0 0.4rem; }
.note p:last-child { margin: 0; }
.note[data-l]::after { position: absolute; right: 0; top: 0; }
.note { padding-right: 2.75rem; }
.gap {
  background: var(--mark); color: var(--mark-text); border: 1px dashed var(--mark-edge);
  border-radius: 4px; padding: 0.05em 0.35em;
}
.gap sup { font-size: 0.7em; line-height: 0; margin-left: 0.2em; }
.badge {
  white-space: nowrap; font-size: 0.75rem; font-weight: 500; background: var(--mark);
  color: var(--mark-text); border: 1px dashed var(--mark-edge); border-radius: 99px;
  padding: 0 0.5em;
}
.tag {
  font-size: 0.8125rem; color: var(--soft); border: 1px solid var(--line); border-radius: 99px;
  padding: 0.05em 0.6em; white-space: nowrap;
}
.open {
  border: 1px dashed var(--mark-edge); background: var(--mark); color: var(--mark-text);
  border-radius: 8px; padding: 0.6rem 0.9rem;
}
.open a { color: inherit; }
.m {
  display: inline-block; font-size: 0.75em; font-weight: 700; letter-spacing: 0.03em;
  color: var(--soft);
}
h3 .m {
  font-size: 0.8rem; border: 1px solid currentcolor; border-radius: 5px; padding: 0.1em 0.5em;
  margin-right: 0.25rem; vertical-align: 0.08em;
}
.m-get, .m-head { color: var(--read); }
.m-post { color: var(--make); }
.m-put, .m-patch { color: var(--change); }
.m-delete { color: var(--remove); }
.st {
  font-size: 0.8125rem; font-weight: 600; border-radius: 5px; padding: 0.1em 0.45em;
  color: var(--soft); background: var(--code);
}
.s2 { color: var(--good); background: var(--good-paper); }
.s3 { color: var(--moved); background: var(--moved-paper); }
.s4 { color: var(--wrong); background: var(--wrong-paper); }
.s5 { color: var(--broken); background: var(--broken-paper); }
.panel {
  border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.1rem; margin: 0 0 1.5rem;
  background: var(--raised); font-size: 0.9rem;
}
.panel h3, .panel h4 { margin-bottom: 0.75rem; }
.panel h3 { font-size: 1rem; }
.panel code { background: none; padding: 0; }
.panel .open { font-size: 0.875rem; margin-bottom: 0.75rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-bottom: 0.9rem !important; }
.checks { counter-reset: check; }
.checks > li { counter-increment: check; position: relative; padding: 0 0 0.8rem 1.9rem; }
.checks > li::before {
  content: counter(check); position: absolute; left: 0; top: 0.1rem; width: 1.3rem;
  height: 1.3rem; border-radius: 50%;
  font-size: 0.7rem; line-height: 1.3rem; text-align: center; background: var(--paper);
  color: var(--soft); box-shadow: 0 0 0 1px var(--edge);
}
.checks > li:not(:last-child)::after {
  content: ""; position: absolute; left: 0.62rem; top: 1.6rem; bottom: 0.1rem; width: 1px;
  background: var(--line);
}
.checks > li:last-child { padding-bottom: 0; }
.checks > .ever::before { content: ""; }
.check { display: block; color: var(--text); }
.checks ul li { margin-top: 0.3rem; }
.met { color: var(--soft); font-size: 0.85rem; }
.states {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr));
  gap: 1rem 1.5rem;
}
.states .name { color: inherit; text-decoration: none; font-weight: 600; }
.states ul li { margin-top: 0.25rem; }
.code {
  margin: 0 0 1.5rem; border: 1px solid var(--line); border-radius: 10px;
  background: var(--raised);
}
.code figcaption {
  font-size: 0.875rem; font-weight: 600; padding: 0.6rem 1rem;
  border-bottom: 1px solid var(--line);
}
.code > pre, .raw { padding: 0.8rem 1rem; }
.code.line[data-l]::after { position: absolute; right: 0.8rem; top: 0.6rem; }
.raw {
  background: var(--raised); border-radius: 8px; margin-bottom: 1rem; white-space: pre-wrap;
}
.exchange { padding: 0.8rem 1rem; }
.code .exchange + .exchange, .code .clock + .exchange { border-top: 1px solid var(--line); }
.exchange[data-l]::after { position: absolute; right: 0.8rem; top: 0.8rem; }
.exchange pre + pre {
  margin-top: 0.8rem; padding-top: 0.8rem; border-top: 1px dashed var(--line);
}
.panel .exchange { padding: 0; }
.panel .exchange pre {
  background: var(--paper); border: 1px solid var(--line); border-radius: 8px;
  padding: 0.7rem 0.8rem; font-size: 0.78rem;
}
.panel .exchange pre + pre { margin-top: 0.6rem; border-top: 1px solid var(--line); }
.may li { margin-top: 0.3rem; }
.more { margin: 0.75rem 0 0.4rem; color: var(--soft); }
.panel .chips:last-child { margin: 0 !important; }
details.code > summary {
  cursor: pointer; font-size: 0.875rem; color: var(--soft); padding: 0.6rem 3.5rem 0.6rem 1rem;
}
details.code > pre { padding: 0.2rem 1rem 0.8rem; }
code.json { display: block; white-space: pre-wrap; font-size: 0.8125rem; padding: 0.3em 0.6em; }
.kept { margin-bottom: 1.25rem; }
.clock {
  margin: 0; padding: 0.4rem 1rem; font-size: 0.8125rem; color: var(--soft);
  border-top: 1px solid var(--line);
}
.k {
  color: var(--name); } .s { color: var(--string); } .n { color: var(--number);
  } .v { color: var(--hole);
}
.drawing { margin: 0 0 1.5rem; }
.drawing .scroll { margin: 0; text-align: center; background: var(--raised); padding: 0.5rem; }
.drawing svg {
  display: inline-block; max-width: none;
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
.drawing figcaption { font-size: 0.8125rem; color: var(--soft); margin-top: 0.5rem; }
.drawing text { text-anchor: middle; fill: var(--text); font-size: 11px; }
.drawing .word { font-size: 12px; font-weight: 600; }
.drawing .name { fill: var(--link); }
.drawing .cause { fill: var(--soft); }
.state { fill: var(--paper); stroke: var(--text); stroke-width: 1.4; }
.last { fill: none; stroke: var(--text); stroke-width: 1.2; }
.start { fill: var(--text); }
.way { fill: none; stroke: var(--edge); stroke-width: 1.4; }
.tip { fill: var(--edge); }
.label { fill: var(--raised); }
.overview { margin: 2rem 0 0; }
.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0.75rem;
  margin-bottom: 1.25rem !important;
}
.figures li {
  border: 1px solid var(--line); border-radius: 10px; background: var(--raised);
  padding: 0.7rem 1rem; color: var(--soft);
}
.figures a { color: inherit; text-decoration: none; display: block; }
.figures a:hover { text-decoration: underline; }
.figures b {
  display: block; font-size: 1.6rem; line-height: 1.2; color: var(--text); font-weight: 650;
}
.counts { color: var(--soft); font-size: 0.875rem; }
.whole { font-weight: 600; color: var(--good); }
.parts > li { padding: 0.6rem 0; border-top: 1px solid var(--line); }
.parts > li:last-child { border-bottom: 1px solid var(--line); }
.parts .name { font-weight: 500; display: block; margin-bottom: 0.3rem; }
.parts .num { color: var(--soft); font-size: 0.875rem; white-space: nowrap; }
@media (min-width: 50rem) {
  .parts > li {
    display: grid; grid-template-columns: 14rem minmax(0, 1fr) auto; gap: 1rem;
    align-items: baseline;
  }
  .parts .name { margin: 0; }
}
.facets { display: flex; flex-wrap: wrap; gap: 0.35rem 0.5rem; }
.facet {
  font-size: 0.8125rem; border: 1px solid var(--line); border-radius: 99px; padding: 0 0.6em;
}
.facet span { color: var(--soft); }
.f-not-shown, .f-silent {
  background: var(--mark); border: 1px dashed var(--mark-edge); color: var(--mark-text);
}
.f-not-shown span, .f-silent span { color: inherit; }
.f-stated span { color: var(--good); }
.questions { padding-left: 2.2rem; }
.questions li { padding: 0.3rem 0; }
.questions li::marker { color: var(--soft); }
@media (max-width: 40rem) {
  .fact { padding-right: 2.75rem !important; }
  .fact .key { display: block; font-size: 0.875rem; }
  .fact[data-l]::after { position: absolute; right: 0; top: 0.45rem; }
  tbody th { position: sticky; left: 0; background: var(--paper); max-width: 9rem; }
}
@media (max-width: 30rem) {
  .panel { padding: 0.9rem; }
  .exchange, .code > pre { padding: 0.7rem 0.8rem; }
  th, td { padding: 0.45rem 0.6rem; }
}
`;

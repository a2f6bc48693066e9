/** Where things stand: a bar, contents at the side, the text;
one column where there is no room. */

export const LAYOUT = `
.bar {
  position: sticky; top: 0; z-index: 5; display: flex; gap: 0.75rem; align-items: center;
  padding: 0.6rem 1.5rem; min-height: 3.5rem; background: var(--paper);
  border-bottom: 1px solid var(--line);
}
.home {
  font-weight: 650; color: var(--text); text-decoration: none; margin-right: auto; min-width: 0;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.skip {
  position: absolute; left: 0.75rem; top: -4rem; background: var(--paper);
  padding: 0.4rem 0.8rem; border: 2px solid var(--link); border-radius: 6px; z-index: 9;
}
.skip:focus { top: 0.6rem; }
.find { position: relative; flex: 0 1 22rem; min-width: 7rem; }
.find input {
  width: 100%; font: inherit; font-size: 0.9375rem; color: var(--text); background: var(--raised);
  border: 1px solid var(--edge); border-radius: 8px; padding: 0.35rem 2rem 0.35rem 0.75rem;
  appearance: none;
}
.find input::placeholder { color: var(--soft); opacity: 1; }
.find kbd {
  position: absolute; right: 0.55rem; top: 50%; translate: 0 -50%; font-size: 0.75rem;
  color: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; padding: 0 0.35rem;
  background: var(--paper); pointer-events: none;
}
.find input:focus ~ kbd { display: none; }
#found {
  position: absolute; right: 0; top: calc(100% + 0.4rem); width: min(34rem, calc(100vw - 2rem));
  max-height: min(70vh, 34rem);
  overflow-y: auto; margin: 0; padding: 0.4rem; list-style: none; background: var(--paper);
  border: 1px solid var(--edge); border-radius: 10px; box-shadow: var(--shade);
}
#found li {
  padding: 0.45rem 0.7rem; border-radius: 6px; cursor: pointer; font-size: 0.9rem;
  line-height: 1.4;
}
#found li:hover { background: var(--raised); }
#found li[aria-selected="true"] {
  background: var(--chosen); box-shadow: inset 3px 0 var(--link);
}
#found .none { color: var(--soft); cursor: default; }
#found span { display: block; overflow-wrap: anywhere; }
#found small { color: var(--soft); font-size: 0.8rem; }
#found mark { background: var(--mark); color: var(--mark-text); border-radius: 2px; }
#theme {
  flex: none; display: inline-flex; gap: 0.5rem; align-items: center; font: inherit;
  font-size: 0.875rem; color: var(--text);
  background: none; border: 1px solid var(--edge); border-radius: 99px;
  padding: 0.3rem 0.8rem 0.3rem 0.4rem; cursor: pointer;
}
.knob {
  width: 1.9rem; height: 1.1rem; border-radius: 99px; background: var(--code);
  border: 1px solid var(--edge); position: relative;
}
.knob::after {
  content: ""; position: absolute; left: 2px; top: 2px; width: 0.75rem; height: 0.75rem;
  border-radius: 50%; background: var(--soft);
}
#theme[aria-checked="true"] .knob::after { left: auto; right: 2px; background: var(--text); }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); }
main { padding: 1.5rem 1rem 4rem; min-width: 0; }
.side {
  background: var(--side); border-bottom: 1px solid var(--line); padding: 0.25rem 1rem;
  font-size: 0.875rem;
}
.side summary { cursor: pointer; font-weight: 600; padding: 0.6rem 0; }
.side a {
  display: block; padding: 0.25rem 0.6rem; border-radius: 6px; color: var(--soft);
  text-decoration: none; overflow-wrap: anywhere; line-height: 1.4;
}
.side a.part { color: var(--text); font-weight: 600; margin-top: 0.75rem; }
.side a:hover { background: var(--code); color: var(--text); }
.side a[aria-current] {
  background: var(--chosen); color: var(--text); box-shadow: inset 3px 0 var(--link);
}
.side .path { font-size: 0.8125rem; }
.side .way { display: flex; flex-wrap: wrap; gap: 0 0.4rem; align-items: baseline; }
.side .way .badge span span { display: none; }
.side .way .m { flex: 0 0 2.9rem; }
.side .way .path { flex: 1 1 0; min-width: 7rem; }
footer {
  padding: 1.5rem 1rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: 0.875rem;
}
footer p { margin: 0; }
@media (min-width: 60rem) {
  .frame { grid-template-columns: 17rem minmax(0, 1fr); }
  .side {
    position: sticky; top: 3.5rem; height: calc(100vh - 3.5rem); overflow-y: auto; border: 0;
    border-right: 1px solid var(--line); padding: 0.5rem 0.75rem 3rem;
  }
  .side summary { display: none; }
  main { padding: 2.5rem 2.5rem 6rem; }
  main > *, .part > *, .section > * { max-width: 62rem; }
  .part, .section { max-width: none !important; }
  footer { padding: 1.5rem 2.5rem; }
}
@media (min-width: 75rem) {
  .both {
    display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 23.5rem); gap: 2.5rem;
    max-width: none !important;
  }
  .told { position: sticky; top: 4.5rem; align-self: start; }
  main { max-width: 92rem; }
}
@media (max-width: 30rem) {
  html { scroll-padding-top: 4.5rem; }
  .bar { padding: 0.5rem 1rem; gap: 0.5rem; }
  .home { flex: 1 1 4rem; }
  .find { flex: 1 1 8rem; position: static; }
  .find input { padding-right: 0.5rem; }
  .find kbd { display: none; }
  #found { left: 1rem; right: 1rem; width: auto; top: calc(100% - 0.2rem); }
  h1 { font-size: 1.8rem; }
  h2 { font-size: 1.4rem; }
}
`;

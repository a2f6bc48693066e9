/** What the page does where scripts run: search, the switch, the contents. It is whole without. */

// Runs in a browser; it reads the page alone, asks nothing of any network and writes text only.
const SOURCE = String.raw`
(() => {
  "use strict";
  const root = document.documentElement;
  const $ = (id) => document.getElementById(id);
  root.classList.add("js");

  const theme = $("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const KEY = "lacuna-theme";
  let chosen = null;
  try { chosen = localStorage.getItem(KEY); } catch {}
  const paint = () => {
    const dark = chosen === "dark" || (chosen !== "light" && system.matches);
    if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
    theme.setAttribute("aria-checked", String(dark));
  };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    chosen = theme.getAttribute("aria-checked") === "true" ? "light" : "dark";
    try { localStorage.setItem(KEY, chosen); } catch {}
    paint();
  });
  system.addEventListener("change", paint);
  paint();

  const contents = $("contents");
  const wide = matchMedia("(min-width: 60rem)");
  const fold = () => { contents.open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();
  const folded = [...document.querySelectorAll("main details")];
  let shut = [];
  addEventListener("beforeprint", () => {
    shut = folded.filter((one) => !one.open);
    for (const one of shut) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of shut) one.open = false; });
  contents.addEventListener("click", (event) => {
    if (!wide.matches && event.target.closest("a")) contents.open = false;
  });

  const links = new Map();
  for (const link of contents.querySelectorAll("a")) {
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  }
  const places = [...links.keys()].map($).filter(Boolean);
  let current = null;
  const follow = () => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle].getBoundingClientRect().top <= 120) low = middle + 1;
      else high = middle;
    }
    if (innerHeight + scrollY >= root.scrollHeight - 4) {
      const last = places.findIndex(({ id }) => id === decodeURIComponent(location.hash.slice(1)));
      low = Math.max(low, last + 1);
    }
    const link = low > 0 ? links.get(places[low - 1].id) : null;
    if (link === current) return;
    if (current) current.removeAttribute("aria-current");
    current = link;
    if (!link) return;
    link.setAttribute("aria-current", "true");
    const side = contents.parentElement;
    if (!wide.matches || side.matches(":focus-within, :hover")) return;
    const [a, b] = [link.getBoundingClientRect(), side.getBoundingClientRect()];
    if (a.top < b.top || a.bottom > b.bottom) side.scrollTop += a.top - b.top - b.height / 3;
  };
  let waits = false;
  addEventListener("scroll", () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; follow(); });
  }, { passive: true });
  follow();

  const regions = document.querySelectorAll("[role=region][tabindex]");
  const near = new Set();
  const reach = () => {
    const all = [...near];
    const over = all.map((one) => one.scrollWidth > one.clientWidth + 1);
    all.forEach((one, i) => { one.tabIndex = over[i] ? 0 : -1; });
  };
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) near.add(target);
      else near.delete(target);
    }
    reach();
  }, { rootMargin: "50%" });
  // Asking for widths draws all: a long page is asked as it is read.
  const isLarge = document.querySelector("main.large") !== null;
  for (const one of regions) {
    if (isLarge) seen.observe(one);
    else near.add(one);
  }
  reach();
  addEventListener("resize", reach);

  const field = $("search");
  const list = $("found");
  const said = $("said");
  field.parentElement.hidden = false;
  const MOST = 40;
  let units = null;
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const read = () => {
    const found = [];
    const add = (one, id, rank, text) => {
      const words = plain(text);
      const section = one.closest("section");
      if (words) found.push({ id, rank, words, lower: words.toLowerCase(), section });
    };
    for (const one of document.querySelectorAll("h2 [id], h3 [id], h2[id]:not(:has([id]))")) {
      const section = one.closest("section");
      add(section.parentElement, section.id, 0, one.textContent);
    }
    for (const one of document.querySelectorAll("main th[id], main .states li[id]")) {
      add(one, one.id, 1, (one.querySelector("code") || one).textContent);
    }
    for (const one of document.querySelectorAll("main [id^=L]")) {
      if (one.closest("h2, h3") || one.parentElement.tagName === "THEAD") continue;
      const copy = one.cloneNode(true);
      for (const gone of copy.querySelectorAll(".ln, li.line, .exchange, sup")) gone.remove();
      add(one, one.id, 2, [...copy.childNodes].map((each) => each.textContent).join(" "));
    }
    return found;
  };
  const search = (text) => {
    units = units || read();
    const words = plain(text).toLowerCase().split(" ").filter(Boolean);
    if (words.length === 0) return { all: 0, best: [] };
    const hits = units.filter(({ lower }) => words.every((word) => lower.includes(word)));
    const first = words.join(" ");
    const near = (lower) => {
      if (lower === first) return 0;
      return lower.startsWith(first) ? 1 : lower.includes(first) ? 2 : 3;
    };
    const score = ({ rank, lower }) => rank * 4 + near(lower);
    const ranked = hits.map((hit) => [score(hit), hit])
      .sort(([a, one], [b, other]) => a - b || one.words.length - other.words.length);
    return { all: hits.length, best: ranked.slice(0, MOST).map(([, hit]) => hit), words };
  };
  const mark = (into, text, words) => {
    const lower = text.toLowerCase();
    let from = 0;
    const hits = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
    const first = Math.min(...hits, text.length);
    if (first > 60) from = first - 40;
    const part = (from > 0 ? "… " : "") + text.slice(from, from + 160);
    const low = part.toLowerCase();
    let at = 0;
    while (low.length === part.length && at < part.length) {
      let [next, size] = [-1, 0];
      for (const word of words) {
        const hit = low.indexOf(word, at);
        if (hit >= 0 && (next < 0 || hit < next)) [next, size] = [hit, word.length];
      }
      if (next < 0) break;
      into.append(part.slice(at, next));
      const strong = document.createElement("mark");
      strong.textContent = part.slice(next, next + size);
      into.append(strong);
      at = next + size;
    }
    into.append(part.slice(at));
  };
  let active = -1;
  const options = () => [...list.children].filter((one) => one.getAttribute("role") === "option");
  const choose = (to) => {
    const all = options();
    if (all.length === 0) return;
    active = (to + all.length) % all.length;
    all.forEach((one, i) => one.setAttribute("aria-selected", String(i === active)));
    field.setAttribute("aria-activedescendant", all[active].id);
    all[active].scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    active = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const show = () => {
    const { all, best, words } = search(field.value);
    close();
    if (!field.value.trim()) { said.textContent = ""; return; }
    said.textContent = all === 0 ? "Nothing found" : all + " found";
    best.forEach((hit, i) => {
      const one = document.createElement("li");
      one.id = "found-" + i;
      one.setAttribute("role", "option");
      one.setAttribute("aria-selected", "false");
      one.dataset.to = hit.id;
      const main = document.createElement("span");
      mark(main, hit.words, words);
      const where = document.createElement("small");
      const head = hit.section && hit.section.querySelector("h2, h3");
      const line = /^L\d+$/.test(hit.id) ? "line " + hit.id.slice(1) : "";
      const name = head ? plain(head.firstChild.textContent) : "";
      where.textContent = [name === hit.words ? "" : name, line].filter(Boolean).join(" · ");
      one.append(main, where);
      list.append(one);
    });
    if (best.length === 0) {
      const one = document.createElement("li");
      one.className = "none";
      one.textContent = "Nothing found";
      list.append(one);
    }
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
  };
  const go = (one) => {
    if (!one) return;
    const to = one.dataset.to;
    close();
    field.blur();
    if (decodeURIComponent(location.hash.slice(1)) === to) $(to).scrollIntoView();
    else location.hash = to;
    const target = $(to);
    if (!target) return;
    target.closest("details")?.setAttribute("open", "");
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
    target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
  };
  field.addEventListener("input", show);
  field.addEventListener("focus", () => { if (field.value && list.hidden) show(); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { choose(active + 1); event.preventDefault(); }
    else if (event.key === "ArrowUp") { choose(active - 1); event.preventDefault(); }
    else if (event.key === "Enter") { go(options()[Math.max(active, 0)]); event.preventDefault(); }
    else if (event.key === "Escape") { if (list.hidden) field.value = ""; close(); }
  });
  field.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => go(event.target.closest("[role=option]")));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
})();
`;

/** The text of the script; a page's policy names its hash. */
export const SCRIPT = SOURCE.trim();

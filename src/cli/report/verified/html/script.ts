/** What the page does where scripts run: the switch of light and dark, links into what is shut. */

// Runs in a browser; it reads the page alone and asks nothing of any network.
const SOURCE = `
(() => {
  "use strict";
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const KEY = "lacuna-theme";
  let chosen = null;
  try { chosen = localStorage.getItem(KEY); } catch {}
  const paint = () => {
    const dark = chosen === "dark" || (chosen !== "light" && system.matches);
    if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
    theme.textContent = dark ? "Light" : "Dark";
  };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    chosen = theme.textContent === "Dark" ? "dark" : "light";
    try { localStorage.setItem(KEY, chosen); } catch {}
    paint();
  });
  system.addEventListener("change", paint);
  paint();

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    // What a choice hides is shown again.
    if (target.closest(".lines") && target.checkVisibility && !target.checkVisibility()) {
      for (const id of ["show-all", "part-all"]) document.getElementById(id).checked = true;
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  let shut = [];
  addEventListener("beforeprint", () => {
    shut = [...document.querySelectorAll(".reason:not([open])")];
    for (const one of shut) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of shut) one.open = false; });
})();
`;

export const SCRIPT = SOURCE.trim();

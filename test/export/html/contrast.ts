/** A script that judges every text that a page shows: its colour on what it stands on. */

/** Gives how many texts there are, and those whose contrast is below that of WCAG 2.2, level AA. */
export const CONTRAST = `(() => {
  const parts = (colour) => {
    const [r = 0, g = 0, b = 0, a = 1] = (colour.match(/[\\d.]+/g) || []).map(Number);
    return { r, g, b, a };
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const paper = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parts(getComputedStyle(one).backgroundColor);
      if (colour.a > 0.99) return colour;
    }
    return { r: 255, g: 255, b: 255, a: 1 };
  };
  const poor = [];
  let count = 0;
  const judge = (element, style, words) => {
    count++;
    const isSvg = element instanceof SVGElement;
    const [a, b] = [parts(isSvg ? style.fill : style.color), paper(element)].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) poor.push(ratio.toFixed(2) + " " + words.slice(0, 60));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const words = node.textContent.trim();
    if (words === "" || element.closest("script, style, .vh, title, desc")) continue;
    if (!element.checkVisibility({ opacityProperty: true })) continue;
    judge(element, getComputedStyle(element), words);
  }
  for (const element of document.querySelectorAll("[data-l]")) {
    if (element.checkVisibility()) judge(element, getComputedStyle(element, "::after"), "a line");
  }
  return { count, poor: [...new Set(poor)] };
})()`;

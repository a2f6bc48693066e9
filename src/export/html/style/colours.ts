/** Colours, light and dark: by the system's preference, or as the switch says. */

// Each pair of a text colour and what it stands on has a contrast of 4.5 at least.
const LIGHT = `
  color-scheme: light;
  --paper: #ffffff;
  --side: #f7f7f5;
  --raised: #f6f6f4;
  --line: #dfdfda;
  --edge: #8a8a83;
  --text: #1c1c1a;
  --soft: #5b5b55;
  --link: #0b57a8;
  --accent: #0f6b5c;
  --code: #f1f1ee;
  --mark: #fff3c9;
  --mark-edge: #b58900;
  --mark-text: #5c4400;
  --chosen: #e4efff;
  --good: #0d6b3a;
  --good-paper: #e3f4e9;
  --moved: #5a4a8a;
  --moved-paper: #eeebf8;
  --wrong: #9a3412;
  --wrong-paper: #fdeee4;
  --broken: #a11d2f;
  --broken-paper: #fce8ea;
  --read: #0b57a8;
  --make: #0d6b3a;
  --change: #8a4b00;
  --remove: #a11d2f;
  --name: #7a3e00;
  --string: #0d6b3a;
  --number: #0b57a8;
  --hole: #7a2a8a;
  --shade: 0 8px 30px rgb(0 0 0 / 0.16);
`;

const DARK = `
  color-scheme: dark;
  --paper: #16171a;
  --side: #1b1c20;
  --raised: #1f2025;
  --line: #35373d;
  --edge: #80838c;
  --text: #e7e7e4;
  --soft: #a9abb2;
  --link: #8ec1ff;
  --accent: #6cd4bf;
  --code: #25272c;
  --mark: #3d3310;
  --mark-edge: #c9a227;
  --mark-text: #ffe08a;
  --chosen: #22344e;
  --good: #7fdca4;
  --good-paper: #16301f;
  --moved: #c3b5f5;
  --moved-paper: #2a2542;
  --wrong: #ffb27f;
  --wrong-paper: #3a2415;
  --broken: #ff9aa6;
  --broken-paper: #3d1b21;
  --read: #8ec1ff;
  --make: #7fdca4;
  --change: #ffc56e;
  --remove: #ff9aa6;
  --name: #f0b37a;
  --string: #9ad9ae;
  --number: #8ec1ff;
  --hole: #e0a8f0;
  --shade: 0 8px 30px rgb(0 0 0 / 0.6);
`;

export const COLOURS = `
:root {${LIGHT}}
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${DARK}} }
:root[data-theme="dark"] {${DARK}}
`;

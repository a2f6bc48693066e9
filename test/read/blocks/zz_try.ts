import { readBlocks } from "../../../src/read/blocks/index.ts";
import { ourOutline, viewerOutline } from "./outline.ts";
import { mutate, newRandom, randomDocument } from "./random.ts";
const N = Number(process.argv[2]); const r = newRandom(Number(process.argv[3] ?? 1));
const bad = (text: string) => { const { blocks, findings } = readBlocks(text);
  if (findings.some(f => f.severity === "error")) return undefined;
  let a: string; try { a = JSON.stringify(ourOutline(text, blocks)); } catch (e) { a = String(e) }
  const b = JSON.stringify(viewerOutline(text)); return a === b ? undefined : [a, b]; };
const fails: string[][] = []; let ok = [0,0,0,0];
for (let i = 0; i < N; i++) { let t = randomDocument(r, [0, .04, .3, .02][i % 4]!); if (i % 4 === 3) t = mutate(r, t);
  if (!readBlocks(t).findings.some(f => f.severity === "error")) ok[i%4]!++; 
  const b = bad(t); if (!b) continue;
  // shrink: drop lines, then chars
  let s = t; let again = true;
  while (again) { again = false; const ls = s.split("\n"); for (let k = 0; k < ls.length; k++) { const u = ls.filter((_, j) => j !== k).join("\n"); if (bad(u)) { s = u; again = true; break; } }
    if (!again) for (let k = 0; k < s.length; k++) { const u = s.slice(0, k) + s.slice(k + 1); if (bad(u)) { s = u; again = true; break; } } }
  fails.push([s, ...bad(s)!]); if (fails.length > 60) break; }
console.log(ok, fails.length);
const seen = new Set(); for (const f of fails.sort((x, y) => x[0]!.length - y[0]!.length)) { const k = f[0]!.replace(/[a-z]/g, "a"); if (seen.has(k)) continue; seen.add(k); console.log(JSON.stringify(f[0]), "\n   ", f[1], "\n   ", f[2]); if (seen.size > 20) break; }

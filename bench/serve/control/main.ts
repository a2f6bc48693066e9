/** Starts a control: `node main.ts FILE PORT usual|expert`, or `node main.ts postgres://... PORT`. */
import { makeApp } from "./app.ts";
import { openProducts, type Products } from "./products.ts";

const [place = "control.sqlite", port = "0", manner = "usual"] = process.argv.slice(2);
if (manner !== "usual" && manner !== "expert") throw new Error(`no control is ${manner}`);
const isPg = place.startsWith("postgres://");
const products: Products = isPg
  ? await (await import("./products-pg.ts")).openPgProducts(place)
  : openProducts(place, manner);
const app = makeApp(products);
process.once("SIGTERM", async () => {
  await app.close();
  await products.close();
});
console.log(await app.listen({ host: "127.0.0.1", port: Number(port) }));

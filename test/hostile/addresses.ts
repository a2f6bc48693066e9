/** Addresses of receivers that point where nothing may be sent, or nowhere. */

import type { Random } from "./bodies.ts";
import { pick } from "./bodies.ts";

/** Ways to write this machine, for a port on it. */
const HERE = [
  "http://127.0.0.1:{}/",
  "http://localhost:{}/",
  "http://[::1]:{}/",
  "http://0:{}/",
  "http://0.0.0.0:{}/",
  "http://[::]:{}/",
  "http://127.1:{}/",
  "http://2130706433:{}/",
  "http://0x7f000001:{}/",
  "http://0177.0.0.1:{}/",
  "http://[::ffff:127.0.0.1]:{}/",
  "http://[::ffff:7f00:1]:{}/",
  "http://127.0.0.1.:{}/",
  "http://LOCALHOST:{}/",
  "http://a@127.0.0.1:{}/",
  "http://a:b@localhost:{}/#x",
  "http://127.0.0.1:{}/\t\n",
  "http:\\\\127.0.0.1:{}\\",
  "http:127.0.0.1:{}",
  "http://①②⑦.⓪.⓪.①:{}/",
  "http://127.0.0.2:{}/",
  "http://127。0。0。1:{}/",
  "http://%31%32%37.0.0.1:{}/",
  "HTTP://127.0.0.1:{}/?a=1",
  "https://127.0.0.1:{}/",
  "http://[0:0:0:0:0:0:0:1]:{}/",
  "http://[::127.0.0.1]:{}/",
  "http://localhost.:{}/",
];

/** Other networks inside, and what is no address of a receiver at all. */
const ELSEWHERE = [
  "http://169.254.169.254/latest/meta-data/",
  "http://10.0.0.1/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://192.168.0.1/",
  "http://[64:ff9b::7f00:1]/",
  "http://[::1",
  "file:///etc/passwd",
  "gopher://127.0.0.1:{}/_x",
  "ftp://127.0.0.1:{}/",
  "data:text/plain,x",
  "javascript:1",
  "http://",
  "http://:80/",
  "http://127.0.0.1:99999/",
  "http://127.0.0.1:-1/",
  "unix:/tmp/x",
  "http://a b/",
  "http://x..y:{}/",
  "//127.0.0.1:{}/",
  "/only/a/path",
  "",
  `http://${"a".repeat(3000)}/`,
  `http://127.0.0.1:{}/${"p".repeat(3000)}`,
  "http://\u0000:{}/",
  "http://127.0.0.1:{}/\r\nX-Evil: 1",
  "http://127.0.0.1:{}/\ud83d\ude00",
  "http://a\u202eb/",
  "http://127.0.0.1:{}/%00",
  "ws://127.0.0.1:{}/",
  "http://256.256.256.256/",
  "http://1.2.3/",
];

/** An address chosen at random, often of this machine and this port. */
export function hostileAddress(port: number, random: Random): string {
  return pick(random() < 0.6 ? HERE : ELSEWHERE, random).replaceAll("{}", String(port));
}

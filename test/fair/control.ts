/** Sleeps, and tells how much later than asked for it wakes: what the machine itself adds. */
const SLEEP_MS = 10;

let lateMs: number[] = [];

function sleep(): void {
  const beganMs = performance.now();
  setTimeout(() => {
    lateMs.push(Math.max(0, performance.now() - beganMs - SLEEP_MS));
    sleep();
  }, SLEEP_MS);
}

process.on("message", () => {
  process.send?.(lateMs);
  lateMs = [];
});
process.on("disconnect", () => process.exit());
sleep();

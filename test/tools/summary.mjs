import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SLOWEST = 10;

/** Ticks of the processor in a second, as Linux tells them. */
const TICKS = 100;

/**
 * Seconds of processor time of this process and all that it started and that has ended; 0 where the system does not
 * tell.
 */
export function processorSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / TICKS, 0);
  } catch {
    return 0;
  }
}

const RECORDS = join('node_modules', '.cache', 'tiers');

/** Keeps what a tier took for `npm run measure`. */
export function record(tier, { passed, failed, seconds, cpu }) {
  mkdirSync(RECORDS, { recursive: true });
  writeFileSync(join(RECORDS, `${tier}.json`), JSON.stringify({ passed, failed, seconds, cpu }));
}

/** What the last run of a tier in a checkout took; undefined where there was none. */
export function recorded(tier, root) {
  const path = join(root, RECORDS, `${tier}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** One result of several: what passed and failed, the time of all, and every file or check with its own. */
export function sumOf(results) {
  return results.reduce(
    (sum, { passed, failed, failures, files, seconds = 0, cpu = 0 }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      seconds: sum.seconds + seconds,
      cpu: sum.cpu + cpu,
      failures: [...sum.failures, ...failures],
      files: [...sum.files, ...files],
    }),
    { passed: 0, failed: 0, failures: [], seconds: 0, cpu: 0, files: [] },
  );
}

/** Prints the files and checks that cost most, what failed, the time, and the closing line. */
export function printSummary({ passed, failed, failures, seconds, cpu, files }) {
  const cost = (file) => file.cpu ?? file.seconds;
  const slowest = files.toSorted((a, b) => cost(b) - cost(a)).slice(0, SLOWEST);
  const lines = [
    `\nmost processor time of ${files.length} files and checks:`,
    ...slowest.map((file) => `  ${cost(file).toFixed(1).padStart(7)} s  ${file.name}`),
    ...failures.map((failure) => `FAILED  ${failure}`),
    `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s${cpu > 0 ? `, ${Math.round(cpu)} s of processor time` : ''}`,
    `${passed} passed, ${failed} failed`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

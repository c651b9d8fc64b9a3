const SLOWEST = 10;

/** One result of several: what passed and failed, the time of all, and every file or check with its own. */
export function sumOf(results) {
  return results.reduce(
    (sum, { passed, failed, failures, files, seconds = 0 }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      seconds: sum.seconds + seconds,
      failures: [...sum.failures, ...failures],
      files: [...sum.files, ...files],
    }),
    { passed: 0, failed: 0, failures: [], seconds: 0, files: [] },
  );
}

/** Prints the slowest files and checks, what failed, the time, and the closing line. */
export function printSummary({ passed, failed, failures, seconds, files }) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const lines = [
    `\nslowest of ${files.length} files and checks:`,
    ...slowest.map((file) => `  ${file.seconds.toFixed(1).padStart(7)} s  ${file.name}`),
    ...failures.map((failure) => `FAILED  ${failure}`),
    `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`,
    `${passed} passed, ${failed} failed`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

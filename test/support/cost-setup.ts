import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

// Runs for every file of tests: its processor time, with that of the processes that it started, is told with its result.
const began = processorSeconds();
// oxlint-disable-next-line no-empty-pattern -- vitest reads from it which fixtures a hook asks for.
afterAll(({}, { meta }) => void Object.assign(meta, { cpu: processorSeconds() - began }));

/** Of this process and all that it started and that has ended; 0 where the system does not tell. */
function processorSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  } catch {
    return 0;
  }
}

// Loaded before a measured program: tells its parent what it took, when it ends. A program that measures only a part of
// itself calls `beginUsage` where that begins. `children` is the processor time of the processes that it started and
// waited for, where the system says so.
import { readFileSync } from 'node:fs';

process.channel?.unref();
let before = 0;

export function beginUsage() {
  before = ownSeconds();
}

process.on('exit', () => {
  const { maxRSS: peak } = process.resourceUsage();
  process.send?.({ cpu: ownSeconds() - before, children: childrenSeconds(), peak });
});

function ownSeconds() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1e6;
}

/** `/proc` of Linux counts in hundredths of a second. */
function childrenSeconds() {
  try {
    const [, rest] = readFileSync('/proc/self/stat', 'latin1').split(/\) (?=\S )/);
    const [user, system] = rest.split(' ').slice(13, 15).map(Number);
    return (user + system) / 100;
  } catch {
    return 0;
  }
}

// Loaded before a measured program: tells its parent what it took, when it ends. `children` is the processor time of
// the processes that it started and waited for, where the system says so.
import { readFileSync } from 'node:fs';

process.channel?.unref();
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime) / 1e6;
  process.send?.({ cpu, children: childrenSeconds(), peak: maxRSS });
});

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

import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../habits/sources.ts';
import { takeCourse } from '../support/rehearsal-course.ts';
import { make, readScenario, scenarios } from '../support/plan-scenario.ts';

/** Folders that everything stands on, and the service itself: no part of a thought that is followed. */
const GROUND = /^src\/(lib|model|twin)\//;

type Point = 'decision' | 'attempt';
type Measured = <Result>(point: Point, act: () => Result) => Result;

declare global {
  var measured: Measured;
}

/** The files of `src/` that the longest way of deciding about one device of any scenario leads through. */
export async function decisionFiles(): Promise<readonly string[]> {
  return longest('decision', async () => {
    for (const { name } of scenarios()) await make(readScenario(name));
  });
}

/** The files of `src/` that one attempt leads through: choice, last look, record, POST. */
export async function attemptFiles(): Promise<readonly string[]> {
  return longest('attempt', async () => void (await takeCourse('happy-batch')));
}

/** What ran between the beginning and the end of a point, the call with the most files. Throws where nothing did. */
async function longest(wanted: Point, act: () => Promise<void>): Promise<readonly string[]> {
  globalThis.measured = (_, run) => run();
  // Once without looking: what runs when a module is loaded belongs to nobody's thought.
  await act();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = (): Promise<readonly string[]> => filesOf(session);
  let most: readonly string[] = [];
  const keep = (files: readonly string[]): void => {
    if (files.length > most.length) most = files;
  };
  let pending: Promise<void> = Promise.resolve();
  globalThis.measured = (point, run) => {
    if (point !== wanted) return run();
    void take();
    const result = run();
    if (!(result instanceof Promise)) {
      pending = take().then(keep);
      return result;
    }
    return result.finally(async () => keep(await take())) as typeof result;
  };
  await act();
  await pending;
  session.disconnect();
  if (most.length === 0) throw new Error(`points.mjs no longer fits the sources of a ${wanted}`);
  return most;
}

async function filesOf(session: Session): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => url.replace(/\?.*$/, ''))
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(ROOT, fileURLToPath(url)));
  return [...new Set(files)].filter((path) => path.startsWith('src/') && !GROUND.test(path)).sort();
}

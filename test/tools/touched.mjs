import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What plans are made of: a change there is tried on the scenarios as well. */
const SCENARIOS =
  /^(src\/(model|kinds|config|desired|live|rollout|plan|guard|render|lint|calendar|lib)|test\/scenarios)\//;

/** Tests of data that they read, not import: what a change of a schema or of the fields of devices moves. */
const READERS = [
  [/^schemas\//, 'test/unit/config/fixtures.test.ts'],
  [/^(schemas\/dialect\.json|src\/(doctor|model\/fleet)\/)/, 'test/doctor/dialects.test.ts'],
];

/** Files of tests that take more than some seconds of processor time, the longest first. */
const { heavy: HEAVY } = JSON.parse(readFileSync(new URL('heavy.json', import.meta.url), 'utf8'));

/**
 * The files of tests that folders touch (`plan`, `src/plan`, `test/unit/plan`), or without folders the
 * uncommitted change: tests that changed, tests that import what changed, and the tests of its own folder. Slow
 * files are left out.
 */
export function testsTouched(folders) {
  const tests = git('ls-files', '--cached', '--others', '--exclude-standard', 'test').filter(
    isQuick,
  );
  const chosen =
    folders.length > 0
      ? tests.filter((test) => folders.some((folder) => isWithin(test, folder)))
      : touchedBy(changedFiles(), tests);
  const from =
    folders.length > 0 ? folders.map((folder) => `src/${nameOf(folder)}/`) : changedFiles();
  if (from.some((path) => SCENARIOS.test(path))) chosen.push('test/scenarios/scenarios.test.ts');
  for (const [what, test] of READERS) if (from.some((path) => what.test(path))) chosen.push(test);
  const isHeavy = (path) => HEAVY.some((part) => path.includes(part));
  const all = [...new Set(chosen)].sort();
  return { paths: all.filter((path) => !isHeavy(path)), leftOut: all.filter(isHeavy) };
}

/** The folders of `src` or `test` that were named, or that the uncommitted change is in. */
export function foldersTouched(folders) {
  if (folders.length > 0) return folders;
  const rooms = changedFiles().map((path) => /^(?:src|test\/unit|test)\/([^/]+)/.exec(path)?.[1]);
  return [...new Set(rooms)].filter((room) => room !== undefined);
}

function isQuick(path) {
  return (
    path.endsWith('.test.ts') &&
    !path.endsWith('.slow.test.ts') &&
    !/^test\/(blackbox|browser|chaos|crash|faults|replays|simulation|scenarios)\//.test(path)
  );
}

function nameOf(folder) {
  return folder.replace(/^(\.\/)?(src|test\/unit|test)\//, '').replace(/\/$/, '');
}

function isWithin(test, folder) {
  const name = nameOf(folder);
  if (existsSync(folder) && statSync(folder).isFile()) return test === normalize(folder);
  return test.startsWith(`test/unit/${name}/`) || test.startsWith(`test/${name}/`);
}

function touchedBy(changed, tests) {
  const sources = new Set(changed);
  const homes = new Set(changed.map((path) => dirname(path).replace(/^src\b/, 'test/unit')));
  return tests.filter((test) => {
    if (sources.has(test) || homes.has(dirname(test))) return true;
    const imports = [...readFileSync(test, 'utf8').matchAll(/from '(\.[^']+)'/g)];
    return imports.some(([, path]) => sources.has(normalize(join(dirname(test), path))));
  });
}

/** Files that differ from the last commit, and new ones. */
function changedFiles() {
  return [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

function git(...args) {
  const { stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path !== '' && existsSync(path));
}

// One process for all mutants that a file of tests kills: each is a project of the runner, with the sources
// patched as they are read. Takes [{id, test, patches}] as its argument and prints [{id, told}], or why one
// could not be tried, as JSON on its last line.
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const prey = JSON.parse(process.argv[2]);
const root = fileURLToPath(new URL('../..', import.meta.url));
const projects = prey.map(({ id, test, patches }) => ({
  root,
  plugins: [
    { name: 'mutant', enforce: 'pre', transform: (code, at) => patched(code, at, patches) },
  ],
  test: { name: id, include: [test], pool: 'threads', isolate: false, testTimeout: 60_000 },
}));
const vitest = await startVitest('test', [], {
  root,
  config: false,
  watch: false,
  maxWorkers: 1,
  reporters: [{}],
  projects,
});
const modules = vitest?.state.getTestModules() ?? [];
const shown = prey.map(({ id }) => ({
  id,
  ...shownBy(modules.filter(({ project }) => project.name === id)),
}));
await vitest?.close();
process.exitCode = 0;
process.stdout.write(`${JSON.stringify(shown)}\n`);

function patched(code, at, patches) {
  const wanted = patches.filter(({ file }) => at.split('?')[0].endsWith(`/${file}`));
  if (wanted.length === 0) return undefined;
  return {
    code: wanted.reduce((text, { find, replace }) => text.replace(find, () => replace), code),
    map: null,
  };
}

/** The first test that failed; a file that did not even load, or stumbles over its own patch, shows nothing about the rule. */
function shownBy(files) {
  const broken = files.flatMap((file) => file.errors());
  if (files.length === 0 || broken.length > 0)
    return { unfit: broken[0]?.message ?? 'no such file of tests' };
  const failed = files.flatMap((file) => [...file.children.allTests('failed')]);
  if (failed.length === 0) return {};
  const [error] = failed[0].result().errors ?? [];
  if (/^(Reference|Syntax|Type)Error$/.test(error?.name ?? '')) return { unfit: error.message };
  return { told: `${failed[0].fullName}: ${(error?.message ?? '').split('\n', 1)[0]}` };
}

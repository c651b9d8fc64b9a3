import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';
import { ROOT } from './sources.ts';

interface Watched {
  readonly passed: number;
  readonly failures: readonly string[];
}

type Watch = (args: readonly string[], env: object, minutes: number) => Promise<Watched>;

const TOOLS: string = resolve(ROOT, 'test/tools');
const { watched } = (await import(join(TOOLS, 'watched.mjs'))) as { readonly watched: Watch };

/** How a file of tests can go wrong, and what a run says then beside what passed. */
const FILES: readonly (readonly [what: string, source: string, says: RegExp])[] = [
  ['a failing test', 'it("is wrong", () => expect(1).toBe(2));', /^\S*odd\.test\.ts > is wrong$/],
  ['a file that cannot be loaded', 'import "./nowhere.ts";', /^\S*odd\.test\.ts$/],
  ['a hook that fails', 'beforeAll(() => { throw 1; }); it("x", () => 0);', /^\S*odd\.test\.ts$/],
  [
    'a worker that dies',
    'it("dies", () => process.kill(process.pid, "SIGKILL"));',
    /odd\.test\.ts: vitest ended with SIGKILL/,
  ],
  ['a test that never ends', 'it("spins", () => { for (;;); });', /odd\.test\.ts: not done after/],
  ['a file that is never loaded', 'for (;;);', /odd\.test\.ts: not done after/],
];

describe.concurrent('a run of tests', () => {
  it.each(FILES)('names %s', async (_, source, says) => {
    const { passed, failures } = await watch({ odd: source });
    expect(failures.find((each) => says.test(each))).toBeDefined();
    expect(passed).toBeLessThanOrEqual(1);
  });

  it('counts what passes', async () => {
    expect(await watch({ odd: 'it("is right", () => 0);' })).toMatchObject({
      passed: 2,
      failures: [],
    });
  });

  it('that finds no test fails', async () => {
    expect((await watch({}, 'nowhere')).failures).toEqual(['vitest: ended with 1']);
  });
});

/** Runs a good file and others, which may take a quarter of a minute each. */
function watch(sources: Readonly<Record<string, string>>, only = ''): Promise<Watched> {
  const folder = scratchFolder('watched');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const all = { good: 'it("is good", () => 0);', ...sources };
  for (const [name, source] of Object.entries(all)) {
    const head = "import { beforeAll, expect, it } from 'vitest';\nvoid [beforeAll, expect];\n";
    writeFileSync(join(folder, `${name}.test.ts`), `${head}${source}\n`);
  }
  const reporter = `--reporter=${join(TOOLS, 'told.mjs')}`;
  const args = ['run', '--root', folder, '--pool=threads', '--silent', reporter, only];
  return watched(args, process.env, 0.25);
}

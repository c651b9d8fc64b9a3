import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE } from '../support/blackbox.ts';
import { ROOT } from '../support/blackbox-build.ts';
import { installPacked, run } from './packed.ts';

let [folder, home] = ['', ''];
beforeAll(() => {
  ({ folder, home } = installPacked());
}, PATIENCE.timeout);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the examples use of Node, whose types no program needs for the library. */
const NODE = 'declare const process: { exitCode?: number };\n';

function examplesOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(text.matchAll(/^```js\n([^]*?)^```$/gm), ([, example = '']) => example);
}

describe(
  'the package, packed from a clean clone and installed into an empty folder',
  PATIENCE,
  () => {
    it('has the program, its schemas and its pages, and no source or test', () => {
      const installed = join(home, 'node_modules', 'fleetform');
      expect(readdirSync(installed).sort()).toEqual([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist',
        'docs',
        'fleet',
        'package.json',
        'schemas',
      ]);
    });

    it('runs the whole workflow without a clone', () => {
      const lines = run(home, 'npx', 'fleetform', 'twin', '--demo').trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(60);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(lines[0]).toMatch(/^A simulated service: /);
      expect(lines.filter((line) => line.startsWith('$ fleetform'))).toHaveLength(3);
      expect(lines.at(-2)).toMatch(/^Done in /);
      expect(lines.at(-1)).toMatch(/^next: /);
    });

    it('offers its schemas, and nothing of its inside', () => {
      const code = `
      const { createRequire } = await import('node:module');
      const require = createRequire(import.meta.url);
      console.log(require('fleetform/schemas/fleet.schema.json').title);
      try { await import('fleetform/dist/main.js'); } catch (error) { console.log(error.code); }`;
      expect(run(home, 'node', '--input-type=module', '-e', code)).toMatch(
        /^\S.*\nERR_PACKAGE_PATH_NOT_EXPORTED\n$/,
      );
    });

    it('runs the program of docs/library.md against a simulator', async () => {
      const [program = '', adoption = '', reports = '', others = ''] =
        examplesOf('docs/library.md');
      writeFileSync(join(home, 'example.mjs'), program);
      writeFileSync(join(home, 'import.mjs'), adoption);
      writeFileSync(join(home, 'reports.mjs'), reports);
      writeFileSync(join(home, 'others.mjs'), others);
      const cli = join(home, 'node_modules', 'fleetform', 'dist', 'main.js');
      run(home, 'npx', 'fleetform', 'twin', '--demo', '--keep', 'my-fleet');
      rmSync(join(home, 'my-fleet', '.fleetform'), { recursive: true });
      const flags = 'twin --port 0 --seed 1 --time-scale 1200 --write-env twin.env'.split(' ');
      const twin = spawn('npx', ['fleetform', ...flags], { cwd: home, detached: true });
      try {
        await once(twin.stdout, 'data');
        const printed = run(home, process.execPath, '--env-file=twin.env', 'example.mjs');
        expect(
          new Set(
            printed
              .trim()
              .split('\n')
              .map((line) => line.split(' ').at(-1)),
          ),
        ).toEqual(new Set(['verified']));
        const told = run(home, process.execPath, '--env-file=twin.env', 'others.mjs');
        expect(told).toMatch(/^\[ 'restarts.gone-dark' \]\n\d+\n\d+\n/);
        expect(told).toContain('Plan ID');
        const adopted = (): string =>
          run(home, process.execPath, '--env-file=twin.env', 'import.mjs');
        expect(adopted()).toMatch(/^(fleet\/[\w-]+\.yaml\n)+0 changes\n$/);
        expect(adopted()).toBe('0 changes\n');
        const flags = ['--fleet', 'my-fleet/fleet', '--save-snapshot', 'my-fleet/fleet.snapshot'];
        run(home, process.execPath, '--env-file=twin.env', cli, 'plan', ...flags);
        const reported = run(home, process.execPath, 'reports.mjs');
        expect(reported).toMatch(
          /^([\w.-]+: \d+ done, \d+ late\n)+(\w+: \d+ devices need attention\n){7}$/,
        );
      } finally {
        process.kill(-(twin.pid ?? 0), 'SIGTERM');
      }
    });

    it('is typed for a program that imports it', () => {
      const program = `import { plan, apply, importFleet, pause, why, type PauseOutput, type RunEvent, rehearse, report as reportFleet, InvalidDocuments, WorldError, type Adoption, type FleetReport, type Plan, type RehearsalReport } from 'fleetform';
const planned: Plan = await plan({ fleet: 'fleet', only: ['firmware.*'] });
const { exit, report } = await apply({ approved: planned });
const { files }: Adoption = await importFleet({ timeZone: 'UTC', dryRun: true });
const { policies }: RehearsalReport = await rehearse({ horizon: '2d', runs: 1 });
const { alerts }: FleetReport = await reportFleet({ snapshots: ['a.snapshot'], alerts: ['offline'] });
const events: RunEvent[] = [];
await apply({ onEvent: (event) => events.push(event) });
const paused: { exit: number; output: PauseOutput } = await pause({ scope: 'fleet', reason: 'r' });
const { output } = await why({ name: 'dev-1', maxAge: '7d' });
if ('tasks' in output) console.log(output.tasks.length, paused.output.next);
// @ts-expect-error a misspelt option
await why({ nmae: 'dev-1' });
console.log(policies.length, alerts.length, files.length, planned.counts.run, exit, report.endings.map(({ outcome }) => outcome), InvalidDocuments, WorldError);
// @ts-expect-error a misspelt option
await plan({ fleets: 'fleet' });
// @ts-expect-error no such alert
await reportFleet({ alerts: ['on fire'] });
`;
      writeFileSync(join(home, 'program.ts'), program);
      const examples = examplesOf('docs/library.md').map((text, index) => {
        writeFileSync(join(home, `example-${index}.ts`), `${NODE}${text}`);
        return `example-${index}.ts`;
      });
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2023',
        '--types',
        '',
      ];
      const compiler = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
      expect(run(home, process.execPath, compiler, ...options, 'program.ts', ...examples)).toBe('');
    });
  },
);

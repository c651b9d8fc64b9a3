// `npm run measure`: the shape of src/, the package, its start and the tiers of tests as figures, a line each.
//   --against FOLDER  a built checkout of another version beside it, in a column of its own
// What a tier took is what its last run here has left; a file of a result (`FLEETFORM_TEST_RESULT`) as an argument is told, too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { processorSeconds, recorded } from '../tools/summary.mjs';

register('../support/typescript-hooks.mjs', import.meta.url);
const { shapeOf } = await import('./shape.ts');

const STARTS = 10;

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
});

/** What can be measured of any checkout. */
function figuresOf(root) {
  return new Map([...shapeOf(root), ...packageOf(root), ...startOf(root), ...tiersOf(root)]);
}

function packageOf(root) {
  if (!existsSync(join(root, 'dist'))) return [];
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  const [{ size, unpackedSize, entryCount }] = JSON.parse(stdout);
  const kilobytes = (bytes) => `${Math.round(bytes / 1_000)} kB`;
  return [
    ['package', kilobytes(size)],
    ['package, unpacked', kilobytes(unpackedSize)],
    ['files of the package', entryCount],
  ];
}

function startOf(root) {
  const entry = join(root, 'dist', 'main.js');
  if (!existsSync(entry)) return [];
  const before = processorSeconds();
  for (let n = 0; n < STARTS; n += 1) spawnSync(process.execPath, [entry, '--help']);
  return [['processor time of --help', `${((processorSeconds() - before) / STARTS).toFixed(2)} s`]];
}

function tiersOf(root) {
  return ['test', 'campaign', 'quick'].flatMap((tier) => {
    const result = recorded(tier, root);
    return result ? [[`tier ${tier}`, told(result)]] : [];
  });
}

function told({ seconds, cpu = 0, passed }) {
  return `${Math.round(seconds)} s, ${Math.round(cpu)} s of processor time, ${passed} passed`;
}

const now = figuresOf('.');
const then = values.against === undefined ? undefined : figuresOf(values.against);
const rows = [...now].map(([name, value]) => [
  name,
  ...(then ? [then.get(name) ?? '-'] : []),
  value,
]);
const beside = then ? ['-'] : [];
for (const file of positionals)
  rows.push([file, ...beside, told(JSON.parse(readFileSync(file, 'utf8')))]);
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, ...figures] of rows) {
  const cells = figures.map((figure, at) =>
    at < figures.length - 1 ? String(figure).padEnd(14) : figure,
  );
  process.stdout.write(`${name.padEnd(width)}  ${cells.join('')}\n`);
}

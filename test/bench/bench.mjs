// `npm run bench -- [--fleets DEVICESxPOLICIES,...] [--shapes NAME,...] [--behind PERCENT,...] [--runs N]`: plans against
// pages made beforehand, each run in turn with its floor, as whole processes, for every shape of fleet and share of
// change. Prints medians of CPU time (user and system), their ratio, peak memory and requests, and the worst ratio
// beside the median of all rows. Needs a build. No figure is a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { folder, median, say, timed } from './measure.mjs';
import { documentsText } from './shapes.mjs';

const { values } = parseArgs({
  options: {
    fleets: { type: 'string', default: '1000x10,10000x100,100000x1000' },
    shapes: { type: 'string', default: 'few,wide,sites' },
    behind: { type: 'string', default: '1,10,100' },
    runs: { type: 'string', default: '3' },
  },
});
const HERE = fileURLToPath(new URL('.', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const worst = [];

say(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? '?'}, ${values.runs} runs each, medians of CPU seconds\n`,
);
say(
  '| Devices x policies | shape | behind | floor | plan | ratio (least to most) | memory of plan | requests |',
);
say('| --- | --- | --- | --- | --- | --- | --- | --- |');
try {
  for (const [fleet, shape, behind] of rowsOf(values))
    await benchFleet(...fleet.split('x').map(Number), { shape, behind });
  const ratios = worst.toSorted((a, b) => a - b);
  say(
    `\nratio: worst ${ratios.at(-1).toFixed(1)}, median ${median(ratios).toFixed(1)} of ${ratios.length} rows`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Every fleet in every shape with every share of change. */
function rowsOf({ fleets, shapes, behind }) {
  return fleets
    .split(',')
    .flatMap((fleet) => shapes.split(',').map((shape) => [fleet, shape]))
    .flatMap((row) => behind.split(',').map((share) => [...row, share]));
}

async function benchFleet(devices, policies, { shape, behind }) {
  const args = [join(HERE, 'serve.mjs'), String(devices), shape, behind];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  const place = join(folder, `${devices}-${policies}-${shape}-${behind}`);
  mkdirSync(join(place, 'fleet'), { recursive: true });
  const documents = join(place, 'fleet', 'fleet.yaml');
  writeFileSync(documents, documentsText(shape, policies, url));
  const pairs = [];
  let asked = 0;
  for (let run = 0; run < Number(values.runs); run += 1) {
    const floor = await timed([join(HERE, 'floor.mjs'), url, documents], place);
    const before = await requestsAt(url);
    const plan = await timed([MAIN, 'plan', '--quiet', '--max-reads', '100000'], place);
    asked = (await requestsAt(url)) - before;
    pairs.push({ floor, plan, ratio: plan.cpu / floor.cpu });
  }
  server.stdin.end();
  const ratios = pairs.map(({ ratio }) => ratio).sort((a, b) => a - b);
  worst.push(median(ratios));
  const row = [
    `${devices.toLocaleString('en')} x ${policies.toLocaleString('en')}`,
    shape,
    `${behind}%`,
    `${median(pairs.map(({ floor }) => floor.cpu)).toFixed(2)} s`,
    `${median(pairs.map(({ plan }) => plan.cpu)).toFixed(2)} s`,
    `${median(ratios).toFixed(1)} (${ratios[0].toFixed(1)} to ${ratios.at(-1).toFixed(1)})`,
    `${Math.round(Math.max(...pairs.map(({ plan }) => plan.peak)) / 1_024)} MB`,
    asked.toLocaleString('en'),
  ];
  say(`| ${row.join(' | ')} |`);
}

async function requestsAt(url) {
  return Number(await (await fetch(`${url}/requests`)).text());
}

// `npm run bench -- [--fleets DEVICESxPOLICIES,...] [--shapes NAME,...] [--behind PERCENT,...] [--runs N]`: plans against
// pages made beforehand, each run in turn with its floor, as whole processes, for every shape of fleet and share of
// change. Prints medians of CPU time (user and system), their ratio, peak memory and requests, and the worst ratio
// beside the median of all rows. With `--pace N` the server sends N answers a second, and the bench prints how long a plan
// takes after the last of them: the wall time until it is printed and until its process has ended, and the processor time
// of that, where /proc has it. Needs a build. No figure is a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { folder, machine, median, say, timed } from './measure.mjs';
import { documentsText } from './shapes.mjs';

const { values } = parseArgs({
  options: {
    fleets: { type: 'string', default: '1000x10,10000x100,100000x1000' },
    shapes: { type: 'string', default: 'few,wide,sites' },
    behind: { type: 'string', default: '1,10,100' },
    runs: { type: 'string', default: '3' },
    pace: { type: 'string' },
  },
});
const HERE = fileURLToPath(new URL('.', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const isOnce = values.runs === '1';
const PLAN = [MAIN, 'plan', '--quiet', '--max-reads', '100000'];
/** The ratio of each row, or its seconds after the last answer. */
const figures = [];

say(`${machine()}, ${values.runs} runs each, medians of CPU seconds\n`);
say(`| Devices x policies | shape | behind | ${columns().join(' | ')} |`);
say(`|${' --- |'.repeat(3 + columns().length)}`);
try {
  for (const [fleet, shape, behind] of rowsOf(values))
    await benchFleet(...fleet.split('x').map(Number), { shape, behind });
  const name = values.pace === undefined ? 'ratio' : 'seconds from the last answer to the plan';
  const most = Math.max(...figures).toFixed(1);
  say(`\n${name}: worst ${most}, median ${median(figures).toFixed(1)} of ${figures.length} rows`);
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

function columns() {
  return values.pace === undefined
    ? ['floor', 'plan', isOnce ? 'ratio' : 'ratio (least to most)', 'memory of plan', 'requests']
    : ['answers', 'plan printed after the last', 'process ended', 'processor time of that'];
}

async function benchFleet(devices, policies, { shape, behind }) {
  const args = [join(HERE, 'serve.mjs'), String(devices), shape, behind];
  const server = spawn(process.execPath, [...args, ...(values.pace ? [values.pace] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  const place = join(folder, `${devices}-${policies}-${shape}-${behind}`);
  mkdirSync(join(place, 'fleet'), { recursive: true });
  const documents = join(place, 'fleet', 'fleet.yaml');
  writeFileSync(documents, documentsText(shape, policies, url));
  const row = values.pace
    ? await rowAfterAnswers(url, place)
    : await rowBesideFloor(url, place, documents);
  server.stdin.end();
  const fleet = `${devices.toLocaleString('en')} x ${policies.toLocaleString('en')}`;
  say(`| ${[fleet, shape, `${behind}%`, ...row].join(' | ')} |`);
}

async function rowBesideFloor(url, place, documents) {
  const pairs = [];
  let asked = 0;
  for (let run = 0; run < Number(values.runs); run += 1) {
    const floor = await timed([join(HERE, 'floor.mjs'), url, documents], place);
    const before = await askedOf(url);
    const plan = await timed(PLAN, place);
    asked = (await askedOf(url)).requests - before.requests;
    pairs.push({ floor, plan, ratio: plan.cpu / floor.cpu });
  }
  const ratios = pairs.map(({ ratio }) => ratio).sort((a, b) => a - b);
  figures.push(median(ratios));
  return [
    `${median(pairs.map(({ floor }) => floor.cpu)).toFixed(2)} s`,
    `${median(pairs.map(({ plan }) => plan.cpu)).toFixed(2)} s`,
    median(ratios).toFixed(1) +
      (isOnce ? '' : ` (${ratios[0].toFixed(1)} to ${ratios.at(-1).toFixed(1)})`),
    `${Math.round(Math.max(...pairs.map(({ plan }) => plan.peak)) / 1_024)} MB`,
    asked.toLocaleString('en'),
  ];
}

async function rowAfterAnswers(url, place) {
  const all = [];
  let asked = 0;
  for (let run = 0; run < Number(values.runs); run += 1) {
    const before = await askedOf(url);
    const { cpu, samples, printedAt, endedAt } = await timed(PLAN, place, { isWatched: true });
    const { requests, answeredAt } = await askedOf(url);
    asked = requests - before.requests;
    const [, spent = Number.NaN] = samples.findLast(([at]) => at <= answeredAt) ?? [];
    all.push([printedAt - answeredAt, endedAt - answeredAt, (cpu - spent) * 1_000]);
  }
  const seconds = [0, 1, 2].map((n) => median(all.map((each) => each[n])) / 1_000);
  figures.push(seconds[0]);
  return [asked.toLocaleString('en'), ...seconds.map((each) => `${each.toFixed(2)} s`)];
}

/** The number of requests so far, and when the last answer left. */
async function askedOf(url) {
  return (await fetch(`${url}/asked`)).json();
}

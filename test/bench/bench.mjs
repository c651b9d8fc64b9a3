// `npm run bench -- [--devices N,N] [--policies N,N] [--runs N]`: plans against pages made beforehand, each run in turn
// with its floor, as whole processes. Prints medians of CPU time (user and system), their ratio, peak memory and
// requests. Needs a build. No figure is a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { documentsText } from './documents.mjs';
import { folder, median, say, timed } from './measure.mjs';

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '1000,10000,100000' },
    policies: { type: 'string', default: '10,100,1000' },
    runs: { type: 'string', default: '5' },
  },
});
const HERE = fileURLToPath(new URL('.', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const numbers = (text) => text.split(',').map(Number);

say(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? '?'}, ${values.runs} runs each, medians of CPU seconds\n`,
);
say('| Devices x policies | floor | plan | ratio (least to most) | memory of plan | requests |');
say('| --- | --- | --- | --- | --- | --- |');
try {
  for (const devices of numbers(values.devices)) await benchFleet(devices);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function benchFleet(devices) {
  const server = spawn(process.execPath, [join(HERE, 'serve.mjs'), String(devices)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  for (const policies of numbers(values.policies)) await benchPlan(url, devices, policies);
  server.stdin.end();
}

async function benchPlan(url, devices, policies) {
  const place = join(folder, `${devices}-${policies}`);
  mkdirSync(join(place, 'fleet'), { recursive: true });
  const documents = join(place, 'fleet', 'fleet.yaml');
  writeFileSync(documents, documentsText(policies, url));
  const pairs = [];
  let asked = 0;
  for (let run = 0; run < Number(values.runs); run += 1) {
    const floor = await timed([join(HERE, 'floor.mjs'), url, documents], place);
    const before = await requestsAt(url);
    const plan = await timed([MAIN, 'plan', '--quiet', '--max-reads', '100000'], place);
    asked = (await requestsAt(url)) - before;
    pairs.push({ floor, plan, ratio: plan.cpu / floor.cpu });
  }
  const ratios = pairs.map(({ ratio }) => ratio).sort((a, b) => a - b);
  const row = [
    `${devices.toLocaleString('en')} x ${policies.toLocaleString('en')}`,
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

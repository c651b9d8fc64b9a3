// `npm run bench:peers -- [--devices N] [--runs N]`: a peer on PATH on the same rows, in turn with `fleetform plan`. Terraform
// reads all devices as one data source and compares their firmware in locals. It has no provider here, so it reads them as
// the outputs of a state over HTTP, which its built-in provider can: one request, and only the fields that it compares.
// Kong decK is not compared: it speaks only to the admin interface of a gateway, which nothing here serves.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { folder, median, say, timed } from './measure.mjs';

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
  },
});
const HERE = fileURLToPath(new URL('.', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const WANTED = '11.11.160';

/** The changes as one value, and as one planned resource for each: what a plan of Terraform usually shows. */
const OUTPUT = 'output "changes" { value = local.changes }\n';
const RESOURCES = `resource "terraform_data" "firmware" {
  for_each = { for change in local.changes : change.id => change }
  input    = each.value
}
`;

try {
  await compare();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare() {
  const version = spawnSync('terraform', ['version', '-json'], { encoding: 'utf8' });
  if (version.status !== 0) return say('terraform: not on PATH, skipped');
  const server = spawn(process.execPath, [join(HERE, 'serve.mjs'), values.devices], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  const state = await serveState(await rowsOf(url));
  const forms = ['output', 'resource'].map((form) => [form, writeTerraform(state.url, form)]);
  const own = writeDocuments(url);
  for (const [, place] of forms) runTerraform(place, 'init', '-input=false');
  const took = { own: [], output: [], resource: [] };
  for (let run = 0; run < Number(values.runs); run += 1) {
    for (const [form, place] of forms) took[form].push(await runPeer(place));
    took.own.push((await timed([MAIN, 'plan', '--quiet'], own)).wall);
  }
  state.close();
  server.stdin.end();
  const name = `Terraform ${JSON.parse(version.stdout).terraform_version}, one data source`;
  say(
    `| ${Number(values.devices).toLocaleString('en')} devices | median, wall | least | times \`fleetform plan\` |`,
  );
  say('| --- | --- | --- | --- |');
  const row = (title, seconds) => {
    const ratio = median(seconds.map((each, run) => each / took.own[run]));
    say(
      `| ${title} | ${median(seconds).toFixed(2)} s | ${Math.min(...seconds).toFixed(2)} s | ${ratio.toFixed(1)} |`,
    );
  };
  row('`fleetform plan`', took.own);
  row(`${name}, changes as one output`, took.output);
  row(`${name}, one planned resource for each change`, took.resource);
}

async function rowsOf(url) {
  const rows = [];
  for (let offset = 0; offset < Number(values.devices); offset += 1_000) {
    const page = await (await fetch(`${url}/v1/devices?limit=1000&offset=${offset}`)).json();
    for (const { id, name, vendor, model, firmwareVersion } of page.devices)
      rows.push({ id, name, vendor, model, firmwareVersion });
  }
  return rows;
}

async function serveState(rows) {
  const fields = {
    id: 'string',
    name: 'string',
    vendor: 'string',
    model: 'string',
    firmwareVersion: 'string',
  };
  const text = JSON.stringify({
    version: 4,
    terraform_version: '1.0.0',
    serial: 1,
    lineage: 'bench',
    outputs: { devices: { value: rows, type: ['list', ['object', fields]] } },
    resources: [],
  });
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

function writeTerraform(url, form) {
  const place = join(folder, `terraform-${form}`);
  mkdirSync(place);
  writeFileSync(
    join(place, 'main.tf'),
    `data "terraform_remote_state" "fleet" {
  backend = "http"
  config = { address = "${url}" }
}
locals {
  changes = [for device in data.terraform_remote_state.fleet.outputs.devices : {
    id = device.id, name = device.name, from = device.firmwareVersion, to = "${WANTED}"
  } if device.vendor == "Axis" && device.firmwareVersion != "${WANTED}"]
}
${form === 'output' ? OUTPUT : RESOURCES}`,
  );
  return place;
}

function writeDocuments(url) {
  const place = join(folder, 'own');
  mkdirSync(join(place, 'fleet'), { recursive: true });
  writeFileSync(
    join(place, 'fleet', 'fleet.yaml'),
    `service: {baseUrl: "${url}", organization: acme, pace: {requestsPerSecond: 100000, tokenRequestsPerMinute: 600}, ledger: {store: directory, path: ledger}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 10000000}}
firmware: {axis: {select: {vendor: Axis}, version: "${WANTED}", windows: anytime}}
`,
  );
  return place;
}

function runTerraform(cwd, ...args) {
  const { status, stderr } = spawnSync('terraform', args, { cwd, encoding: 'utf8', env: quiet() });
  if (status !== 0) throw new Error(`terraform ${args.join(' ')}: ${stderr}`);
}

function quiet() {
  return { PATH: process.env.PATH, HOME: folder, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
}

/** Wall seconds. The state is served by this process, so it must not be blocked meanwhile. */
async function runPeer(cwd) {
  const started = performance.now();
  const child = spawn('terraform', ['plan', '-input=false', '-lock=false'], {
    cwd,
    env: quiet(),
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`terraform plan ended with ${code}`);
  return (performance.now() - started) / 1_000;
}

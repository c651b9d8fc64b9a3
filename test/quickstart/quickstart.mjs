// The whole road in under a minute: a simulated service with 1,000 devices, and the real command line against it, each
// command a process of its own over HTTP. `npm run quickstart`
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist', 'main.js');
const TIME_SCALE = '1200';
const FLEET = ['--devices', '1000', '--sites', '12', '--seed', '1'];

const folder = mkdtempSync(join(tmpdir(), 'fleetform-quickstart-'));
const started = performance.now();
let twin;

try {
  say('A folder with the example documents, and a simulated service to try them on.');
  copyFleet();
  twin = await startTwin();
  const failed = await tour();
  closing(failed);
  process.exitCode = failed ? 1 : 0;
} finally {
  twin?.process.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** The documents of this repository; only the pace is changed, which the simulated service does not need. */
function copyFleet() {
  cpSync(join(ROOT, 'fleet'), join(folder, 'fleet'), { recursive: true });
  for (const name of readdirSync(join(folder, 'fleet'), { recursive: true })) {
    if (!/\.ya?ml$/.test(name)) continue;
    const path = join(folder, 'fleet', name);
    const text = readFileSync(path, 'utf8').replace(
      /^  pace: .*$/m,
      '  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 60, pollEvery: 1s}',
    );
    writeFileSync(path, text);
  }
}

async function startTwin() {
  const child = spawn(
    process.execPath,
    [MAIN, 'twin', '--port', '0', ...FLEET, '--time-scale', TIME_SCALE, '--format', 'json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(createInterface({ input: child.stdout }));
  const { url, organization, users } = JSON.parse(line);
  const admin = users.find((user) => user.role === 'admin');
  say(`The service listens on ${url}; the organisation is ${organization}.`);
  return { process: child, url, admin };
}

function once(lines) {
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => resolve([line]));
    lines.once('close', () => reject(new Error('the simulated service ended before it was ready')));
  });
}

/** Returns whether a step went wrong. */
async function tour() {
  const steps = [
    ['Are the documents in order?', ['validate'], [0]],
    ['What would be done, and why? Saved for review.', ['plan', '-o', 'plan.json'], [0]],
    ['The saved plan, as a reviewer reads it.', ['show', 'plan.json'], [0]],
    ['Do it, and verify each device.', ['apply', 'plan.json', '--yes'], [0]],
    ['Once more: is anything left to do?', ['plan', '--detailed-exitcode'], [0]],
  ];
  for (const [title, args, expected] of steps) {
    heading(title, args);
    const code = await fleetform(args);
    if (expected.includes(code)) continue;
    say(`\nThis step ended with exit code ${code}; expected was ${expected.join(' or ')}.`);
    return true;
  }
  return false;
}

function fleetform(args) {
  const {
    FLEETFORM_CLIENT_ID: _id,
    FLEETFORM_CLIENT_SECRET: _secret,
    CI: _ci,
    ...env
  } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ...env,
      FLEETFORM_BASE_URL: twin.url,
      FLEETFORM_CLIENT_ID: twin.admin.clientId,
      FLEETFORM_CLIENT_SECRET: twin.admin.clientSecret,
    },
  });
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
}

function heading(title, args) {
  say(`\n── ${title}\n$ fleetform ${args.join(' ')}\n`);
}

function closing(failed) {
  const seconds = Math.round((performance.now() - started) / 1000);
  if (failed) return say(`\nThe quickstart failed after ${seconds} s.`);
  say(`
Done in ${seconds} s: documents checked, plan reviewed, tasks done, every device read back.

What to try next
  npx fleetform twin                     the same service, for as long as you like; it prints how to log in
  npx fleetform get devices --filter status=offline
  npx fleetform why DEVICE               every policy that touches a device, winners and losers
  edit fleet/*.yaml, then: npx fleetform validate && npx fleetform plan
  npx fleetform --help`);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

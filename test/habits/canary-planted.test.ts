import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLIENT_SECRETS, isSecretsFound, PAYLOAD_SECRET } from '../support/canary.ts';
import { searchNow, traceOf, writtenOf } from '../support/canary-run.ts';
import { settleWatched } from '../support/canary-watch.ts';
import { createSteps } from '../support/rehearsal-steps.ts';
import { createWorld, readRehearsal } from '../support/rehearsal-world.ts';
import { scratchFolder } from '../support/scratch.ts';
import { sources } from './sources.ts';

/** Folders that make a temporary folder themselves, and search it. */
const OWN_FOLDERS = /^test\/(support|tools|package|chaos|crash|habits)\//;

/** Whether a secret is found, without a line in the sum of `npm test`. */
function complains(settle: () => void): boolean {
  const report = process.env['FLEETFORM_CANARIES'];
  delete process.env['FLEETFORM_CANARIES'];
  try {
    settle();
    return false;
  } catch (error) {
    return isSecretsFound(error);
  } finally {
    if (report !== undefined) process.env['FLEETFORM_CANARIES'] = report;
  }
}

it('the worlds that are lived through have a secret in their payloads, which the service gets', async () => {
  const rehearsal = readRehearsal('three-tasks');
  const world = createWorld(rehearsal.script);
  const take = createSteps(rehearsal, world);
  for (const run of rehearsal.script.runs) await take(run, { process: 1 });
  const { tasks } = world.twin.world.state;
  expect(JSON.stringify(tasks)).toContain(JSON.stringify(PAYLOAD_SECRET));
  expect(writtenOf(world.store.records)).not.toContain('payload');
});

it.each([
  ['a ledger', () => writtenOf([{ body: { why: PAYLOAD_SECRET } }])],
  ['a trace', () => traced(`Basic ${btoa(`a:${CLIENT_SECRETS.admin}`)}`)],
  ['the cause of an error in a report', () => reported(CLIENT_SECRETS.admin)],
])('what a life leaves behind is searched at once: %s', (name, text) => {
  expect(complains(() => searchNow([{ name, text: text() }]))).toBe(true);
  expect(complains(() => searchNow([{ name, text: 'clean' }]))).toBe(false);
});

function traced(line: string): string {
  const trace = traceOf();
  trace.line(line);
  return trace.text();
}

function reported(secret: string): string {
  return writtenOf({ failure: new Error('no answer', { cause: new Error(secret) }) });
}

it('a temporary folder of tests is searched when they have ended, but for what a test wrote', () => {
  const folder = scratchFolder('canary', ['given']);
  writeFileSync(join(folder, 'given'), CLIENT_SECRETS.admin);
  expect(complains(settleWatched)).toBe(false);
  const another = scratchFolder('canary', ['given']);
  writeFileSync(join(another, 'made'), CLIENT_SECRETS.admin);
  expect(complains(settleWatched)).toBe(true);
  expect(() => readFileSync(join(another, 'made'))).toThrow('ENOENT');
});

it('no file of tests has a temporary folder that nobody searches', () => {
  const tests = sources('test').filter(({ path }) => !OWN_FOLDERS.test(path));
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.filter(({ text }) => text.includes('mkdtemp')).map(({ path }) => path)).toEqual([]);
});

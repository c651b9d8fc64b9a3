import { readFileSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { ProgressEvent } from '../../../src/model/progress.ts';
import type { RunEvent } from '../../../src/model/report/output.gen.ts';
import { RunEvents } from '../../../src/shell/run-events.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';
import { NOW } from '../../support/render-plan.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const step = (n: number): ProgressEvent => ({
  type: 'task.progress',
  device: `dev-${n}`,
  step: 'downloading',
});
const stop: ProgressEvent = { type: 'stop.tripped', scope: 'fleet', rule: 'canary', counts: {} };

/** Events for a receiver that is patient, or whose patience ends at once. */
function streamTo(receive: (event: RunEvent) => unknown, isLate = false) {
  const virtual = createVirtualClock(NOW);
  const never = (): Promise<void> => new Promise(() => undefined);
  const clock = isLate ? virtual : { ...virtual, sleep: never };
  return { clock, events: new RunEvents(receive, clock, 'apply') };
}

it('a receiver that never comes back holds the end of a run for ten seconds, and is called once', async () => {
  const heard: RunEvent[] = [];
  const { clock, events } = streamTo((event) => {
    heard.push(event);
    return new Promise(() => undefined);
  }, true);
  events.start('acme', undefined);
  events.take(stop);
  expect(await events.end(0)).toBe(false);
  expect([heard.map(({ type }) => type), clock.sleeps]).toEqual([['run.started'], [10_000]]);
});

it('more than 10,000 events leave out the oldest steps alone, and say how many', async () => {
  const heard: RunEvent[] = [];
  const { events } = streamTo((event) => heard.push(event));
  for (let n = 0; n < 10_050; n += 1) events.take(step(n));
  for (let n = 0; n < 20_000; n += 1) events.take({ ...stop, scope: `firmware.p${n}` });
  events.start('acme', 'abc');
  expect(await events.end(7, 'wait')).toBe(true);
  const told = heard.map(({ type }) => type);
  expect(heard[1]).toMatchObject({ type: 'dropped', count: 10_050 });
  expect(told).not.toContain('task.progress');
  expect(told.filter((type) => type === 'stop.tripped')).toHaveLength(20_000);
  expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, index) => index + 1));
  expect(heard.at(-1)).toMatchObject({ type: 'run.ended', exit: 7, next: 'wait' });
});

it('a device tells its step once in half a minute, and a wait is told once', async () => {
  const heard: RunEvent[] = [];
  const { clock, events } = streamTo((event) => heard.push(event));
  events.start('acme', undefined);
  const wait = { type: 'waiting', reason: 'window', until: NOW + 60_000 } as const;
  for (const ms of [0, 10_000, 10_000, 10_000]) {
    clock.advance(ms);
    events.take(step(1));
    events.take(wait);
    events.take({ ...wait, reason: 'poll' });
  }
  await events.end(0);
  const told = heard.map(({ type }) => type);
  expect(told).toEqual(['run.started', 'task.progress', 'waiting', 'task.progress', 'run.ended']);
});

it('a run that ends before its documents are read is told from its start to its end', async () => {
  const heard: RunEvent[] = [];
  const { events } = streamTo((event) => heard.push(event));
  await events.end(1);
  expect(heard).toMatchObject([
    { v: 1, seq: 1, type: 'run.started', organization: '', command: 'apply' },
    { v: 1, seq: 2, type: 'run.ended', organization: '', exit: 1 },
  ]);
});

const SCHEMAS = new URL('../../../schemas/', import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8')) as object;

it.each([
  'failing-device',
  '80-P8-stopped-at-the-canary',
  'window-closes',
  'lost-request-in-doubt',
])('the events of %s are as their schema says', async (name) => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addSchema(read('plan.schema.json'));
  for (const file of readdirSync(new URL('output/', SCHEMAS)))
    if (/^(common|event)/.test(file)) ajv.addSchema(read(`output/${file}`));
  const check = ajv.getSchema('https://schemas.fleetform.example/output/event.schema.json');
  const rehearsal = readRehearsal(name);
  const world = createWorld(rehearsal.script);
  const heard: RunEvent[] = [];
  const events = new RunEvents((event) => heard.push(event), world.clock, 'apply');
  events.start('acme', undefined);
  const { report } = await runOnce(rehearsal, world, { process: 1, onProgress: events.take });
  if (report) events.settle(report, '');
  await events.end(0);
  for (const event of heard)
    expect([event.type, check?.(event), check?.errors]).toEqual([event.type, true, null]);
  expect(new Set(heard.map(({ type }) => type))).toContain('change.ended');
});

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as library from '../../../src/index.ts';
import { COMMANDS } from '../../../src/cli/table.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';
import { scratchFolder } from '../../support/scratch.ts';
import type { TwinOptions } from '../../../src/twin/twin.ts';
import { rig } from '../../support/twin-rig.ts';
import { overFetch } from '../../../src/model/http.ts';
import type { HttpRequest } from '../../../src/model/ports.ts';

const DOCUMENTS = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
restarts:
  dark: {when: {status: offline, for: 20m}, select: {deviceType: camera}, windows: anytime}
`;

const FROZEN = `freezes:
  all: {from: "2026-01-01T00:00:00", to: "2099-01-01T00:00:00", timeZone: UTC, hard: true, reason: r, owner: o, ticket: T-1}
`;

function fleet(
  name: string,
  { more = '', ...options }: Partial<TwinOptions> & { readonly more?: string } = {},
): library.FleetOptions & { readonly directory: string } {
  const directory = scratchFolder(name);
  mkdirSync(join(directory, 'fleet'));
  writeFileSync(join(directory, 'fleet/fleet.yaml'), DOCUMENTS + more);
  const { twin } = rig({ devices: 40, ...options });
  return {
    directory,
    env: { FLEETFORM_CLIENT_ID: 'a', FLEETFORM_CLIENT_SECRET: CLIENT_SECRETS.admin },
    transport: overFetch((request) => twin.handle(request)),
  };
}

/** Steps of jobs, what serves until it is stopped, what prints a file of the package, and what is about the command line itself. */
const NOT_FUNCTIONS = ['twin', 'completion', 'advanced', 'ci', 'ledger', 'ledger schema'];

/** Commands whose function has another name. */
const NAMES: Readonly<Record<string, string>> = {
  import: 'importFleet',
  'audit verify': 'auditVerify',
  'ledger move': 'ledgerMove',
  'init incident': 'initIncident',
};

it('every command that is not a step of a job is a function of the library', () => {
  const names = COMMANDS.flatMap(([, all]) => all.map(({ name }) => name));
  const missing = names
    .filter((name) => !name.startsWith('ci ') && !NOT_FUNCTIONS.includes(name))
    .filter((name) => typeof Reflect.get(library, NAMES[name] ?? name) !== 'function');
  expect(missing).toEqual([]);
});

describe('an operation of the library', () => {
  it('pauses, explains, lifts and audits as the command line does', async () => {
    const options = fleet('library-operations');
    const scope = 'restarts.dark';
    const paused = await library.pause({ ...options, scope, reason: 'network work', by: 'Ada' });
    expect(paused).toMatchObject({ exit: 0, output: { version: 1, paused: [{ who: 'Ada' }] } });
    const { output } = await library.why({ ...options, name: 'dev-1' });
    expect(output).toMatchObject({ version: 1, device: { id: 'dev-1' } });
    const lines = await library.why({ ...options, name: 'fleet/fleet.yaml:6' });
    expect(lines.output).toMatchObject({ at: { policy: scope } });
    const lifted = await library.unpause({ ...options, scope, reason: 'done', by: 'Ada' });
    expect(lifted).toMatchObject({ exit: 0, output: { lifted: [{ scope, what: 'pause' }] } });
    expect((await library.auditVerify(options)).output).toMatchObject({ result: 'parts' });
    expect((await library.audit(options)).output).toMatchObject({ version: 1 });
    expect((await library.drift(options)).output).toMatchObject({
      drifted: 0,
    });
  });

  it('reads rows of the service or of a snapshot that a plan saved', async () => {
    const { transport, ...offline } = fleet('library-rows');
    const plan = await library.plan({
      ...offline,
      ...(transport && { transport }),
      saveSnapshot: 'a.snapshot',
    });
    // As `plan --format json` prints it.
    const json = JSON.parse(await library.renderPlan(plan, 'json')) as typeof plan;
    expect(plan.policies.length).toBeGreaterThan(0);
    expect([plan.outcome, plan.policies]).toEqual([json.outcome, json.policies]);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(json);
    expect([...plan.changes]).toHaveLength(plan.changes.length);
    const resource = 'devices';
    const { output } = await library.get({ ...offline, snapshot: 'a.snapshot', resource });
    expect(output).toMatchObject({ items: expect.arrayContaining([]) as [] });
    const csv = await library.get({ ...offline, snapshot: 'a.snapshot', resource, format: 'csv' });
    expect(String(csv.output).split('\n')[0]).toContain('id');
    for (const format of ['text', 'md', 'html', 'json'] as const)
      expect(await library.renderPlan(plan, format)).toContain(plan.id);
    await library.writePlan('plan.json', plan, offline);
    const saved = await library.readPlan('plan.json', offline);
    expect(JSON.parse(JSON.stringify(saved))).toEqual(json);
    const shown = await library.show({ ...offline, file: 'plan.json', format: 'md' });
    expect(shown.output).toBe(await library.renderPlan(plan, 'md'));
  });

  it.each([
    ['without what it must have', () => library.pause({}), 'Option "reason" is required'],
    ['without its argument', () => library.withdraw({ reason: 'r' }), 'Option "scope" is required'],
    [
      'with a word that is none',
      () => library.get({ resource: 'cameras' }),
      'write one of devices,',
    ],
    [
      'with a time that is none',
      () => library.why({ name: 'a', maxAge: 'long' }),
      'one of s, m, h, d, w',
    ],
  ])('%s is refused as the command line refuses it', async (_, call, message) => {
    await expect(call()).rejects.toMatchObject({
      code: 'usage',
      params: { message: expect.stringContaining(message) as string },
    });
  });

  it('fails with the code of the failure', async () => {
    const options = fleet('library-unknown');
    const found = library.explain({ field: 'firmware.version.colour' });
    await expect(found).rejects.toMatchObject({ code: 'fieldUnknown' });
    const pause = library.pause({ ...options, scope: 'restarts.drak', reason: 'r', by: 'Ada' });
    await expect(pause).rejects.toMatchObject({ code: 'policyUnknown' });
    await expect(library.ledgerMove({ ...options, reason: 'r' })).resolves.toMatchObject({
      exit: 0,
    });
  });
});

describe('a transport of the caller that throws', () => {
  /** Its first request that fits throws what `fetch` throws, before or after the service has it. */
  function failing(name: string, fits: (request: HttpRequest) => boolean) {
    const options = fleet(name);
    const asked: string[] = [];
    const transport: library.FleetOptions['transport'] = (request) => {
      asked.push(request.url);
      const isFirst = fits(request) && asked.filter((url) => url === request.url).length === 1;
      if (isFirst) throw new TypeError('fetch failed');
      return options.transport?.(request) ?? Promise.reject(new Error('no service'));
    };
    return { ...options, transport, asked };
  }

  it('has its reads repeated (protocol Y7)', async () => {
    const { asked, ...options } = failing('library-read', ({ url }) => url.includes('/devices?'));
    expect((await library.get({ ...options, resource: 'devices' })).exit).toBe(0);
    expect(asked.filter((url) => url.includes('/devices?'))).toHaveLength(2);
  });

  it('ends a call that gets no answer at all with a WorldError', async () => {
    const { transport: _, ...options } = fleet('library-dark');
    const refused = Object.assign(new Error('no way'), { code: 'ECONNREFUSED' });
    const asked = library.plan({ ...options, transport: () => Promise.reject(refused) });
    await expect(asked).rejects.toBeInstanceOf(library.WorldError);
    await expect(asked).rejects.toMatchObject({ code: 'unreachable' });
  });
});

it('import and init create the directory that they describe a fleet in', async () => {
  const { directory, ...options } = fleet('library-empty');
  const flags = { ...options, organization: 'acme', timeZone: 'Europe/Berlin' };
  const service = 'https://twin.test';
  const adopted = join(directory, 'adopted');
  const dry = await library.importFleet({ ...flags, service, directory: adopted, dryRun: true });
  expect([dry.files.length > 0, existsSync(adopted)]).toEqual([true, false]);
  const { files } = await library.importFleet({ ...flags, service, directory: adopted });
  expect(files.map(({ path }) => existsSync(join(adopted, path)))).not.toContain(false);
  const first = join(directory, 'first');
  const { output } = await library.init({ ...flags, service, directory: first });
  expect(output.written.map((path) => existsSync(join(first, path)))).not.toContain(false);
});

it('onEvent of a run hears it from its start to its end', async () => {
  // A run has the clock of its machine, and stops at a service with another one.
  const options = fleet('library-events', { more: FROZEN, clock: { now: Date.now } });
  const heard: library.RunEvent[] = [];
  const onEvent = (event: library.RunEvent): void => {
    heard.push(event);
    throw new Error('a receiver');
  };
  const { exit, report } = await library.apply({ ...options, onEvent });
  expect(heard[0]).toMatchObject({ type: 'run.started', organization: 'acme', command: 'apply' });
  expect(heard.at(-1)).toMatchObject({ type: 'run.ended', exit, counts: report.counts });
  expect(heard.filter(({ type }) => type === 'change.ended')).toHaveLength(report.endings.length);
});

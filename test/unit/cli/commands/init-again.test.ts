import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { init } from '../../../../src/cli/commands/init.ts';
import {
  createPlace,
  createShell,
  findings,
  FLAGS,
  type InitFlags,
} from '../../../support/init-place.ts';
import { USERS } from '../../../support/twin-rig.ts';

describe('init again', () => {
  it('keeps what is there and writes what is missing', async () => {
    const place = createPlace();
    await init.run(FLAGS, createShell(place));
    rmSync(join(place, '.github'), { recursive: true });
    writeFileSync(join(place, 'fleet/sites.yaml'), 'mine\n');
    const again = createShell(place);
    expect(await init.run(FLAGS, again)).toBe(0);
    const { written, existing } = JSON.parse(again.said());
    expect(existing).toEqual(['fleet/service.yaml', 'fleet/sites.yaml', 'fleet/policies.yaml']);
    expect(written).toContain('.github/workflows/fleet-plan.yml');
    expect(written).not.toContain('.gitignore');
    expect(readFileSync(join(place, 'fleet/sites.yaml'), 'utf8')).toBe('mine\n');
  });

  it('replaces with --force what nobody edited, also of an earlier version', async () => {
    const place = createPlace('main');
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
        cwd: place,
      });
    const path = (name: string): string => join(place, `.github/workflows/fleet-${name}.yml`);
    const read = (name: string): string => readFileSync(path(name), 'utf8');
    await init.run(FLAGS, createShell(place));
    // Earlier versions wrote no digest: git knows whether a person edited such a file since.
    for (const name of ['drift', 'move'])
      writeFileSync(path(name), read(name).replace(/# fleetform init: \w+\n$/, '# earlier\n'));
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(path('move'), `${read('move')}# mine\n`);
    writeFileSync(
      path('apply'),
      read('apply').replace('timeout-minutes: 10', 'timeout-minutes: 11'),
    );
    const [apply, move] = [read('apply'), read('move')];
    const again = createShell(place);
    expect(await init.run({ ...FLAGS, force: true }, again)).toBe(0);
    const { existing } = JSON.parse(again.said());
    for (const name of ['apply', 'move'])
      expect(existing).toContain(`.github/workflows/fleet-${name}.yml`);
    expect(existing).toContain('fleet/service.yaml');
    expect(existing).not.toContain('.github/workflows/fleet-plan.yml');
    expect([read('apply'), read('move')]).toEqual([apply, move]);
    expect(read('drift')).not.toContain('# earlier');
  });

  it('says on a second run which flags change nothing, and what is still to fill in', async () => {
    const place = createPlace();
    expect(await init.run(FLAGS, createShell(place))).toBe(0);
    const shell = createShell(place);
    const given = { organization: 'twin-org', timeZone: 'Europe/Berlin' };
    const flags = { ...FLAGS, approval: 'commit', ...given } as const;
    expect(await init.run(flags, shell)).toBe(0);
    expect(JSON.parse(shell.said())).toMatchObject({
      written: [],
      sites: 0,
      unasked: [],
      unused: ['--organization', '--time-zone'],
      fillIn: ['service.baseUrl', 'service.organization', 'sites.*.timeZone'],
    });
    const service = join(place, 'fleet/service.yaml');
    writeFileSync(service, readFileSync(service, 'utf8').replace('acme # FILL IN', 'twin-org'));
    const after = createShell(place);
    expect(await init.run({ ...FLAGS, format: 'text' }, after)).toBe(0);
    expect(after.said()).toContain('Replace each FILL IN: service.baseUrl, sites.*.timeZone.');
    expect(after.said()).not.toContain('without effect');
  });

  it('writes the gate that the documents want, and no second file of their sites', async () => {
    const place = createPlace('main');
    mkdirSync(join(place, 'fleet'));
    const documents = `service:
  baseUrl: https://api.acme.example
  organization: acme
  approval: {is: plan}
sites: {A: {timeZone: Europe/Berlin}}
`;
    writeFileSync(join(place, 'fleet/fleet.yaml'), documents);
    const shell = createShell(place);
    expect(await init.run(FLAGS, shell)).toBe(0);
    const { written, fillIn } = JSON.parse(shell.said());
    expect(written).toContain('.github/workflows/fleet-approve.yml');
    expect(written.filter((path: string) => path.startsWith('fleet/'))).toEqual([
      'fleet/policies.yaml',
    ]);
    expect(fillIn).toEqual([]);
    const again = createShell(place);
    expect(await init.run({ ...FLAGS, approval: 'plan' }, again)).toBe(0);
    expect(JSON.parse(again.said()).unused).toEqual([]);
  });

  it('names what comes next: what describes another fleet, what is to fill in, to check, to commit', async () => {
    const place = createPlace('main');
    const next = async (flags: Partial<InitFlags> = {}): Promise<string | undefined> => {
      const { ci: _, ...plain } = FLAGS;
      const shell = createShell(place);
      await init.run({ ...plain, ...flags, format: 'text' }, shell);
      return /\nnext: (.*)\n$/.exec(shell.said())?.[1];
    };
    const earlier = { service: 'https://twin.example', organization: 'twin-org' };
    expect(await next(earlier)).toBe('replace each FILL IN, then `fleetform import`');
    const sites = join(place, 'fleet/sites.yaml');
    writeFileSync(sites, 'sites:\n  A: {timeZone: Europe/Berlin} # check\n');
    expect(await next()).toBe('check the time zones in sites.yaml, then `fleetform import`');
    writeFileSync(sites, 'sites: {A: {timeZone: Europe/Berlin}}\n');
    expect(await next()).toBe('`fleetform import`');
    const policy = 'firmware: {a: {select: {vendor: Axis}, version: approved, windows: nights}}\n';
    writeFileSync(join(place, 'fleet/mine.yaml'), policy);
    expect(await next()).toBe('`fleetform plan`');
    expect(await next({ ci: 'github' })).toBe(
      'commit and push what was written, then `fleetform plan`',
    );
    const why = 'until: "2026-12-31T00:00:00Z", reason: r, owner: o, ticket: T-1';
    writeFileSync(
      join(place, 'fleet/exceptions.yaml'),
      `exceptions: {x: {type: hold, select: {device: [dev-1]}, ${why}}}\n`,
    );
    expect(await next({ service: 'https://api.acme.example' })).toBe(
      'delete or keep those 3 files, then `fleetform init`',
    );
  });

  it('changes with --service the address, with --organization beside it what unedited jobs pin', async () => {
    const place = createPlace('main');
    const read = (name: string): string => readFileSync(join(place, name), 'utf8');
    const drift = '.github/workflows/fleet-drift.yml';
    await init.run({ ...FLAGS, service: 'https://twin.example' }, createShell(place));
    writeFileSync(join(place, drift), `${read(drift)}# mine\n`);
    const shell = createShell(place);
    const flags = { ...FLAGS, service: 'https://api.acme.example', organization: 'own' };
    expect(await init.run(flags, shell)).toBe(0);
    const said = JSON.parse(shell.said());
    expect([said.changed, said.unused]).toEqual([['fleet/service.yaml'], []]);
    expect(said.existing).toContain(drift);
    const listed = [said.written, said.changed, said.existing, said.described].flat();
    expect(listed).toEqual([...new Set(listed)]);
    expect(read('fleet/service.yaml')).toContain('baseUrl: "https://api.acme.example"');
    expect(read('fleet/service.yaml')).toMatch(/organization: "own"$/m);
    expect(read('.github/workflows/fleet-apply.yml')).toContain('FLEETFORM_ORGANIZATION: "own"');
    expect(read(drift)).not.toContain('FLEETFORM_ORGANIZATION');
    const again = createShell(place);
    expect(await init.run(flags, again)).toBe(0);
    expect(JSON.parse(again.said())).toMatchObject({ changed: [], unused: [] });
  });

  it('reads the sites of the service that its documents name, where credentials alone are set', async () => {
    const place = createPlace();
    mkdirSync(join(place, 'fleet'));
    writeFileSync(
      join(place, 'fleet/service.yaml'),
      'service: {baseUrl: http://127.0.0.1, organization: acme}\n',
    );
    // A simulator of this folder that does not answer is of another service.
    mkdirSync(join(place, '.fleetform'));
    const away = { id: 'w', url: 'http://127.0.0.1:9', organization: 'x' };
    writeFileSync(
      join(place, '.fleetform/twin.json'),
      JSON.stringify({ ...away, clientId: 'a', clientSecret: 'b' }),
    );
    const shell = createShell(place, {
      FLEETFORM_CLIENT_ID: 'a',
      FLEETFORM_CLIENT_SECRET: USERS[0]?.clientSecret,
    });
    expect(await init.run(FLAGS, shell)).toBe(0);
    expect(JSON.parse(shell.said())).toMatchObject({ sites: 4, unasked: [] });
  });

  it('writes no document that repeats an entry of one that is there', async () => {
    const place = createPlace();
    mkdirSync(join(place, 'fleet'));
    const text =
      'service: {baseUrl: https://api.example.com, organization: acme}\nguardrails: {default: {maxPercentOfFleet: 10%}}\n';
    writeFileSync(join(place, 'fleet/mine.yaml'), text);
    const shell = createShell(place);
    expect(await init.run(FLAGS, shell)).toBe(0);
    const { written } = JSON.parse(shell.said());
    expect(written).toContain('fleet/sites.yaml');
    expect(written).not.toContain('fleet/service.yaml');
    expect(written).not.toContain('fleet/policies.yaml');
    expect(await findings(place)).toEqual([]);
  });

  it('adds the lines that .gitignore lacks, once', async () => {
    const place = createPlace();
    writeFileSync(join(place, '.gitignore'), 'node_modules');
    await init.run(FLAGS, createShell(place));
    await init.run({ ...FLAGS, force: true }, createShell(place));
    expect(readFileSync(join(place, '.gitignore'), 'utf8')).toBe(
      'node_modules\n.fleetform/\n.env\n*.snapshot\nplan*.json\nfleetform-*.json\nfleetform-*.html\n',
    );
  });
});

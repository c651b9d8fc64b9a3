import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { expectQuietEnd } from '../support/blackbox-reader.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const place = createPlace();
let twin: TwinProcess;

beforeAll(async () => {
  twin = await startTwin(place, { devices: 300 });
}, PATIENCE.timeout);
afterAll(() => place[Symbol.dispose]());

describe.concurrent('the command line', PATIENCE, () => {
  it.each([
    ['an unknown flag', 'plan --bogus', '--bogus'],
    ['an option of another command', 'recover --wait 45m', '--wait'],
    ['a port that is none', 'twin --port 99999', '65535'],
    ['a flag of another tool', 'plan --dry-run', 'Run `fleetform plan`: it changes nothing.'],
    ['its own word for yes', 'apply -auto-approve', 'next: Write `--yes`.'],
    ['its word for a part', 'apply -target=firmware.x', 'next: Write `--only POLICY`.'],
    ['the format as a file', 'plan -o json', 'For the format use --format json'],
    ['destroy', 'destroy', 'Remove the policy in a commit'],
    ['refresh', 'refresh', 'Run `fleetform plan`'],
    ['state', 'state list', 'Run `fleetform status`'],
    ['rollback', 'rollback', '`downgrade: allow`'],
  ])('refuses %s with exit 1 and says what it was', async (_, args, named) => {
    const { code, out, err } = await place.run(args, twin.as('admin'));
    expect([code, out]).toEqual([1, '']);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(named);
    expect(err.split(/^next:/m).length).toBeLessThanOrEqual(2);
    expect(err).not.toContain('bug:');
  });

  it('refuses in JSON mode with one JSON value on stdout', async () => {
    const { code, out } = await place.run('plan --bogus --format json', twin.as('admin'));
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'usage' } });
  });

  it('prints its version as a command, too', async () => {
    const [word, flag] = [await place.run('version'), await place.run('--version')];
    expect([word.code, word.out]).toEqual([0, flag.out]);
  });

  it('lists its commands in 80 columns, on stdout', async () => {
    const { code, out, err } = await place.run('--help');
    expect([code, err]).toEqual([0, '']);
    for (const name of ['validate', 'plan', 'show', 'why', 'apply', 'unpause', 'get', 'twin'])
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe.concurrent('streams', PATIENCE, () => {
  it('data goes to stdout and talk to stderr', async () => {
    const { out, err } = await place.run('plan --format json', twin.as('admin'));
    expect(() => JSON.parse(out) as unknown).not.toThrow();
    expect(err).toMatch(/^reading the fleet$/m);
    const table = await place.run('get devices --filter status=offline -o csv', twin.as('admin'));
    expect(table.err).toBe('');
    expect(table.out).toMatch(/^id,name,/);
  });

  it.each([
    [{}, false],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('with %j color leaves without a terminal: %s, and no credential ever', async (env, isSent) => {
    const { out, err } = await place.run('plan', { ...twin.as('admin'), ...env });
    expect(out.includes('\u001b')).toBe(isSent);
    const { FLEETFORM_CLIENT_SECRET: secret = '?' } = twin.as('admin');
    expect(`${out}${err}`).not.toContain(secret);
  });

  it.each(['plan --all', 'get devices -o ndjson'])(
    '%s ends quietly when its reader goes away',
    async (args) => {
      await expectQuietEnd(place, twin.as('admin'), args);
    },
  );
});

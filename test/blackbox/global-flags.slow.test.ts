import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { builtEntry } from '../support/blackbox-build.ts';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const place = createPlace();
afterAll(() => place[Symbol.dispose]());

describe('flags of every command', PATIENCE, () => {
  it('shows no progress with --quiet, before the command or behind it', async () => {
    const twin = await startTwin(place, { devices: 30 });
    const run = (args: string) => place.run(args, twin.as('admin'));
    expect((await run('plan')).err).toContain('reading the fleet');
    for (const args of ['-q plan', 'plan --quiet']) {
      const { code, err, out } = await run(args);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(/\nnext: .*\n$/);
    }
  });

  it('takes one dash for two, and writes no file of the rest of a word', async () => {
    const twin = await startTwin(place, { devices: 30 });
    const run = (args: string) => place.run(args, twin.as('admin'));
    const before = readdirSync(place.folder);
    expect((await run('plan -out=saved.json')).code).toBe(0);
    expect((await run('plan -outt=other.json')).err).toContain('Did you mean "--out"?');
    expect((await run('ci drift -o -')).err).toContain('only `plan -o -` is stdout');
    const { out } = await run('plan -o - --quiet');
    expect(JSON.parse(out)).toMatchObject({
      version: JSON.parse(place.read('saved.json')).version,
    });
    const added = readdirSync(place.folder).filter((name) => !before.includes(name));
    expect(added).toEqual(['saved.json']);
    const self = `"${process.execPath}" "${builtEntry()}"`;
    const shown = execFileSync('sh', ['-c', `${self} plan -o - -q | ${self} show -`], {
      cwd: place.folder,
      env: { ...process.env, ...twin.as('admin') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(shown).toContain('Plan ID');
  });

  it('prints the help where no command is named, and exits 0', async () => {
    for (const args of ['--no-color', 'ci', 'ci --quiet']) {
      const { code, out } = await place.run(args);
      expect([code, out]).toEqual([0, expect.stringContaining('Usage: fleetform')]);
    }
  });

  it('replaces no documents in a demo', async () => {
    const { code, err } = await place.run('twin --demo --keep .');
    expect([code, err]).toEqual([1, expect.stringContaining('error[fileExists]')]);
  });

  it('answers a mistyped command with the nearest one', async () => {
    expect((await place.run('pln')).err).toContain('Did you mean "plan"?');
    expect((await place.run('get devics')).err).toMatch(/Did you mean\s+"devices"\?/);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const place = createPlace();
afterAll(() => place[Symbol.dispose]());

describe('flags of every command', PATIENCE, () => {
  it('shows no progress with --quiet, before the command or behind it', async () => {
    const twin = await startTwin(place, { devices: 30 });
    const run = (args: string) => place.run(args, twin.as('admin'));
    expect((await run('plan')).err).toContain('reading devices');
    for (const args of ['-q plan', 'plan --quiet']) {
      const { code, err, out } = await run(args);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('Plan for');
    }
  });

  it('prints the help where no command is named, and exits 0', async () => {
    for (const args of ['--no-color', 'ci', 'ci --quiet']) {
      const { code, out } = await place.run(args);
      expect([code, out]).toEqual([0, expect.stringContaining('Usage: fleetform')]);
    }
  });

  it('replaces no documents in a demo', async () => {
    const { code, err } = await place.run('demo --keep .');
    expect([code, err]).toEqual([1, expect.stringContaining('error[fileExists]')]);
  });

  it('answers a mistyped command with the nearest one', async () => {
    expect((await place.run('pln')).err).toContain('Did you mean "plan"?');
    expect((await place.run('get devics')).err).toMatch(/Did you mean\s+"devices"\?/);
  });
});

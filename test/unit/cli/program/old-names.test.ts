import { describe, expect, it } from 'vitest';
import { findRenamed } from '../../../../src/cli/program/old-names.ts';
import { createNight } from '../../../support/night.ts';

describe('a name of an earlier version', () => {
  it.each([
    ['resume', 'recover', 'recover'],
    ['-q resume --watch 45m --take-over', '-q recover --watch 45m --take-over', 'recover'],
    ['resume --take-over --fleet other', 'recover --take-over --fleet other', 'recover'],
    ['resume firmware.axis --reason r', 'unpause firmware.axis --reason r', 'unpause'],
    ['resume --take-over fleet --reason r', 'unpause --take-over fleet --reason r', 'unpause'],
    ['resume --fleet=f fleet', 'unpause --fleet=f fleet', 'unpause'],
    ['resume --reason r', 'unpause --reason r', 'unpause'],
    ['who fleet/a.yaml:3 --all', 'why fleet/a.yaml:3 --all', 'why'],
    ['demo --keep my', 'twin --demo --keep my', 'twin --demo'],
    ['ci comment --fleet f --plan a b', 'ci publish --fleet f --plan a b', 'ci publish --plan'],
    ['ci outcome --run o', 'ci publish --to request --run o', 'ci publish --run'],
    ['ci issue --run o', 'ci publish --to issue --run o', 'ci publish --run'],
    ['ci issue --plan d', 'ci publish --drift d', 'ci publish --drift'],
    ['ci snapshot --artifact a', 'ci plan --find-snapshot --artifact a', 'ci plan --find-snapshot'],
    ['help who', 'help why', 'why'],
  ])('%s is %s', (old, now, write) => {
    const found = findRenamed(old.split(' '));
    expect([found?.argv.join(' '), found?.write]).toEqual([now, write]);
  });

  it.each(['plan', 'why who', 'get devices resume', '--help', ''])('%s is none', (line) => {
    expect(findRenamed(line.split(' '))).toBeUndefined();
  });

  it('works, and is told on stderr alone, in JSON mode too', async () => {
    const night = createNight({ devices: 3, sites: 1 });
    night.write(
      'fleet/fleet.yaml',
      'service: {baseUrl: "https://twin.test", organization: acme}\nsites: {HQ Berlin: {timeZone: Europe/Berlin}}\n',
    );
    const lines = ['resume', 'resume --reason seen', 'who fleet/fleet.yaml:1'];
    for (const line of lines) {
      const now = await night.run([
        ...(findRenamed(line.split(' '))?.argv ?? []),
        '--format',
        'json',
      ]);
      const old = await night.run(`${line} --format json`);
      const [, ...words] =
        /^Write `(fleetform .*)`: `(.*)` is its old name.*1\.0\.$/m.exec(old.err) ?? [];
      expect([old.exit, words[1]]).toEqual([now.exit, line.split(' ')[0]]);
      expect(old.out === '' || typeof JSON.parse(old.out) === 'object').toBe(true);
      expect(now.err).not.toContain('old name');
    }
  });
});

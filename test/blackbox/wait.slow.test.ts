import { mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/shell/clock.ts';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const MINUTE = 60_000;

it('stays for a window that opens in time, and ends with 7 where none does', PATIENCE, async () => {
  using place = createPlace();
  rmSync(place.path('fleet'), { recursive: true });
  mkdirSync(place.path('fleet'));
  place.write('fleet/fleet.yaml', documents(systemClock.now() + 30 * MINUTE));
  const twin = await startTwin(place, { devices: 20 });
  const short = await place.run('apply --yes --wait 5m', twin.as('admin'));
  expect(short.code, short.err).toBe(7);
  expect(short.err).not.toMatch(/^waiting:/m);
  const long = place.start('apply --yes --wait 2h', twin.as('admin'));
  await long.says(/^waiting: a window opens \(.* minutes, until .* UTC\)$/m);
  expect(place.ledger().at(-1)?.type).not.toBe('RELEASE');
  long.signal('SIGINT');
  expect((await long.done).code).toBe(7);
  expect(place.ledger().map(({ type }) => type)).not.toContain('ATTEMPT');
  expect(place.ledger().at(-1)?.type).toBe('RELEASE');
});

/** One policy whose window opens at that minute of the day. */
function documents(opens: number): string {
  const [from, to] = [opens, opens + 120 * MINUTE].map((at) =>
    new Date(at).toISOString().slice(11, 16),
  );
  return [
    'service: {baseUrl: https://api.example.com, organization: acme, pace: {requestsPerSecond: 100}}',
    `windows: {soon: {timeZone: UTC, cutoff: 10m, allow: [{from: "${from}", to: "${to}"}]}}`,
    'firmware: {axis: {select: {vendor: Axis}, version: approved, windows: soon}}',
    '',
  ].join('\n');
}

import { expect, it } from 'vitest';
import { changedSince, leakAt } from '../support/night-leak.ts';
import { EVENING } from '../support/night.ts';

/** The instant that a plan forecasts for the end of the incident; the year is that of the evening. */
function forecastIn(text: string): number {
  const said = /take until about \w+ (\d+ \w+) ([\d:]+) UTC/.exec(text.replaceAll(/\s+/g, ' '));
  return Date.parse(`${said?.[1]} ${new Date(EVENING).getUTCFullYear()} ${said?.[2]} UTC`);
}

it('N62 667 of 4,000 with 69 down: one plan, one apply, 598 verified, about when foretold', async () => {
  const night = leakAt({
    devices: 4_000,
    sites: 6,
    expect: 667,
    every: (_, n) => ({ condition: n < 58 ? 'dark' : 'well', maintenance: n >= 58 && n < 69 }),
  });
  const plan = await night.run('plan --only incidents.* -o plan.json');
  expect(plan.exit, plan.err).toBe(0);
  // A token, the sites, the sources and five pages: no single read (N11, class B).
  expect(plan.requests.filter((path) => path.startsWith('GET /v1/devices/'))).toEqual([]);
  expect(plan.requests.length).toBeLessThanOrEqual(10);
  expect(plan.out).toMatch(/selected: 5 now, 662 later/);
  expect(plan.out.replaceAll(/\s+/g, ' ')).toContain('598 of 667 devices take until about');
  const began = night.now();
  const apply = await night.run('apply plan.json --yes');
  expect([0, 7], apply.out).toContain(apply.exit);
  expect(apply.out).toContain(' 598 devices verified');
  expect(changedSince(night, EVENING)).toHaveLength(598);
  const foretold = forecastIn(plan.out) - began;
  // The forecast counts every read before and after a POST by itself; the run shares some of them.
  expect(apply.took / foretold).toBeGreaterThan(0.7);
  expect(apply.took / foretold).toBeLessThan(1.25);
  // Nobody else's password was changed, and no device had two tasks.
  const tasks = night.twin.world.state.tasks.flatMap(({ deviceTasks }) => deviceTasks);
  expect(new Set(tasks.map(({ deviceId }) => deviceId)).size).toBe(tasks.length);
  const again = await night.run('apply plan.json --yes');
  expect(again.out).not.toMatch(/tasks? sent/);
}, 600_000);

import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { DEFAULT_ROLLOUT } from '../../../src/model/documents/rollout-defaults.ts';

const SERVICE = 'service: {baseUrl: "https://api.example.com", organization: acme}\n';

function load(text: string) {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text: SERVICE + text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return documents;
}

describe('what documents mean', () => {
  it('an entry that says nothing of a rollout is the built-in one (semantics C8)', () => {
    expect(load('rollouts: {plain: {}}\n')?.rollouts.get('plain')?.value).toEqual(DEFAULT_ROLLOUT);
  });

  it('a part that is written keeps the defaults of what it does not say (semantics D4)', () => {
    const text = 'rollouts: {plain: {retry: {backoff: {factor: 3}}, timeouts: {running: {}}}}\n';
    const { retry, timeouts } = DEFAULT_ROLLOUT;
    expect(load(text)?.rollouts.get('plain')?.value).toEqual({
      ...DEFAULT_ROLLOUT,
      retry: { ...retry, backoff: { ...retry.backoff, factor: 3 } },
      timeouts,
    });
  });

  it('a written part of a restart is as if the rest of it were written, too', () => {
    const shared = 'select: {device: "*"}, windows: anytime';
    const restarts = load(
      `restarts: {a: {when: {status: offline}, ${shared}}, b: {when: {status: [offline], for: 20m}, priority: 500, ${shared}}}\n`,
    )?.restarts;
    const [a, b] = ['a', 'b'].map((name) => ({ ...restarts?.get(name)?.value, address: '' }));
    expect(a).toEqual(b);
    expect(a).toMatchObject({
      when: { for: 1_200_000, excludeMaintenanceMode: true },
      maxPerDevice: { count: 2, per: 604_800_000 },
      correlatedOutage: { percent: 30, within: 600_000 },
    });
  });
});

import { AT_ONCE } from '../../../src/lib/at-once.ts';
import { describe, expect, it } from 'vitest';
import { Health } from '../../../src/apply/health.ts';
import { mayPass, readEach } from '../../../src/apply/service-absence.ts';
import { WorldError, type WorldCode } from '../../../src/model/error.ts';
import { ClockDouble } from '../../support/store-double.ts';

const MINUTE = 60_000;
const PAGE = new WorldError('notJson');
const AWAY = new WorldError('unreachable', {}, { retry: 'safe' });

/** How long a run bears a service whose every round takes so long, and in how many rounds. */
function patience(
  roundMs: number,
  { answeredAt = 0, why = PAGE }: { answeredAt?: number; why?: WorldError } = {},
): { rounds: number; minutes: number } {
  const clock = new ClockDouble();
  const health = new Health(clock);
  if (answeredAt === 1) health.endAbsence();
  for (let rounds = 1; ; rounds += 1) {
    const began = clock.monotonic();
    clock.push(roundMs);
    if (rounds > 1 && rounds === answeredAt) health.endAbsence();
    try {
      health.countMissed(began, why);
    } catch {
      return { rounds, minutes: clock.monotonic() / MINUTE };
    }
  }
}

describe('how long a service may be away', () => {
  it.each([
    ['quick polling proves nothing', 5_000, { rounds: 120, minutes: 10 }],
    ['ten rounds at the least', 2 * MINUTE, { rounds: 10, minutes: 20 }],
    ['half an hour at the most', 16 * MINUTE, { rounds: 2, minutes: 32 }],
  ])('%s', (_why, roundMs, expected) => {
    expect(patience(roundMs)).toEqual(expected);
  });

  it('begins anew with every answer', () => {
    expect(patience(MINUTE, { answeredAt: 9 })).toEqual({ rounds: 18, minutes: 18 });
  });
});

describe('a service that nobody has heard of', () => {
  it.each<[WorldCode, number]>([
    ['unreachable', 1],
    ['timedOut', 1],
    ['tlsFailed', 1],
    ['proxyRefused', 1],
    ['tooManyRequests', 10],
    ['cut', 10],
  ])('%s ends a run that has begun nothing after %i rounds', (code, rounds) => {
    expect(patience(2 * MINUTE, { why: new WorldError(code) })).toMatchObject({ rounds });
  });

  it('is borne with where it has answered this run before', () => {
    expect(patience(2 * MINUTE, { why: AWAY, answeredAt: 1 })).toMatchObject({ rounds: 10 });
  });
});

describe('what may pass', () => {
  it.each<[WorldCode, boolean]>([
    ['notJson', true],
    ['cut', true],
    ['redirected', true],
    ['unexpectedShape', true],
    ['unexpectedStatus', true],
    ['forbidden', true],
    ['credentialsRefused', true],
    ['leaseLost', false],
    ['storeFailed', false],
    ['permissionsChanged', false],
    ['filterNotHonoured', false],
    ['clockSkew', false],
  ])('%s: %s', (code, expected) => {
    expect(mayPass(new WorldError(code))).toBe(expected);
  });

  it('a bug never', () => {
    expect(mayPass(new TypeError('x'))).toBe(false);
  });
});

describe('reading one after the other', () => {
  const read = (failures: Readonly<Record<string, Error>>) => async (item: string) => {
    const failure = failures[item];
    if (failure) throw failure;
    return item.toUpperCase();
  };

  it('leaves out what was badly answered', async () => {
    const values = await readEach(['a', 'b', 'c'], read({ b: PAGE }));
    expect([...values]).toEqual([
      ['a', 'A'],
      ['c', 'C'],
    ]);
  });

  it('takes a status for an answer about one, unless so many in a row fail with one', async () => {
    const down = new WorldError('unexpectedStatus', { status: 500 }, { retry: 'safe' });
    expect([...(await readEach(['a', 'b', 'c'], read({ a: down, c: down }))).keys()]).toEqual([
      'b',
    ]);
    const ids = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const failing = Object.fromEntries(ids.map((id) => [id, down]));
    const asked: string[] = [];
    const counting = (id: string) => {
      asked.push(id);
      return read(failing)(id);
    };
    await expect(readEach(ids, counting)).rejects.toBe(down);
    expect(asked.length).toBeGreaterThanOrEqual(10);
    expect(asked.length).toBeLessThan(10 + AT_ONCE);
  });

  it('fails where nobody answers, where every answer is bad, and with anything else', async () => {
    const bug = new TypeError('x');
    await expect(readEach(['a', 'b'], read({ b: AWAY }))).rejects.toBe(AWAY);
    await expect(readEach(['a'], read({ a: PAGE }))).rejects.toBe(PAGE);
    await expect(readEach(['a', 'b'], read({ b: bug }))).rejects.toBe(bug);
  });
});

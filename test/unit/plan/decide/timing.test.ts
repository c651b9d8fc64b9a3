import { describe, expect, it } from 'vitest';
import type {
  DecisionStep,
  Evaluation,
  RuleResult,
} from '../../../../src/plan/decide/decision-input.ts';
import { untilAllEnd } from '../../../../src/plan/decide/timing.ts';
import type { RotationPolicy } from '../../../../src/model/documents/policy.ts';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import { formatInstant } from '../../../../src/lib/time.ts';

const EVALUATION = {
  judgement: { is: 'due' },
  case: { policy: { section: 'firmware' } },
} as unknown as Evaluation;

function step(reason: Reason): DecisionStep {
  return { code: reason.code, check: (): RuleResult => ({ action: 'wait', reason }) };
}

function latest(reason: Reason, ...others: readonly Reason[]): Reason {
  return untilAllEnd({ action: 'wait', reason }, EVALUATION, others.map(step)).reason;
}

describe('the instant from which a held change is possible (semantics K26)', () => {
  const hold: Reason = { code: 'hold', next: 20, params: { exception: 'trial' } };

  it('is the latest end of all that holds it', () => {
    expect(latest(hold, { code: 'frozen', next: 30 }, { code: 'rolloutPaused', next: 25 })).toEqual(
      {
        ...hold,
        next: 30,
      },
    );
    expect(latest(hold, { code: 'frozen', next: 10 })).toBe(hold);
    for (const code of ['exclude', 'notDue', 'busy'] as const)
      expect(latest(hold, { code: 'frozen', next: 30 }, { code, next: 40 }).next).toBe(40);
  });

  it('is never where one of them has no end, which the parameters name', () => {
    const paused: Reason = {
      code: 'rolloutPaused',
      why: 'person',
      next: 'never',
      params: { scope: 'fleet', ticket: 'T-1' },
    };
    expect(latest(hold, { code: 'frozen', next: 30 }, paused)).toEqual({
      ...hold,
      next: 'never',
      params: { exception: 'trial', alsoPaused: 'fleet', alsoTicket: 'T-1' },
    });
    const here = { scope: 'fleet/site=3', policy: 'fleet', site: 'Plant Gdansk' };
    expect(latest(hold, { ...paused, params: here }).params).toMatchObject({
      alsoPaused: 'fleet',
      alsoSite: 'Plant Gdansk',
    });
    const move: Reason = { code: 'frozenHard', next: 'never', params: { freeze: 'move' } };
    expect(latest(hold, move).params).toEqual({ exception: 'trial', alsoFrozen: 'move' });
    const params = { scope: 'firmware.axis', rule: 'canary' };
    const stopped: Reason = { code: 'rolloutPaused', next: 'never', params };
    expect(latest(hold, stopped).params).toMatchObject({ alsoStopped: 'firmware.axis' });
    const aborted: Reason = { code: 'rolloutAborted', next: 'never', params };
    expect(latest(hold, aborted).params).toMatchObject({ alsoAborted: 'firmware.axis' });
  });

  it('is not moved by what only makes the change wait in turn', () => {
    expect(latest(hold, { code: 'offline' }, { code: 'inDoubt', next: 90 })).toBe(hold);
    expect(latest(hold, { code: 'gatePending', why: 'emptyWave', next: 'never' })).toBe(hold);
  });

  it('N66 of a device that rests or is not due is the end of a pause that lasts longer', () => {
    const paused: Reason = { code: 'rolloutPaused', next: 'never', params: { scope: 'fleet' } };
    const rests: readonly Reason[] = [
      { code: 'busy', why: 'gap', next: 20 },
      { code: 'notDue', why: 'backoff', next: 20 },
      { code: 'notDue', why: 'spread', next: 20 },
    ];
    for (const reason of rests) {
      expect(latest(reason, { code: 'rolloutPaused', next: 30 })).toEqual({ ...reason, next: 30 });
      expect(latest(reason, { code: 'rolloutPaused', next: 10 })).toBe(reason);
    }
    const endless = rests.map((reason) => latest(reason, paused).next);
    expect(endless).toEqual(['never', 'never', 20]);
  });

  it('N61 is never for a change of an incident that ends before', () => {
    const incident = { until: 40 };
    const policy = { section: 'rotations', incident };
    const judgement = { is: 'due' };
    const within = { judgement, case: { policy } } as unknown as Evaluation;
    const failed: Reason = { code: 'notDue', why: 'backoff', next: 40 };
    const of = (reason: Reason) => untilAllEnd({ action: 'wait', reason }, within, []).reason;
    expect(of(failed)).toMatchObject({
      next: 'never',
      params: { incidentEnds: expect.any(String) },
    });
    expect(of({ ...failed, next: 39 }).next).toBe(39);
  });

  it('N61 names both instants, under a pause too, and what takes the device over', () => {
    const policy = { section: 'rotations', incident: { until: 40 } };
    const within = { judgement: { is: 'due' }, case: { policy } } as unknown as Evaluation;
    const failed: Reason = { code: 'notDue', why: 'backoff', next: 50 };
    const paused = step({ code: 'rolloutPaused', next: 'never', params: { scope: 'fleet' } });
    const of = (evaluation: Evaluation) =>
      untilAllEnd({ action: 'wait', reason: failed }, evaluation, [paused]).reason.params;
    const instants = { incidentEnds: formatInstant(40), startsAt: formatInstant(50) };
    expect(of(within)).toEqual(instants);
    const over = (address: string, until?: number) =>
      ({ address, ...(until !== undefined && { incident: { until } }) }) as RotationPolicy;
    const shorter = over('incidents.shorter', 40);
    const longer = over('incidents.longer', 41);
    const policies = [shorter, longer, over('rotations.yearly')];
    const thenBy = (...behind: RotationPolicy[]) => of({ ...within, behind })?.['thenBy'];
    expect(thenBy(...policies)).toBe('incidents.longer');
    expect(thenBy(shorter, over('rotations.yearly'))).toBe('rotations.yearly');
    expect(thenBy(shorter)).toBeUndefined();
  });
});

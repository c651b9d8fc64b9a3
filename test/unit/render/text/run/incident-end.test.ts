import { describe, expect, it } from 'vitest';
import {
  OUTCOMES,
  type Ending,
  type Outcome,
  type RunReport,
} from '../../../../../src/model/ledger/run-report.ts';
import { runText } from '../../../../support/run-text.ts';
import { LOOK } from '../../../../support/render-look.ts';
import { change, labels, NOW } from '../../../../support/render-plan.ts';

function reportOf(endings: readonly Ending[]): RunReport {
  const counts = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, endings.filter((e) => e.outcome === outcome).length]),
  ) as Record<Outcome, number>;
  return { planId: 'kq3v', endings, notes: [], counts, anomalies: [], attempts: 4 };
}

describe('N61 an incident that ends while a run is at work', () => {
  const policy = 'incidents.leak';
  const ends = { incident: 'leak', before: '2026-11-20T00:00:00Z', until: '2026-11-22T00:00:00Z' };
  const at = { policy, file: 'fleet/a.yaml', line: 1, column: 1 };
  const left = labels(2).map((device) => change(device, { task: 'rotatePassword', policy, at }));
  const shown = (reason: Ending['reason'], outcome: Outcome): string => {
    const endings = left.map((each) => ({ change: each, outcome, ...(reason && { reason }) }));
    return [...runText(reportOf(endings), { ...LOOK, now: NOW, exit: 7 })].join('\n');
  };

  it('says when it ended, and what a person can do', () => {
    const text = shown({ code: 'incidentEnded', next: 'never', params: ends }, 'skipped');
    expect(text).toContain('Needs you: 2');
    expect(text).toContain('incident leak ended Sun 22 Nov 00:00 UTC before this device changed');
    expect(text).toContain('next: extend its `until`, or add an incident or a rotation policy');
    expect(text).not.toContain('cannot start yet');
  });

  it.each([
    ['run again where the policy may start', NOW, 'now', 'next: fleetform apply$'],
    [
      'wait for the policy',
      NOW + 86_400_000,
      'later',
      'nothing to do until .*: 2 changes of rotations.p;',
    ],
    [
      'run again later where the policy has no instant',
      undefined,
      'later',
      'again when 2 changes of rotations.p',
    ],
  ] as const)('says to %s that takes over', (_, next, column, hint) => {
    const by = 'rotations.p';
    const params = { ...ends, by };
    const reason = {
      code: 'incidentEnded',
      why: 'takenOver',
      params,
      ...(next !== undefined && { next }),
    } as const;
    const endings = left.map((each): Ending => {
      return {
        change: { ...each, policy: by, at: { ...at, policy: by } },
        outcome: 'notStarted',
        reason,
        column,
      };
    });
    const report = { ...reportOf([]), left: { endings, notes: [] } };
    const text = [...runText(report, { ...LOOK, now: NOW, exit: 7 })].join('\n');
    expect(text.replaceAll(/\n\s*/gu, ' ')).toMatch(new RegExp(hint, 'u'));
    expect(text).toContain('rotations.p takes over');
  });
});

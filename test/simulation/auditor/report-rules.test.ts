import { describe, expect, it } from 'vitest';
import { digest } from '../../../src/lib/canonical.ts';
import { setScene } from '../scene.ts';
import { openCase, type AttemptFile, type CaseFile, type ProcessFile } from './case-file.ts';
import { onPlanned } from './report-rules.ts';

const ID = 'upgradeFirmware/dev-1';
const PATH = { firmwareVersion: '2', via: '3', finalVersion: '4' };

/** A plan that shows the path of dev-1 from version 1 by 2 and 3 to 4. */
const PLAN = {
  changes: [
    {
      id: ID,
      task: 'upgradeFirmware',
      device: { id: 'dev-1' },
      action: 'run',
      before: { firmwareVersion: '1' },
      after: PATH,
      target: '2',
    },
  ],
};

interface Step {
  readonly from: string;
  readonly to: string;
  readonly process?: number;
  readonly standing?: string;
}

function attemptOf({ from, to, process = 2 }: Step): AttemptFile {
  const before = digest({ firmwareVersion: from });
  const intents = [{ id: `to ${to}`, device: 'dev-1', target: to, before, marker: from }];
  const body = { type: 'ATTEMPT', attemptId: `to ${to}`, task: 'upgradeFirmware', intents };
  return { body, seq: 1, process, at: 0, posts: 1, tasks: [] } as unknown as AttemptFile;
}

/** What is found in an attempt of run 2, after the steps of ours on the device. */
function found(
  attempt: Step,
  { steps = [], from = 'approved' }: { steps?: readonly Step[]; from?: 'approved' | 'plan' },
): readonly string[] {
  const file: CaseFile = openCase({ ...setScene(1), has: new Set() });
  const tried = steps.map(({ process = 1, standing = 'done', ...step }) => ({
    id: `to ${step.to}`,
    task: 'upgradeFirmware',
    device: 'dev-1',
    target: step.to,
    standing,
    attempts: [attemptOf({ ...step, process })],
  }));
  file.byDevice.set('dev-1', tried as never);
  onPlanned(file, attemptOf(attempt), { id: 2, [from]: PLAN } as unknown as ProcessFile);
  return file.violations.map(({ rule }) => rule);
}

const [FIRST, SECOND, THIRD] = [
  { from: '1', to: '2' },
  { from: '2', to: '3' },
  { from: '3', to: '4' },
];

describe('I8 and I9 of a step of an approved upgrade path (semantics N71)', () => {
  it.each([
    ['the first step', FIRST, []],
    ['the step after our verified one', SECOND, [FIRST]],
    ['the step after two of ours', THIRD, [FIRST, SECOND]],
  ])('allows %s', (_, attempt, steps) => {
    expect(found(attempt, { steps })).toEqual([]);
  });

  it.each([
    ['a step after one that somebody took by hand', SECOND, [], 'I8'],
    ['a step after one of ours that failed', SECOND, [{ ...FIRST, standing: 'failed' }], 'I8'],
    ['a step that passes over another', { from: '2', to: '4' }, [FIRST], 'I8'],
    ['a version that no step shows', { from: '2', to: '5' }, [FIRST], 'I8'],
    ['a step after ours, from elsewhere', { from: '1', to: '3' }, [FIRST], 'I9'],
    ['two steps in one run', SECOND, [{ ...FIRST, process: 2 }], 'I8'],
    ['a step by hand between two of ours', THIRD, [FIRST], 'I8'],
  ])('finds %s', (_, attempt, steps, rule) => {
    expect(found(attempt, { steps })).toEqual([rule]);
  });

  it('finds another step than the one in the plan of the run itself', () => {
    expect(found(SECOND, { steps: [FIRST], from: 'plan' })).toEqual(['I8']);
  });
});

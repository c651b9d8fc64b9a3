import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/ledger/fold.ts';
import { intentsMeant, refuseResolution } from '../../../src/ledger/resolution.ts';
import type { IntentState } from '../../../src/model/ledger/memory.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import {
  attempt,
  chained,
  GENESIS,
  lock,
  RELEASE,
  result,
  settled,
} from '../../support/ledger-records.ts';

const ID = 'device-1@2';

/** The intent of one device after these records. */
function after(...bodies: readonly RecordBody[]): IntentState {
  const records = chained([GENESIS, lock(), attempt('a.1', ['device-1']), ...bodies]);
  const intent = fold(records).intents.get(ID);
  if (!intent) throw new Error('no intent');
  return intent;
}

const closedAs = (verdict: Parameters<typeof settled>[1]) =>
  after(result('a.1', 'accepted'), settled(ID, verdict));

describe('Q6 a person may close', () => {
  it.each([
    ['what is in doubt', after(result('a.1', 'inDoubt', 'P11'))],
    ['what its run left without a result', after(RELEASE)],
    ['what a run that was killed left so: whoever has the lease next has it in doubt', after()],
    ['what the service refused', after(result('a.1', 'rejected', 'P06'))],
    ['what is unverified', closedAs('unverified')],
    ['what failed', closedAs('failed')],
  ])('%s, either way', (_what, intent) => {
    expect(refuseResolution(intent, 'done')).toBeUndefined();
    expect(refuseResolution(intent, 'notDone')).toBeUndefined();
  });

  it('what still runs as done alone: nobody can say that it was not', () => {
    const intent = after(result('a.1', 'accepted'));
    expect(refuseResolution(intent, 'done')).toBeUndefined();
    expect(refuseResolution(intent, 'notDone')).toBe('atWork');
  });

  it.each(['done', 'rolledBack', 'aborted', 'notDone', 'unknown'] as const)(
    'nothing that is closed as %s',
    (verdict) => {
      const doubt = [result('a.1', 'inDoubt', 'P11'), settled(ID, verdict, 'person')] as const;
      const intent = verdict === 'notDone' ? after(...doubt) : { ...closedAs('done'), verdict };
      expect(refuseResolution(intent, 'done')).toBe('closed');
      expect(refuseResolution(intent, 'notDone')).toBe('closed');
    },
  );

  it('nothing that was never sent', () => {
    expect(refuseResolution(after(result('a.1', 'notSent', 'P01')), 'done')).toBe('closed');
  });
});

describe('the intent that is meant', () => {
  const memory = fold(
    chained([GENESIS, lock(), attempt('a.1', ['device-1', 'device-2', 'other-3'])]),
  );
  const idsOf = (said: string) => intentsMeant(memory, said).map(({ id }) => id);

  it.each([
    ['its id', 'device-1@2', ['device-1@2']],
    ['the beginning of its id', 'other-', ['other-3@2']],
    ['a beginning that two have', 'device-', ['device-1@2', 'device-2@2']],
    ['its change', 'upgradeFirmware/device-2', ['device-2@2']],
    ['too little of its id', 'other', []],
    ['nothing', '', []],
    ['another task on the device', 'restartDevice/device-2', []],
  ])('by %s', (_how, said, ids) => {
    expect(idsOf(said)).toEqual(ids);
  });
});

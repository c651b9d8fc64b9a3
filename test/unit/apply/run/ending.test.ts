import { describe, expect, it } from 'vitest';
import { endedBy } from '../../../../src/apply/run/execute.ts';
import { Interrupted } from '../../../../src/apply/stop.ts';
import { Bug } from '../../../../src/lib/bug.ts';
import { WorldError } from '../../../../src/model/error.ts';

describe('a run out of which something is thrown', () => {
  it.each([
    ['a wish to stop', new Interrupted(), 'interrupted'],
    ['a lost lease', new WorldError('leaseLost'), 'locked'],
    ['a ledger that cannot be written', new WorldError('storeFailed'), 'unfit'],
    ['a broken ledger', new WorldError('ledgerBroken'), 'unfit'],
    ['devices that are gone', new WorldError('permissionsChanged'), 'unfit'],
    ['clocks apart', new WorldError('clockSkew'), 'unfit'],
    ['an expired plan', new WorldError('planExpired'), 'stale'],
    ['a wrong secret', new WorldError('credentialsRefused'), 'error'],
    ['a role that is missing', new WorldError('forbidden'), 'error'],
    ['a service that is away', new WorldError('unreachable'), 'error'],
    ['a bug of ours', new Bug('oh'), 'error'],
    ['anything else', 'oh', 'error'],
  ])('%s', (_what, error, ended) => {
    expect(endedBy(error)).toBe(ended);
  });
});

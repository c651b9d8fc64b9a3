import { describe, expect, it } from 'vitest';
import { createPlace, failureOf, PATIENCE } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const STUCK = [{ match: { taskType: 'upgradeFirmware' }, fault: { type: 'stuckTask' } }];

/** Nobody but the service needs credentials. */
const NOBODY = { FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: '' };

describe.concurrent('the lock of a run', PATIENCE, () => {
  it('is ended by a person, on record, and the run makes no further attempt', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { faults: STUCK });
    const run = place.start('apply --yes', twin.as('admin'));
    await run.says(/started: /);
    run.signal('SIGSTOP');
    const at = `--service ${twin.ready.url}`;
    const nameless = await failureOf(place, `unlock --reason x ${at}`, NOBODY);
    expect([nameless.text.code, nameless.error.code]).toEqual([1, 'personUnknown']);
    const held = attemptsIn(place.ledger());
    const done = await place.run(`unlock --reason paused --by Ada ${at}`, NOBODY);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(done.out).toMatch(/Lock released\. Its holder was .+/);
    expect(place.ledger().slice(-2)).toMatchObject([
      { type: 'LOCK', who: 'Ada', why: 'paused' },
      { type: 'RELEASE' },
    ]);
    run.signal('SIGCONT');
    expect((await run.done).code).toBe(6);
    expect(attemptsIn(place.ledger())).toBe(held);
    const nothing = await place.run(`unlock --reason x --by Ada --format json ${at}`, NOBODY);
    expect([nothing.code, JSON.parse(nothing.out)]).toEqual([0, { version: 1, unlocked: false }]);
  });

  it('of a killed run is taken at once, and the next one says whom it follows', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { faults: STUCK });
    const run = place.start('apply --yes', twin.as('admin'));
    await run.says(/started: /);
    run.signal('SIGKILL');
    await run.done;
    const next = place.start('apply --yes', twin.as('admin'));
    expect(await next.says(/Took over the lock from .+ on/)).toBeTruthy();
  });
});

function attemptsIn(ledger: readonly { readonly type: string }[]): number {
  return ledger.filter(({ type }) => type === 'ATTEMPT').length;
}

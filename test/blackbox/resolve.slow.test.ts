import { describe, expect, it } from 'vitest';
import { createPlace, failureOf, PATIENCE } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

/** The first task POST never arrives, and nothing will ever show it. */
const match = { method: 'POST', path: '/v1/tasks', nth: 1 };
const LOST = [{ match, fault: { type: 'lostRequest' } }];

const BY = { FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: '' };

describe.concurrent('an attempt in doubt', PATIENCE, () => {
  it('is named with its intent, and closed by a person who says how it is known', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { faults: LOST });
    const admin = twin.as('admin');
    const apply = await place.run('apply --yes --format json', admin);
    expect(apply.code).toBe(5);
    const intent = doubtIn(apply.out);
    const status = await place.run('status', admin);
    expect(status.out).toContain(`ID ${intent}`);
    expect(status.out).toContain('fleetform resolve TASK');
    const resumed = await place.run('recover', admin);
    expect(resumed.code).toBe(5);
    expect(resumed.out).toContain(intent);

    const as = `resolve ${intent.slice(0, 8)} --reason looked --service ${twin.ready.url}`;
    const nobody = await failureOf(place, `${as} --as not-done`, BY);
    expect([nobody.text.code, nobody.error.code]).toEqual([1, 'personUnknown']);

    const done = await place.run(`${as} --as not-done --by Ada`, BY);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(done.out).toContain(intent);
    const last = place
      .ledger()
      .filter(({ type }) => type === 'SETTLED')
      .at(-1);
    expect(last).toMatchObject({
      intentId: intent,
      verdict: 'notDone',
      by: 'person',
      who: 'Ada',
      why: 'looked',
    });

    const { endings } = JSON.parse(apply.out) as Report;
    const doubt = endings.find(({ intentId }) => intentId === intent);
    const why = await place.run(`why ${doubt?.device.id}`, admin);
    expect(why.out.replace(/\s+/g, ' ')).toContain('not done (confirmed by a person)');

    const again = await failureOf(place, `${as} --as done --by Ada`, BY);
    expect([again.text.code, again.error.code]).toEqual([1, 'intentClosed']);
    expect((await place.run('recover', admin)).code).toBe(0);
  });

  it('is closed with others at once, all or none, and each is printed', async () => {
    using place = createPlace();
    const faults = [{ match: { ...match, times: 3 }, fault: { type: 'lostRequest' } }];
    const twin = await startTwin(place, { faults });
    const apply = await place.run('apply --yes --format json', twin.as('admin'));
    const intents = doubtsIn(apply.out);
    expect(intents.length).toBeGreaterThan(1);
    const all = intents.join(' ');
    const as = `--as not-done --reason looked --service ${twin.ready.url} --by Ada`;
    const before = place.ledger().length;
    const refused = await failureOf(place, `resolve ${all} nosuchintent ${as}`, BY);
    expect([refused.text.code, refused.error.code]).toEqual([1, 'intentUnknown']);
    expect(place.ledger().filter(({ type }) => type === 'SETTLED')).toEqual([]);

    const done = await place.run(`resolve ${all} ${intents[0]} ${as}`, BY);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(intents.filter((id) => !done.out.includes(id))).toEqual([]);
    const settled = place
      .ledger()
      .slice(before)
      .filter(({ type }) => type === 'SETTLED');
    expect(settled).toMatchObject(intents.map((intentId) => ({ intentId, verdict: 'notDone' })));
  });

  it('is not found under another name, and wants a verdict and a reason', async () => {
    using place = createPlace();
    const twin = await startTwin(place, { devices: 5 });
    const at = `--service ${twin.ready.url} --by Ada`;
    const unknown = await failureOf(place, `resolve nosuchintent --as done --reason x ${at}`, BY);
    expect([unknown.text.code, unknown.error.code]).toEqual([1, 'intentUnknown']);
    expect(place.ledger()).toEqual([]);
    expect((await place.run(`resolve abc --as maybe --reason x ${at}`, BY)).code).toBe(1);
    expect((await place.run(`resolve abc --as done ${at}`, BY)).code).toBe(1);
  });
});

/** The intent of the one change that is in doubt. */
function doubtIn(out: string): string {
  const [doubt, ...others] = doubtsIn(out);
  if (others.length > 0 || doubt === undefined) throw new Error(out);
  return doubt;
}

function doubtsIn(out: string): readonly string[] {
  const { endings } = JSON.parse(out) as Report;
  return endings.flatMap(({ outcome, intentId }) =>
    outcome === 'inDoubt' && intentId !== undefined ? [intentId] : [],
  );
}

interface Report {
  readonly endings: readonly {
    readonly outcome: string;
    readonly intentId?: string;
    readonly device: { readonly id: string };
  }[];
}

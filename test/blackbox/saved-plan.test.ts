import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, failureOf } from '../support/blackbox.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { signedLines } from '../support/plan-mutations.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const hub = createPlace();
let twin: TwinProcess;
let saved: string;

beforeAll(async () => {
  twin = await startTwin(hub);
  const { code } = await hub.run('plan -o plan.json', twin.as('admin'));
  expect(code).toBe(0);
  saved = hub.read('plan.json');
}, PATIENCE.timeout);
afterAll(() => hub[Symbol.dispose]());

/** The plan as it is after an edit, under the digest that whoever edited it would write. */
function signed(text: string): string {
  return `${signedLines(JSON.parse(text) as Plan).join('\n')}\n`;
}

/** What became of the file of a plan, and what that gets. */
const SPOILED: readonly [string, (text: string) => string, string][] = [
  ['a device was edited', (text) => text.replaceAll('"dev-11"', '"dev-12"'), 'planTampered'],
  [
    'a guardrail was said to have passed, under a mended digest',
    (text) => signed(text.replace(/"number":\d+/, '"number":0')),
    'planTampered',
  ],
];

describe.concurrent('a saved plan is refused, and nothing is sent, when', PATIENCE, () => {
  it.each(SPOILED)('%s', async (_, spoil, code) => {
    using place = createPlace();
    const spoiled = spoil(saved);
    expect(spoiled).not.toBe(saved);
    place.write('plan.json', spoiled);
    const {
      code: exit,
      out,
      err,
    } = await place.run('apply plan.json --yes --trace t', twin.as('admin'));
    expect([exit, out]).toEqual([8, '']);
    expect(err).toContain(`error[${code}]`);
    expect(err).toContain('plan.json');
    expect(err).toContain('next: Create a new');
    expect(place.trace('t')).toEqual([]);
    expect(place.ledger()).toEqual([]);
  });

  it('it is another file than the one that was approved, by its digest', async () => {
    using place = createPlace();
    const { id, digest, expiresAt } = JSON.parse(saved) as Record<
      'id' | 'digest' | 'expiresAt',
      string
    >;
    const sooner = new Date(Date.parse(expiresAt) - 3_600_000).toISOString().replace('.000Z', 'Z');
    place.write(
      'plan.json',
      signed(saved.replace(`"expiresAt":"${expiresAt}"`, `"expiresAt":"${sooner}"`)),
    );
    const args = `apply plan.json --yes --trace t --approved ${id}:${digest}`;
    const { text, json, error } = await failureOf(place, args, twin.as('admin'));
    expect([text.code, json.code, error.code]).toEqual([8, 8, 'planNotApproved']);
    expect(place.trace('t')).toEqual([]);
  });
});

describe.concurrent('apply', PATIENCE, () => {
  it('wants --yes where nobody can answer', async () => {
    using place = createPlace();
    place.write('plan.json', saved);
    const { text, json, error } = await failureOf(
      place,
      'apply plan.json --trace t',
      twin.as('admin'),
    );
    expect([text.code, json.code, error.code]).toEqual([1, 1, 'confirmationMissing']);
    expect(text.err).toContain('--yes');
    expect(place.trace('t')).toEqual([]);
    expect(place.ledger()).toEqual([]);
  });
});

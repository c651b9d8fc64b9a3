import { describe, expect, test } from 'vitest';
import type { WorldError } from '../../../src/model/error.ts';
import { asksToLift, liftOn } from '../../../src/operations/lift.ts';
import { loadTexts } from '../../../src/config/load.ts';
import type { Memory, ActiveStop } from '../../../src/model/ledger/memory.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { errorWords } from '../../../src/render/words/errors.ts';
import { liftedWords } from '../../../src/render/words/record-words.ts';

describe('letting a paused rollout go on', () => {
  test('is asked for with a ticket and a reason', () => {
    expect(asksToLift({ ticket: 'CHG-1', reason: 'looked at it' })).toBe(true);
    expect(asksToLift({})).toBe(false);
  });

  test.each([
    ['a ticket alone', { ticket: 'CHG-1' }],
    ['a reason alone', { reason: 'looked at it' }],
    ['an empty ticket', { ticket: ' ', reason: 'looked at it' }],
    ['a rollout alone', { rollout: 'careful' }],
  ])('needs more than %s', (_, flags) => {
    expect(() => asksToLift(flags)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

const YAML = `service: {baseUrl: https://api.example.com, organization: acme}
rollouts: {careful: {waves: [{name: canary, size: 1}, {name: rest, percent: 100%}]}}
firmware:
  p32: {select: {vendor: Axis}, version: "11.11.73", rollout: careful, windows: anytime}
  p33: {select: {vendor: Bosch}, version: "8.0.0", windows: anytime}
`;
const stop = (scope: string, rule: string): ActiveStop => ({ scope, rule, counts: {}, at: 0 });
const caught = (each: unknown): unknown => each;
const HELD = [stop('firmware.p32', 'canary'), stop('firmware.p33/site=12', 'site')];

async function lift(rollout: string | undefined, stops: readonly ActiveStop[] = HELD) {
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: YAML }]);
  if (!documents) throw new Error('documents with findings');
  const appended: RecordBody[] = [];
  const memory = { stops: new Map(stops.map((each) => [each.scope, each])) } as unknown as Memory;
  const append = (bodies: readonly RecordBody[]) => {
    appended.push(...bodies);
    return Promise.resolve('acknowledged' as const);
  };
  const flags = { ticket: 'CHG-1', reason: 'looked', who: 'ada', ...(rollout && { rollout }) };
  const lifted = await liftOn({ memory, append }, documents, flags);
  return { lifted: lifted.map(({ scope }) => scope), appended };
}

describe('what was lifted', () => {
  test('is what was asked for, with a record of each', async () => {
    const { lifted, appended } = await lift('careful');
    expect(lifted).toEqual(['firmware.p32']);
    expect(appended).toMatchObject([{ type: 'LIFT', scope: 'firmware.p32', ticket: 'CHG-1' }]);
    expect((await lift(undefined)).lifted).toEqual(['firmware.p32', 'firmware.p33/site=12']);
  });

  test('is nothing where nothing is paused, and that is no failure', async () => {
    expect(await lift(undefined, [])).toEqual({ lifted: [], appended: [] });
    expect(liftedWords([], [])).toEqual(['Nothing is paused.']);
  });

  test('is nothing where only something else is paused, which is listed', async () => {
    const error = (await lift('firmware.p33', HELD.slice(0, 1)).catch(caught)) as WorldError;
    const { summary: says, next } = errorWords(error.code, error.params);
    expect(says).toBe('Nothing was lifted: nothing of firmware.p33 is paused.');
    expect(next).toBe('Name with --rollout what is paused: firmware.p32 (rule canary).');
  });

  test('is nothing of what was aborted, which no ticket brings back', async () => {
    const [aborted] = HELD.map((each): ActiveStop => ({ ...each, action: 'abort' }));
    const error = (await lift(undefined, aborted && [aborted]).catch(caught)) as WorldError;
    const { summary: says, detail: more, next } = errorWords(error.code, error.params);
    expect(says).toBe('Nothing was lifted.');
    expect(more).toBe('Aborted: firmware.p32 (rule canary).');
    expect(next).toMatch(/^Another version or generation begins anew/);
  });

  test('is nothing of a name that the documents do not have', async () => {
    const error = (await lift('carefull').catch(caught)) as WorldError;
    expect([error.code, error.params]).toEqual([
      'policyUnknown',
      { policy: 'carefull', near: 'careful' },
    ]);
  });

  test('is said, with what holds all the same', () => {
    const [first, second] = HELD;
    if (!first || !second) throw new Error('two stops');
    const text = liftedWords([first], [second, { ...second, scope: 'fleet', action: 'abort' }]);
    expect(text.join('\n')).toBe(
      [
        'Lifted: firmware.p32 (rule canary). What tripped it stays on record and trips no more.',
        'Still paused: firmware.p33/site=12 (rule site).',
        'Aborted: fleet (rule site); only another version or generation begins anew.',
      ].join('\n'),
    );
  });
});

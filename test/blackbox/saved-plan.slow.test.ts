import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, failureOf } from '../support/blackbox.ts';
import type { Change } from '../../src/model/plan/change.ts';
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

function added(text: string): string {
  const plan = JSON.parse(text) as Plan & { readonly changes: readonly Change[] };
  const [first] = plan.changes;
  const device = { ...first?.device, id: 'dev-999' };
  const more = { ...first, id: `${first?.task ?? ''}/dev-999`, device };
  return JSON.stringify({ ...plan, changes: [...plan.changes, more] });
}

/** What became of the file of a plan, and what that gets. */
const SPOILED: readonly [string, (text: string) => string, string][] = [
  ['a line was removed', (text) => without(text, 1), 'planTampered'],
  ['it was cut in the middle', (text) => text.slice(0, text.length / 2), 'planTampered'],
  ['a change was added under a mended digest', (text) => signed(added(text)), 'planTampered'],
  ['it is empty', () => '', 'planUnreadable'],
  ['it is something else', () => '{"hello": "world"}\n', 'planUnreadable'],
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

  it('it is only to be shown', async () => {
    using place = createPlace();
    place.write('plan.json', saved.slice(0, 2_000));
    const { text, json, error } = await failureOf(place, 'show plan.json');
    expect([text.code, json.code, error.code]).toEqual([8, 8, 'planTampered']);
    expect([text.out, json.err]).toEqual(['', '']);
  });

  it('it is not the one that was approved', async () => {
    using place = createPlace();
    place.write('plan.json', saved);
    const args = 'apply plan.json --yes --trace t --approved another';
    const { text, json, error } = await failureOf(place, args, twin.as('admin'));
    expect([text.code, json.code, error.code]).toEqual([8, 8, 'planNotApproved']);
    expect(text.err).toContain('another');
    expect(place.trace('t')).toEqual([]);
  });

  it('it has expired', async () => {
    using place = createPlace();
    const earlier = { evaluatedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-02T00:00:00Z' };
    place.write(
      'plan.json',
      signed(JSON.stringify({ ...(JSON.parse(saved) as Plan), ...earlier })),
    );
    const args = 'apply plan.json --yes --trace t';
    const { text, json, error } = await failureOf(place, args, twin.as('admin'));
    expect([text.code, json.code, error.code]).toEqual([8, 8, 'planExpired']);
    expect(text.err).toContain('--expires');
    expect(place.trace('t')).toEqual([]);
  });

  it('it was made for another service', async () => {
    using place = createPlace();
    place.write('plan.json', saved);
    const elsewhere = { ...twin.as('admin'), FLEETFORM_BASE_URL: 'http://127.0.0.1:9' };
    const args = 'apply plan.json --yes';
    const { text, json, error } = await failureOf(place, args, elsewhere);
    expect([text.code, json.code, error.code]).toEqual([8, 8, 'planForeign']);
    expect(text.err).toContain(twin.ready.url);
    expect(place.ledger()).toEqual([]);
  });
});

describe.concurrent('apply', PATIENCE, () => {
  it('wants --yes where nobody can answer, with no file too', async () => {
    using place = createPlace();
    const { text, json, error } = await failureOf(place, 'apply --trace t', twin.as('admin'));
    expect([text.code, json.code, error.code]).toEqual([1, 1, 'confirmationMissing']);
    expect(text.err).toContain('--yes');
    expect(place.trace('t')).toEqual([]);
    expect(place.ledger()).toEqual([]);
  });

  it('names a file that is not there', async () => {
    using place = createPlace();
    const { text, error } = await failureOf(place, 'apply nowhere.json --yes', twin.as('admin'));
    expect([text.code, error.code]).toEqual([1, 'fileUnreadable']);
    expect(text.err).toContain('nowhere.json');
  });
});

function lines(text: string): string[] {
  return text.trimEnd().split('\n');
}

function without(text: string, index: number): string {
  return `${lines(text).toSpliced(index, 1).join('\n')}\n`;
}

describe.concurrent('a saved plan as a comment', PATIENCE, () => {
  it('is not shown in fewer characters than it takes, and the least is said', async () => {
    using place = createPlace();
    place.write('plan.json', saved);
    const refused = await place.run('show plan.json --format md --limit 100');
    expect([refused.code, refused.out]).toEqual([1, '']);
    const least = Number(/takes\s+(\d+)\s+characters/.exec(refused.err)?.[1]);
    const shown = await place.run(`show plan.json --format md --limit ${least}`);
    expect(shown.code).toBe(0);
    expect(shown.out.length).toBeLessThanOrEqual(least);
  });
});

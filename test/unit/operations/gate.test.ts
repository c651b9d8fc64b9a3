import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { approvedSet, approveOn, type GateApproval } from '../../../src/operations/gate/approve.ts';
import { formatShown, readShown, shownDigest } from '../../../src/operations/gate/shown.ts';
import { findWork } from '../../../src/operations/gate/found-work.ts';
import type { Change } from '../../../src/model/plan/change.ts';
import type { Reason } from '../../../src/model/plan/reason.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { aChange, aPlan } from '../../support/plan-change.ts';
import { covered } from '../../support/render-plan.ts';

const SERVICE = 'service: {baseUrl: https://api.example.com, organization: acme}\n';
const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-23T01:00:00Z');
const OUTCOME = `${'a'.repeat(16)}.${'b'.repeat(16)}`;
const SHOWN = {
  planId: 'p',
  commit: 'c'.repeat(40),
  documents: 'd',
  pulls: ['#7'],
  changes: [['rotatePassword/dev-1', OUTCOME]] as const,
  head: { seq: 4, hash: 'e'.repeat(64) },
};

describe('N75 what was shown', () => {
  const cwd = scratchFolder('shown');
  const text = formatShown(SHOWN);
  const write = (name: string, content: string): string => {
    writeFileSync(join(cwd, name), content);
    return name;
  };

  test('is read with its digest', () => {
    expect(readShown({ cwd }, write('good.json', text), shownDigest(text))).toEqual(SHOWN);
  });

  const other = text.replace('dev-1', 'dev-2');
  test.each<readonly [string, string, string, string]>([
    ['swapped', other, shownDigest(text), 'digest'],
    ['forged with its own digest, which is not that of a look', '{}', shownDigest('{}'), 'shape'],
    ['an outcome that is none', text.replace(OUTCOME, 'x'), '', 'digest'],
    ...['"seq":4', '"head"'].map((part) => {
      const less = text.replace(part, '"x"');
      return [
        `without a head: ${part.replaceAll('"', '')}`,
        less,
        shownDigest(less),
        'shape',
      ] as const;
    }),
  ])('is refused: %s', (name, content, digest, why) => {
    expect(() => readShown({ cwd }, write(`${name}.json`, content), digest)).toThrow(
      expect.objectContaining({
        code: 'artifactRefused',
        params: expect.objectContaining({ why }),
      }),
    );
  });

  test('is refused where it is missing, and where it is a link', () => {
    const refusal = (file: string) => () => readShown({ cwd }, file, shownDigest(text));
    expect(refusal('nowhere.json')).toThrow(
      expect.objectContaining({ params: expect.objectContaining({ why: 'missing' }) }),
    );
    symlinkSync(join(cwd, 'good.json'), join(cwd, 'link.json'));
    expect(refusal('link.json')).toThrow(
      expect.objectContaining({ params: expect.objectContaining({ why: 'notAFile' }) }),
    );
  });
});

describe('N75 what a gate approves', () => {
  const of = (...devices: readonly string[]) =>
    devices.map((device) => aChange(device, { outcome: OUTCOME }));
  const documents = loadTexts([{ path: 'a.yaml', text: SERVICE }]).documents as Documents;
  const shown = of('dev-1', 'dev-2', 'dev-3').map(({ id }) => [id, OUTCOME] as const);

  test('is shown, wanted again, and still wanted by the newest commit', () => {
    const again = { changes: of('dev-1', 'dev-2', 'dev-4'), documents };
    const newest = { changes: of('dev-1', 'dev-3', 'dev-4'), documents };
    const all = approvedSet({ shown, again, newest });
    expect(all.map(([id]) => id)).toEqual([shown[0]?.[0]]);
  });
});

describe('N78 whether a scheduled run has work', () => {
  const plan = (reason: Reason, action: Change['action'] = 'wait', facts = {}) => {
    const made = aPlan([aChange('dev-1', { action, reason })]);
    return { plan: { ...made, inputs: { ...made.inputs, ...facts } }, noted: () => undefined };
  };
  const refused = (
    { plan: { verdicts: _, ...made }, noted }: ReturnType<typeof plan>,
    limit: 'maxChanges' | 'maxVanished' = 'maxChanges',
  ) => {
    const verdict = { guardrail: 'default', limit, value: 1 };
    const verdicts = [{ ...verdict, number: 2, allowed: 1, passed: false }];
    return { plan: { ...made, verdicts }, noted };
  };
  const idle = { open: () => [], coverage: [] };
  const when = { now: NOW, factsAt: NOW };
  const facts = (more: object) => ({ facts: { used: 3, notRead: 0, ...more } });

  test.each<readonly [string, ReturnType<typeof plan>, string]>([
    ['something may start', plan({ code: 'act' }, 'run'), 'start'],
    [
      'a window opens within the hour',
      plan({ code: 'windowClosed', next: NOW + HOUR / 2 }),
      'start',
    ],
    ['a guardrail refuses what may start', refused(plan({ code: 'act' }, 'run')), 'refused'],
    ['a guardrail refuses what starts later', refused(plan({ code: 'frozen' })), 'none'],
    ['known devices are gone', refused(plan({ code: 'frozen' }), 'maxVanished'), 'refused'],
    ['a window opens later', plan({ code: 'windowClosed', next: NOW + HOUR }), 'none'],
    ['all awaits approval', plan({ code: 'awaitsApproval' }), 'none'],
    [
      'something is not read yet',
      plan({ code: 'awaitsApproval' }, 'wait', facts({ notRead: 1 })),
      'facts',
    ],
  ])('%s', (_, planned, found) => {
    expect(findWork(planned, idle, when)).toBe(found);
  });

  test('facts are owed once the newest is twelve hours old', () => {
    const planned = plan({ code: 'awaitsApproval' }, 'wait', facts({}));
    const at = (factsAt: number) => findWork(planned, idle, { now: NOW, factsAt });
    expect([at(NOW - 12 * HOUR), at(NOW - 13 * HOUR)]).toEqual(['none', 'facts']);
  });

  test('what is in flight and what is to be withdrawn is work', () => {
    const none = plan({ code: 'awaitsApproval' });
    const flying = { ...idle, open: () => [{}] } as unknown as Parameters<typeof findWork>[1];
    expect(findWork(none, flying, when)).toBe('flight');
    const unwanted = [{ id: 'rotatePassword/dev-1', planId: 'p' }];
    expect(findWork({ ...none, unwanted }, idle, when)).toBe('withdrawn');
  });
});

describe('M34 a scheduled run has work', () => {
  const person = ['rotatePassword/dev-1'];
  const { seen, offered } = covered(3);
  const recorded = (more: object = {}) => ({
    open: () => [],
    coverage: [{ seen, offered, person, seq: 1, at: NOW - HOUR, ...more }],
  });
  const shown = { ...aPlan([]), coverage: { ...covered(3), person } };
  const found = (memory: Parameters<typeof findWork>[1], coverage = shown.coverage) =>
    findWork({ plan: { ...shown, coverage }, noted: () => undefined }, memory, { now: NOW });

  test('unless the last record says the same of the fleet', () => {
    expect(found(recorded())).toBe('none');
    expect(found({ open: () => [], coverage: [] })).toBe('coverage');
    expect(found(recorded({ person: [] }))).toBe('coverage');
    expect(found(recorded({ person: [...person, 'upgradeFirmware/dev-2'] }))).toBe('coverage');
    expect(found(recorded({ seen: {} }))).toBe('coverage');
  });

  test('before what is known is forgotten', () => {
    expect(found(recorded({ at: NOW - 9 * 24 * HOUR }))).toBe('none');
    expect(found(recorded({ at: NOW - 11 * 24 * HOUR }))).toBe('coverage');
  });

  test('where nothing is selected', () => {
    expect(found(recorded(), { ...covered(0), person })).toBe('coverage');
  });
});

/** What a journal in this test keeps of a record. */
interface Appended {
  readonly type: string;
  readonly changes?: readonly (readonly [string, string])[];
}

const NOTHING: ReadonlyMap<string, number> = new Map();

describe('N73 N75 what passes the gate again', () => {
  const one = { ...aChange('dev-1'), id: 'rotatePassword/dev-1', outcome: OUTCOME };
  const documents = loadTexts([{ path: 'fleet/a.yaml', text: SERVICE }]).documents as Documents;
  const plan = { changes: [one], documents };
  const terms = { ...SHOWN, run: 'r', approvers: ['ada'], preapproved: [] };
  const gate: GateApproval = {
    terms,
    shown: SHOWN.changes,
    again: plan,
    newest: plan,
    expires: NOW + HOUR,
  };

  async function pass(
    approval: GateApproval,
    before?: number,
    takenBack: ReadonlyMap<string, number> = NOTHING,
  ) {
    const written: string[] = [];
    const found = new Map(
      before === undefined ? [] : [[OUTCOME, { ...terms, seq: 1, at: NOW, expires: before }]],
    );
    // What a person took back of a whole policy is known only by its address.
    const approvals = {
      plans: [],
      of: (_: string, policy?: string) => (policy === one.policy ? found : new Map()),
      ids: () => [],
      takenBackAt: (id: string) => takenBack.get(id) ?? 0,
    };
    const journal = {
      declare: async (bodies: (memory: object) => readonly Appended[]) => {
        for (const { type, changes = [] } of bodies({ approvals }))
          written.push([type, ...changes.map(([id]) => id)].join(' '));
      },
    };
    const { renewed, withdrawn, isRecorded } = await approveOn(journal as never, approval, NOW);
    return { renewed, withdrawn, isRecorded, written };
  }

  test('is approved with a new end, whether the old one has come or not', async () => {
    const recorded = { withdrawn: 0, isRecorded: true, written: ['APPROVED rotatePassword/dev-1'] };
    expect(await pass(gate)).toEqual({ renewed: 0, ...recorded });
    expect(await pass(gate, NOW + 1)).toEqual({ renewed: 1, ...recorded });
    expect(await pass(gate, NOW)).toEqual({ renewed: 0, ...recorded });
  });

  test('and has no outcome is recorded for the documents of its commit alone', async () => {
    const none = { ...gate, shown: [] };
    expect(await pass(none)).toMatchObject({ isRecorded: true, written: ['APPROVED'] });
    const known = { ...none, addsNoDocuments: true };
    expect(await pass(known)).toMatchObject({ isRecorded: false, written: [] });
  });

  test('and was withdrawn since the look is not approved (protocol M10)', async () => {
    const two = { ...one, id: 'rotatePassword/dev-2' };
    const shown = [one, two].map(({ id }) => [id, OUTCOME] as const);
    const both = { changes: [one, two], documents };
    const wider = { ...gate, shown, again: both, newest: both, lookedAt: 4 };
    const taken = (...ids: readonly string[]) => new Map(ids.map((id) => [id, 5]));
    expect(await pass(wider, undefined, taken(one.id))).toMatchObject({
      withdrawn: 1,
      written: [`APPROVED ${two.id}`],
    });
    const before = new Map([[one.id, 4]]);
    expect(await pass(wider, undefined, before)).toMatchObject({ withdrawn: 0 });
    await expect(pass(wider, undefined, taken(one.id, two.id))).rejects.toMatchObject({
      code: 'shownWithdrawn',
    });
  });
});

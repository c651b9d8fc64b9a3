import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openFactBook } from '../../../src/operations/facts/fact-book.ts';
import { WorldError } from '../../../src/model/error.ts';
import { reasonWords } from '../../../src/render/words/reasons.ts';
import { factsText } from '../../../src/render/words/reading-words.ts';
import { recordPublished } from '../../../src/operations/facts/record-facts.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import type { Leaseless } from '../../../src/model/ledger/record.ts';
import { survey } from '../../../src/operations/survey.ts';
import {
  A_ROLLOUT,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  anIntent,
  entries,
  NOW,
  someDocuments,
} from '../../support/plan-fleet.ts';
import { listing } from '../../support/plan-service.ts';
import { type Ages, Machine } from '../../support/fact-machine.ts';

const SECOND = 1_000;
const DAY = 86_400_000;

const FLEET: Ages = { 'cam-due': 200, 'cam-old': 170, 'cam-young': 10 };

describe('a second plan', () => {
  it('N18 N24 of an unchanged fleet reads no device again and is the same plan', async () => {
    const machine = new Machine(FLEET);
    const first = await machine.plan();
    expect(first.reads).toEqual(['cam-due', 'cam-old', 'cam-young']);
    expect(first.counts).toMatchObject({ run: 1, note: 2 });
    const second = await machine.plan();
    expect(second.reads).toEqual([]);
    expect(second).toMatchObject({ id: first.id, counts: first.counts, notes: first.notes });
    expect(second.changes.map(({ factAt: _at, ...change }) => change)).toEqual(first.changes);
  });

  it('N11 three days later reads what is due, and believes what is not', async () => {
    const machine = new Machine(FLEET);
    await machine.plan();
    await machine.clock.sleep(3 * DAY);
    expect((await machine.plan()).reads).toEqual(['cam-due']);
    await machine.clock.sleep(5 * DAY);
    expect((await machine.plan()).reads).toEqual(['cam-due', 'cam-old', 'cam-young']);
  });

  it('N11 N20 without reads says of what is due that it was not read', async () => {
    const machine = new Machine(FLEET);
    await machine.plan();
    await machine.clock.sleep(3 * DAY);
    const { counts, notes } = await machine.plan({ maxReads: 0 });
    expect(counts).toMatchObject({ run: 0, wait: 0, note: 3 });
    expect(notes.map(({ reason, count }) => `${reason.code} ${count}`).toSorted()).toEqual([
      'notDue 2',
      'notRead 1',
    ]);
  });

  it('N26 finds in its snapshot when the values were read', async () => {
    const machine = new Machine(FLEET);
    const { snapshot } = await machine.plan();
    expect(snapshot.facts('cam-young').knownAt).toBeUndefined();
    await machine.clock.sleep(DAY / 2);
    const second = await machine.plan();
    expect(second.snapshot.facts('cam-young').knownAt).toEqual({ passwords: NOW });
    expect(second.inputs.snapshot.digest).not.toBe(
      (await new Machine(FLEET).plan()).inputs.snapshot.digest,
    );
  });
});

it('N11 N56 an incident leaves out what an earlier run read as newer, and reads nothing', async () => {
  const machine = new Machine(FLEET);
  await machine.plan();
  machine.since = NOW - 20 * DAY;
  const { reads, changes, notes } = await machine.plan();
  expect(reads).toEqual([]);
  expect(changes.map(({ device, before }) => [device.id, before])).toEqual([
    ['cam-due', {}],
    ['cam-old', {}],
  ]);
  expect(notes.map(({ reason, count }) => `${reason.code} ${count}`)).toEqual([
    'alreadyConverged 1',
  ]);
});

it('N59 an incident sets aside what could not be read, and each of its plans reads that again', async () => {
  const machine = new Machine({ 'cam-ahead': -3, 'cam-refused': 100, 'cam-well': 100 });
  const refuse = (): void => {
    if (machine.reads.at(-1) === 'cam-refused') throw new WorldError('forbidden', {});
  };
  machine.onRead = refuse;
  await machine.plan();
  machine.since = NOW - DAY;
  for (const maxReads of [0, 300]) {
    const { changes, reads } = await machine.plan({ maxReads });
    const decided = changes.map(({ device, action, reason }) => [device.id, action, reason.why]);
    expect(decided.toSorted()).toEqual([
      ['cam-ahead', 'skip', 'valueUnknown'],
      ['cam-refused', 'skip', 'valueUnknown'],
      ['cam-well', 'run', 'incident'],
    ]);
    expect(reads).toEqual(maxReads === 0 ? [] : ['cam-ahead', 'cam-refused']);
  }
  machine.onRead = () => undefined;
  expect((await machine.plan()).counts).toMatchObject({ run: 1, wait: 1, skip: 1 });
});

it('N25 the first lines say what is known, how old it is, and what is not read yet', async () => {
  const machine = new Machine(FLEET);
  const first = await machine.plan({ maxReads: 2 });
  expect(first.inputs.facts).toEqual({ used: 0, notRead: 1, budget: 2 });
  await machine.clock.sleep(3 * 3_600_000);
  const { inputs, changes } = await machine.plan({ maxReads: 0 });
  expect(inputs.facts).toEqual({ used: 2, oldest: '2026-11-20T12:00:00Z', notRead: 1, budget: 0 });
  expect(factsText(inputs)).toBe(
    '; values of 2 devices from earlier runs, up to 3 hours old; 1 not read yet',
  );
  expect(factsText(first.inputs)).toBe('; 1 not read yet');
  expect(changes.every(({ factAt }) => factAt === '2026-11-20T12:00:00Z')).toBe(true);
  const all = await machine.plan();
  await machine.clock.sleep(1_000);
  const last = await machine.plan();
  expect(all.changes.length).toBe(1);
  expect(last.changes[0]?.factAt).toMatch(/^2026-11-20T1[25]:00:00Z$/);
});

it('N29 why reads the device that it is asked about, and no other', async () => {
  const machine = new Machine(FLEET);
  const limits = { maxReads: 0 };
  await survey({ ...machine.parts, limits, only: () => 'cam-old' }, machine.memory);
  expect(machine.reads).toEqual(['cam-old']);
});

it('N20 why reads its device again, whatever an earlier run has read of it', async () => {
  const machine = new Machine(FLEET);
  await machine.plan();
  machine.reads.length = 0;
  await survey({ ...machine.parts, only: () => 'cam-old' }, machine.memory);
  expect(machine.reads).toEqual(['cam-old']);
});

it('N29 why knows of all devices what a list answers, so that its plan is that of plan', async () => {
  const machine = new Machine({});
  const versions = ['11.8.61', '11.8.62', '11.8.63', '11.8.64'];
  const devices = versions.map((firmwareVersion) => aDevice(firmwareVersion, { firmwareVersion }));
  const to = '11.11.73';
  const paths = devices.map(({ vendor = '', model = '', firmwareVersion: from = '' }) => {
    return { vendor, model, from, to, path: [to] };
  });
  const { parts: own } = machine;
  const firmwarePaths = () => Promise.resolve(paths);
  const client = { ...own.client, ...listing([{ devices }]), firmwarePaths };
  const documents = someDocuments({
    rollouts: entries({ default: A_ROLLOUT }),
    firmware: entries({ all: aFirmwarePolicy('all') }),
  });
  const parts = { ...own, documents, client };
  const { plan } = await survey(parts, machine.memory);
  expect(plan.changes.length).toBe(versions.length);
  const asked = await survey({ ...parts, only: () => '11.8.61' }, machine.memory);
  expect([...asked.plan.changes]).toEqual([...plan.changes]);
});

it('N23 a plan says that its values grow too old before they are read again', async () => {
  const ages = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`cam-${n}`, 10]));
  const machine = new Machine(ages);
  const { warnings } = await machine.plan({ maxAge: 300_000 });
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'factsTooSlow', params: { count: 40, perDay: 14_400 } }),
  );
  const other = new Machine(ages);
  expect((await other.plan()).warnings.map(({ code }) => code)).not.toContain('factsTooSlow');
});

describe('N8 a value that could not be read', () => {
  const HOUR = 3_600_000;

  function failing(code: 'notFound' | 'forbidden' | 'unexpectedStatus'): Machine {
    const machine = new Machine({ 'cam-due': 200 });
    const retry = code === 'unexpectedStatus' ? ({ retry: 'safe' } as const) : {};
    machine.onRead = () => {
      throw new WorldError(code, {}, retry);
    };
    return machine;
  }

  it.each(['notFound', 'unexpectedStatus'] as const)(
    'is tried again by the next plan, which says so until then: %s',
    async (code) => {
      const machine = failing(code);
      const [first] = (await machine.plan()).changes;
      expect(first).toMatchObject({ action: 'skip', reason: { why: 'valueUnknown' } });
      expect(first?.reason.since).toBeUndefined();
      machine.onRead = () => undefined;
      await machine.clock.sleep(3 * HOUR);
      const [waiting] = (await machine.plan({ maxReads: 0 })).changes;
      expect(waiting).toMatchObject({ action: 'skip', reason: { since: NOW } });
      expect(
        reasonWords(waiting?.reason ?? { code: 'act' }, { now: NOW + 3 * HOUR }).detail,
      ).toMatch(/^\(last read .*, 3 hours ago\)$/);
      expect(await machine.plan()).toMatchObject({ reads: ['cam-due'], counts: { run: 1 } });
    },
  );

  it('is tried again after as long as it has lasted, at most after a day', async () => {
    const machine = failing('notFound');
    const read: number[] = [];
    for (let hour = 0; hour < 96; hour += 1) {
      if ((await machine.plan()).reads.length > 0) read.push(hour);
      await machine.clock.sleep(HOUR);
    }
    expect(read).toEqual([0, 1, 2, 4, 8, 16, 32, 56, 80]);
  });

  it('is believed for a day where only a person can change it', async () => {
    const machine = failing('forbidden');
    await machine.plan();
    await machine.clock.sleep(3 * HOUR);
    expect((await machine.plan()).reads).toEqual([]);
  });

  it('comes last, after what no run has read', async () => {
    const machine = new Machine({ 'cam-1': 10, 'cam-2': 10, 'cam-3': 10 });
    machine.onRead = () => {
      throw new WorldError('notFound', {});
    };
    const [tried] = (await machine.plan({ maxReads: 1 })).reads;
    machine.onRead = () => undefined;
    const next = await machine.plan({ maxReads: 2 });
    expect(next.reads).not.toContain(tried);
    expect((await machine.plan({ maxReads: 2 })).reads).toEqual([tried]);
  });
});

describe('a first plan', () => {
  it('N20 reads what its limit allows, and the next ones the rest', async () => {
    const ages = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`cam-${n}`, 10]));
    const machine = new Machine(ages);
    const left: number[] = [];
    for (let run = 0; run < 6; run += 1) {
      const { notes } = await machine.plan({ maxReads: 3 });
      left.push(notes.find(({ reason }) => reason.code === 'notRead')?.count ?? 0);
    }
    expect(left).toEqual([14, 11, 8, 5, 2, 0]);
  });
});

describe('what is stored', () => {
  it('N4 names no device, site, vendor or model', async () => {
    const machine = new Machine(FLEET);
    await machine.plan();
    const text = readFileSync(machine.file, 'utf8');
    for (const word of ['name of', 'Berlin', 'Axis', 'P3265', 'acme', 'changed 1'])
      expect(text).not.toContain(word);
  });

  it.each([
    ['empty', () => ['']],
    ['of another service', () => ['{"format":1,"kind":"facts","ledger":"","tenant":"another"}']],
    ['of another format', () => ['{"format":2}', 'x']],
    ['no facts at all', () => ['\u0000\u0001', 'x'.repeat(100_000)]],
  ])('N14 %s costs the reads and nothing else', async (_, lines) => {
    const machine = new Machine(FLEET);
    const { id } = await machine.plan();
    machine.store(...lines());
    const again = await machine.plan();
    expect(again.reads.length).toBe(3);
    expect(again.id).toBe(id);
    expect(machine.said.length).toBe(_ === 'of another service' ? 1 : 0);
  });

  it('N24 a forged mark beside the same dates makes no other plan', async () => {
    const machine = new Machine(FLEET);
    const { id, counts } = await machine.plan();
    const [header = '', ...lines] = readFileSync(machine.file, 'utf8').trim().split('\n');
    const forged = lines.map((line) =>
      line.replace(/"mark":"[^"]*"/u, '"mark":"0000000000000000"'),
    );
    expect(forged).not.toEqual(lines);
    machine.store(header, ...forged);
    expect(await machine.plan()).toMatchObject({ id, counts, reads: [] });
  });

  it.each([
    ['from 1970', { at: '1970-01-01T00:00:00Z' }],
    ['from 2099', { at: '2099-01-01T00:00:00Z' }],
    ['due since 1970', { value: { changed: '1970-01-01T00:00:00Z', mark: '0'.repeat(16) } }],
    ['changed in 2099', { value: { changed: '2099-01-01T00:00:00Z' } }],
    ['of another device', { id: 'cam-due' }],
    ['of another kind', { kind: 'target' }],
    ['a problem', { value: { problem: 'forbidden' } }],
  ])('N14 with a forged line %s makes no task that the truth does not', async (_, forged) => {
    const machine = new Machine(FLEET);
    const honest = await machine.plan();
    const [header = ''] = readFileSync(machine.file, 'utf8').split('\n');
    const lines = machine.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const line of lines) {
      machine.store(
        header,
        ...lines.map((one) => JSON.stringify(one === line ? { ...one, ...forged } : one)),
      );
      const { changes } = await machine.plan();
      const wanted = changes.filter(({ action }) => action === 'run').map(({ id }) => id);
      const isForgedDue = String(JSON.stringify(forged)).includes('"changed":"1970');
      // A fresh forged line may put a device into a plan; the last look, which reads it, drops it.
      if (!isForgedDue)
        expect(honest.changes.map(({ id }) => id)).toEqual(expect.arrayContaining(wanted));
      await machine.clock.sleep(8 * DAY);
      expect((await machine.plan()).changes.map(({ id }) => id)).toEqual(
        honest.changes.map(({ id }) => id),
      );
      await machine.clock.sleep(-8 * DAY);
    }
  });

  it('N5 by another reader is read again, only its kind', async () => {
    const machine = new Machine(FLEET);
    await machine.plan();
    machine.dialect = { targetFirmwareListField: 'other' };
    expect((await machine.plan()).reads).toEqual([]);
    machine.dialect = { passwordEntryChangedField: 'other' };
    expect((await machine.plan()).reads.length).toBe(3);
  });

  it('N7 before an upgrade or a rotation of ours is read again', async () => {
    const machine = new Machine(FLEET);
    await machine.plan();
    const rotated = {
      task: 'rotatePassword',
      attemptedAt: NOW,
      settledAt: NOW,
      verdict: 'failed',
    } as const;
    machine.memory = aMemory([anIntent('cam-young', rotated)]);
    expect((await machine.plan()).reads).toEqual(['cam-young']);
    machine.version = '11.11.73';
    expect((await machine.plan()).reads.length).toBe(3);
  });
});

it('N15 a plan says which kind of value its own reads contradict', async () => {
  const machine = new Machine(FLEET);
  await machine.plan();
  const [header = ''] = readFileSync(machine.file, 'utf8').split('\n');
  const forged = machine.lines.map((line) =>
    line.replace(/"changed":"[^"]*"/, '"changed":"2026-05-10T12:00:00Z"'),
  );
  machine.store(header, ...forged);
  await machine.clock.sleep(2 * DAY);
  const { warnings } = await machine.plan({ maxAge: 1_000 });
  expect(warnings).toContainEqual(
    expect.objectContaining({
      code: 'factsContradicted',
      params: { kind: 'password', device: 'cam-due', count: 0 },
    }),
  );
});

describe('apply', () => {
  it('N15 N21 renews after its work, and reads some of what it knows again', async () => {
    const machine = new Machine(
      Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`cam-${n}`, 10])),
    );
    await machine.plan();
    await machine.clock.sleep(2 * DAY);
    const { parts, memory } = machine;
    const book = await openFactBook(parts, memory, { seconds: 600 });
    machine.reads = [];
    await survey({ ...parts, book }, memory);
    expect(machine.reads).toEqual([]);
    await book.renew(memory);
    await book.publish();
    // 40 facts in half of seven days: after two days 23 of them, and three at random.
    expect(machine.reads.length).toBe(26);
    const renewed = machine.lines.filter((line) => line.includes('"at":"2026-11-22'));
    expect(renewed.length).toBe(26);
  });

  it('N21 renews while it waits, no longer than the wait, and the rest after its work', async () => {
    const ages = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`cam-${n}`, 10]));
    const machine = new Machine(ages);
    await machine.plan();
    await machine.clock.sleep(2 * DAY);
    const { parts, memory } = machine;
    const book = await openFactBook(parts, memory, { seconds: 600 });
    await survey({ ...parts, book }, memory);
    machine.reads = [];
    machine.onRead = () => void machine.clock.sleep(SECOND);
    const wait = () => book.renew(memory, machine.clock.now() + 10 * SECOND);
    await wait();
    expect(machine.reads.length).toBe(9);
    await survey({ ...parts, book }, memory);
    await wait();
    expect(machine.reads.length).toBe(18);
    await book.renew(memory, machine.clock.now() + SECOND);
    expect(machine.reads.length).toBe(18);
    await book.renew(memory);
    // As many as after the work alone, each once, and three at random.
    expect(machine.reads.length).toBe(26);
    expect(new Set(machine.reads.slice(0, 23)).size).toBe(23);
  });

  it('N21 ends its renewal at the first request to stop, and keeps what it read', async () => {
    const ages = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`cam-${n}`, 10]));
    const machine = new Machine(ages);
    await machine.plan();
    await machine.clock.sleep(2 * DAY);
    const { parts, memory } = machine;
    const book = await openFactBook(parts, memory, { seconds: 600 });
    await survey({ ...parts, book }, memory);
    machine.reads = [];
    machine.onRead = () => machine.stop.request();
    await expect(book.renew(memory)).rejects.toThrow();
    expect(machine.reads.length).toBeLessThan(26);
  });

  describe('M25 that reads what contradicts stored values', () => {
    /** Nine cameras whose stored dates are false. */
    async function forged(): Promise<Machine> {
      const ids = Array.from({ length: 9 }, (_, n) => [`cam-${n}`, 10] as const);
      const machine = new Machine(Object.fromEntries(ids));
      await machine.plan();
      const [header = ''] = readFileSync(machine.file, 'utf8').split('\n');
      const lines = machine.lines.map((line) =>
        line.replace(/"changed":"[^"]*"/, '"changed":"2026-11-19T12:00:00Z"'),
      );
      machine.store(header, ...lines);
      await machine.clock.sleep(2 * DAY);
      return machine;
    }

    /** An apply that may read so many devices; returns how many values it left unread, and what it recorded. */
    async function applied(machine: Machine, maxReads: number) {
      const { parts, memory } = machine;
      machine.reads = [];
      const book = await openFactBook(parts, memory, { maxReads });
      const { plan } = await survey({ ...parts, book }, memory);
      await book.renew(memory);
      const records: unknown[] = [];
      const declare = (decide: (memory: Memory) => readonly Leaseless[]) => {
        const made = decide(memory);
        records.push(...made);
        return Promise.resolve(made);
      };
      await recordPublished({ declare }, await book.publish(), parts.shell);
      return { notRead: plan.inputs.facts?.notRead, records };
    }

    const MINUTE = 60_000;
    const STORED = /No longer believed: \d stored dates? of this kind/u;

    it('twice, more than 10 minutes apart, ends belief in all that was read before', async () => {
      const machine = await forged();
      expect((await applied(machine, 1)).records).toEqual([]);
      const [first = ''] = machine.reads;
      await machine.clock.sleep(9 * MINUTE);
      expect((await applied(machine, 1)).records).toEqual([]);
      await machine.clock.sleep(2 * MINUTE);
      machine.said.length = 0;
      const { records, notRead } = await applied(machine, 1);
      expect(notRead).toBe(0);
      expect(machine.reads[0]).toBe(first);
      expect(records).toEqual([
        { type: 'FACTS', distrust: { kind: 'password', before: '2026-11-22T12:11:00Z' } },
      ]);
      expect(machine.said.join('').replaceAll(/\s+/g, ' ')).toMatch(STORED);
      expect(machine.lines.every((line) => line.includes('2026-11-22T12:11:'))).toBe(true);
    });

    it('is believed by no machine that reads the record, however old its own file is', async () => {
      const machine = await forged();
      machine.memory = {
        ...machine.memory,
        distrusted: new Map([['password', machine.clock.now() - DAY]]),
      };
      expect((await applied(machine, 2)).notRead).toBe(7);
      expect(machine.said.join('')).not.toContain('factsContradicted');
    });

    it('is no contradiction where a change of the last 10 minutes did not show yet', async () => {
      const machine = new Machine({ 'cam-1': 0 });
      await machine.clock.sleep(9 * MINUTE);
      await machine.plan();
      const [header = ''] = readFileSync(machine.file, 'utf8').split('\n');
      const old = machine.lines.map((line) =>
        line.replace(/"changed":"[^"]*"/, '"changed":"2026-05-10T12:00:00Z"'),
      );
      machine.store(header, ...old);
      await machine.clock.sleep(2 * DAY);
      const { warnings } = await machine.plan({ maxAge: 1_000 });
      expect(warnings.map(({ code }) => code)).not.toContain('factsContradicted');
    });
  });
});

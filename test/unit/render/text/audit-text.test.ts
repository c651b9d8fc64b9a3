import { expect, test } from 'vitest';
import { buildAudit } from '../../../../src/ledger/audit.ts';
import type { RecordBody } from '../../../../src/model/ledger/record.ts';
import { auditBlocks } from '../../../../src/render/outputs/audit.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import {
  attempt,
  chained,
  GENESIS,
  lock,
  RELEASE,
  result,
} from '../../../support/ledger-records.ts';
import { settled } from '../../../support/ledger-records.ts';
import { LOOK } from '../../../support/render-look.ts';

const HASH = 'a'.repeat(64);
const PLAN = {
  type: 'PLAN',
  planId: 'plan-1',
  commit: 'c0ffee01',
  fromFile: true,
  counts: { devices: 9, sites: 1, changes: 3 },
  confidence: 'one page',
  approvedBy: 'file',
  named: true,
  raisedBy: ['exceptions.big'],
  basis: {
    tool: '1',
    at: '2026-01-01T00:00:00Z',
    expiresAt: '2026-01-08T00:00:00Z',
    commit: 'c0ffee00',
    dirty: true,
    documents: HASH,
    snapshot: HASH,
    ledger: { seq: 0, hash: '' },
    digest: HASH,
    file: HASH,
  },
} satisfies RecordBody;
const RECORDS = chained([
  GENESIS,
  lock('one'),
  PLAN,
  attempt('t1', ['a', 'b\u202e\n::error::x']),
  result('t1', 'accepted'),
  settled('a@2', 'failed'),
  { ...settled('a@2', 'done', 'person'), who: 'Ada', why: 'seen' },
  { type: 'STOP', scope: 'firmware.p', rule: 'wave', counts: {}, action: 'abort' },
  { ...(lock('two') as object), who: 'Ada', why: 'hung' } as RecordBody,
  RELEASE,
  lock('three'),
  RELEASE,
  lock('four'),
  {
    type: 'RELEASE',
    sums: {
      planId: 'plan-2',
      classes: { converged: 1, stale: 1_200 },
      noted: 3,
      beside: { inDoubt: 1 },
      columns: { now: 0, running: 0, later: 0, person: 1_200, done: 4, out: 57 },
    },
  },
]);
const text = (): readonly string[] => [
  ...printTerminal(
    auditBlocks(
      buildAudit(RECORDS),
      (commit, address) =>
        commit === 'c0ffee01' && address === 'exceptions.big'
          ? { ticket: 'CHG-1300', owner: 'secops', reason: 'LTS move' }
          : undefined,
      { now: 0 },
    ),
    LOOK,
  ),
];

test('reads as a page of 80 columns that nobody has to look up', () => {
  expect(`${text().join('\n')}\n`).toMatchInlineSnapshot(`
    "Ledger ledger-1, record 14 22a9ff290fa3
    The ledger has no device names, so devices appear by ID. \`--format json\` has
      full digests.

      Run 1  Thu 1 Jan 2026 00:00 UTC, did not end normally
        by       ci@host, version 1
        commit   c0ffee01, with uncommitted documents
        plan     plan-1, approved as a saved plan, by its ID
        read     9 devices (one page)
        inputs   Thu 1 Jan 2026 00:00 UTC, commit c0ffee00, ledger record 0,
                 documents aaaaaaaaaaaa, snapshot aaaaaaaaaaaa
        digest   aaaaaaaaaaaa
        raised   exceptions.big: CHG-1300, secops: LTS move
        outcome  not recorded: the run did not end normally
        task     Thu 1 Jan 2026 00:00 UTC  Upgrade firmware on 2 devices, window w:
                 accepted, task task-of-t1
                 t1
        device   a  firmware.p → 2: failed Thu 1 Jan 2026 00:00 UTC; then verified
                 (confirmed by a person) Thu 1 Jan 2026 00:00 UTC, by Ada: seen
        device   b\\u{202e}\\u{a}::error::x  firmware.p → 2: not finished
        resolve  Thu 1 Jan 2026 00:00 UTC  a, firmware.p: verified, ID a@2, by Ada:
                 seen
        stop     Thu 1 Jan 2026 00:00 UTC  firmware.p aborted by rule wave

      Run 2  Thu 1 Jan 2026 00:00 UTC, to Thu 1 Jan 2026 00:00 UTC
        by       ci@host, version 1
        unlock   Thu 1 Jan 2026 00:00 UTC  lock of another run released by Ada: hung

      Run 4  Thu 1 Jan 2026 00:00 UTC, to Thu 1 Jan 2026 00:00 UTC
        by       ci@host, version 1
        plan     plan-2
        outcome  0 devices verified, 0 failed, 1 in doubt, 1,200 stale; 1,261
                 selected: 1,200 need you, 4 done, 57 out
        other    1 in doubt, not of this plan

    1 run started nothing.
    "
  `);
});

test('devices of one task that ended alike stand together, with what each had', () => {
  const records = chained([
    GENESIS,
    lock('one'),
    PLAN as RecordBody,
    attempt('t1', ['a', 'b', 'c', 'd']),
    result('t1', 'accepted'),
    settled('a@2', 'done'),
    settled('b@2', 'failed'),
    settled('c@2', 'done'),
    RELEASE,
  ]);
  const view = buildAudit(records);
  const lines = [
    ...printTerminal(
      auditBlocks(view, () => undefined, { now: 0 }),
      LOOK,
    ),
  ].map((line) => line.trim());
  const [from, to] = [lines.indexOf('t1') + 1, lines.length];
  expect(lines.slice(from, to).join(' ').trim()).toBe(
    'devices  2  firmware.p → 2: verified (result only) Thu 1 Jan 2026 00:00 UTC: a, c ' +
      'device   b  firmware.p → 2: failed Thu 1 Jan 2026 00:00 UTC device   d  firmware.p → 2: not finished',
  );
});

test('no line is wider than that, and nothing of the data is obeyed', () => {
  for (const line of text()) {
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line).not.toMatch(/\u202e|(^|\s)::/);
  }
});

test.each([
  ['c0ffee01', false, 'approved by the commit (--yes)'],
  ['c0ffee01', true, 'approved with --yes'],
  ['', false, 'approved with --yes'],
])('a plan of commit "%s" with changed files %s is %s', (commit, dirty, said) => {
  const plan = { ...PLAN, commit, approvedBy: 'commit', fromFile: false, named: false };
  const basis = { ...PLAN.basis, dirty };
  const records = chained([GENESIS, lock('one'), { ...plan, basis } as RecordBody, RELEASE]);
  const lines = [
    ...printTerminal(
      auditBlocks(buildAudit(records), () => undefined, { now: 0 }),
      LOOK,
    ),
  ];
  expect(lines.find((line) => line.includes('plan-1'))?.endsWith(`, ${said}`)).toBe(true);
});

test.each([
  ['atWork', /^ {2}Run 1 .*, running$/m, /^Run 1 .* has been running since/m],
  ['dead', /^ {2}Run 1 .*, did not end normally$/m, /^Run 1 .* is dead/m],
] as const)('a run without an end that is %s says so', (is, entry, first) => {
  const records = chained([GENESIS, lock('one'), PLAN as RecordBody]);
  const run = { is, epoch: 1, label: 'Ada', host: 'vm', pid: 7, since: 0, lastSignAt: 0 };
  const view = buildAudit(records);
  const said = [
    ...printTerminal(
      auditBlocks(view, () => undefined, { run, now: 0 }),
      LOOK,
    ),
  ];
  expect(said.join('\n')).toMatch(entry);
  expect(said.join('\n')).toMatch(first);
});

import { describe, expect, it } from 'vitest';
import { basisNow, recheck } from '../../../src/apply/send/recheck.ts';
import { KINDS } from '../../../src/kinds/index.ts';
import { verify } from '../../../src/kinds/verify.ts';
import type { Facts } from '../../../src/model/fleet/snapshot.ts';
import type { NoteClass } from '../../../src/model/plan/change.ts';
import type { Reason } from '../../../src/model/plan/reason.ts';
import type { TaskType } from '../../../src/model/fleet/task.ts';
import { plan } from '../../../src/plan/plan.ts';
import { atWork } from '../../support/last-look.ts';
import { madeOnce, readScenario } from '../../support/plan-scenario.ts';

const SCENARIO = '300-N6-not-read-is-neither-absent-nor-unreadable';
const HOUR = 3_600_000;

/** What a single read of a device shows, and what `absent` is of its kind. */
interface FactKind {
  readonly task: TaskType;
  readonly device: string;
  readonly read: keyof Facts;
  readonly absent: (known: Facts) => Facts;
}

/** The same credential, of which no date is known. */
function markerIn(passwords: Facts['passwords']): string {
  return typeof passwords === 'object' ? (passwords.marker ?? '') : '';
}

const FACTS: Readonly<Record<'password' | 'certificate' | 'target', FactKind>> = {
  password: {
    task: 'rotatePassword',
    device: 'cam-1-known-password',
    read: 'passwords',
    absent: ({ passwords }) => ({ passwords: { marker: markerIn(passwords) } }),
  },
  certificate: {
    task: 'rotateSslCertificate',
    device: 'cam-2-known-certificate',
    read: 'certificates',
    absent: () => ({ certificates: 'none' }),
  },
  target: {
    task: 'upgradeFirmware',
    device: 'cam-3-known-target',
    read: 'targetFirmware',
    absent: () => ({ targetFirmware: [] }),
  },
};

const UNKNOWN = 'unsupported valueUnknown';
const SKIPPED = `skip ${UNKNOWN}`;

type Value = 'known' | 'absent' | 'unreadable' | 'notRead';

/** What is decided at the plan, at the last look, and as proof of a task an hour ago, for each value. */
const DECIDED: readonly (readonly [
  kind: keyof typeof FACTS,
  value: Value,
  plan: string,
  look: string,
  proof: string,
])[] = [
  ['password', 'known', 'run act ageReached', 'holds', 'pending mismatch'],
  ['password', 'absent', 'run act ageUnknown', 'skipped stale', 'pending mismatch'],
  ['password', 'unreadable', SKIPPED, `skipped ${UNKNOWN}`, 'pending noFreshRead'],
  ['password', 'notRead', 'note notRead', 'skipped notRead', 'pending noFreshRead'],
  ['certificate', 'known', 'run act renewalDue', 'holds', 'pending mismatch'],
  ['certificate', 'absent', 'run act ageUnknown', 'skipped stale', 'pending mismatch'],
  ['certificate', 'unreadable', SKIPPED, `skipped ${UNKNOWN}`, 'pending noFreshRead'],
  ['certificate', 'notRead', 'note notRead', 'skipped notRead', 'pending noFreshRead'],
  // Firmware is proved by the row alone, whatever the service offers now.
  ['target', 'known', 'run act versionDiffers', 'holds', 'pending mismatch'],
  ['target', 'absent', 'note alreadyConverged', 'skipped stale', 'pending mismatch'],
  ['target', 'unreadable', SKIPPED, `skipped ${UNKNOWN}`, 'pending mismatch'],
  ['target', 'notRead', 'note notRead', 'skipped notRead', 'pending mismatch'],
];

async function decide(kind: keyof typeof FACTS, value: Value): Promise<readonly string[]> {
  const { task, device: id, read, absent } = FACTS[kind];
  const scenario = readScenario(SCENARIO);
  const { input } = await madeOnce(scenario);
  const { snapshot } = input;
  const known = snapshot.facts(id);
  const facts: Facts = {
    known,
    absent: { ...known, ...absent(known) },
    unreadable: { ...known, [read]: 'unreadable' },
    notRead: { ...known, [read]: 'notRead' },
  }[value] as Facts;
  const planned = plan({
    ...input,
    snapshot: { ...snapshot, facts: (other) => (other === id ? facts : snapshot.facts(other)) },
  }).plan;
  const change = [...planned.changes].find((one) => one.id === `${task}/${id}`);
  const before = (await madeOnce(scenario)).planned.plan.notes;
  const note = planned.notes.find(
    (one) => one.count > (before.find((other) => isSame(one, other))?.count ?? 0),
  );
  const { run, candidates, survey } = await atWork(scenario);
  const candidate = candidates.find((one) => one.change.id === `${task}/${id}`);
  if (!candidate) throw new Error('no candidate');
  const { reading } = run;
  const device = survey.snapshot.devices.at(survey.snapshot.devices.rowOf(id) ?? 0);
  const basis = basisNow(run, {
    outages: reading.outagesNow(),
    schedule: reading.schedule,
    followed: reading.followNow(),
  });
  const look = recheck(run, candidate, { basis, seen: { device, facts } });
  const completedAt = input.now - HOUR / 2;
  const { target, marker } = candidate.change;
  const proof = verify({
    kind: KINDS[task],
    limit: HOUR,
    attempted: { target, marker, attemptedAt: input.now - HOUR, completedAt },
    seen: { device, facts, readAt: input.now },
    now: input.now,
  });
  return [
    change ? `${change.action} ${said(change.reason)}` : `note ${note && said(note.reason)}`,
    look.is === 'holds' ? 'holds' : `${look.said.outcome} ${said(look.said.reason)}`,
    'why' in proof ? `${proof.is} ${proof.why}` : proof.is,
  ];
}

function isSame(one: NoteClass, other: NoteClass): boolean {
  return one.task === other.task && one.reason.code === other.reason.code;
}

function said(reason: Reason | undefined): string {
  return [reason?.code, reason?.why].filter(Boolean).join(' ');
}

describe('F4 a value of a single device', () => {
  it.each(DECIDED)('N6 a %s that is %s', async (kind, value, ...decided) => {
    expect(await decide(kind, value)).toEqual(decided);
  });
});

// The ledger of many nights, as runs leave it: each night takes the lease, plans, sends batches of one policy, settles
// them and releases. All goes through the journal and its store, so it has whatever they write, and nothing that the
// protocol forbids.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { IDENTITY } from '../../src/git/ledger-remote.ts';
import { computeIntentId } from '../../src/ledger/intent-id.ts';
import { tenantFingerprint } from '../../src/ledger/ground-due.ts';
import { digest, sha256 } from '../../src/lib/canonical.ts';
import { DAY, formatInstant, type Instant, type Milliseconds, MINUTE } from '../../src/lib/time.ts';
import { TASK_TYPES } from '../../src/model/fleet/task.ts';
import type { FirmwarePolicy } from '../../src/model/documents/policy.ts';
import type { GroundTerms } from '../../src/model/ledger/ground.ts';
import type { LedgerRemote } from '../../src/model/ledger/ledger-remote.ts';
import type { CoverageTerms } from '../../src/model/ledger/coverage.ts';
import type { Memory } from '../../src/model/ledger/memory.ts';
import type { AttemptedIntent, ObservedKind, RecordBody } from '../../src/model/ledger/record.ts';
import type { RunSums } from '../../src/model/ledger/run-sums.ts';
import { memberSubject } from '../../src/model/ledger/sightings.ts';
import { policyDigest } from '../../src/model/plan/policy-digest.ts';
import type { Clock, Journal, LedgerStore, Random } from '../../src/model/ports.ts';
import { openJournal } from '../../src/store/journal.ts';

/** A device that nights upgrade, with the policy that has it. */
export interface AgedDevice {
  readonly id: string;
  readonly model: string;
  readonly site: string;
  readonly policy: FirmwarePolicy;
  /** It does not have the present version, so that the last release left it out. */
  readonly isBehind: boolean;
}

export interface Nights {
  readonly store: LedgerStore;
  readonly leaseTtl: number;
  readonly nights: number;
  /** How many devices a night upgrades. */
  readonly changes: number;
  /** When the last night begins. */
  readonly last: Instant;
  readonly devices: readonly AgedDevice[];
  readonly ground: Omit<GroundTerms, 'who' | 'why'>;
  /** The digest of the documents. */
  readonly documents: string;
  /** The instant of the record that is being written, for the commits of a branch. */
  readonly onTime?: (at: Instant) => void;
}

const BATCH = 10;
const WAVES = { canary: 5, early: 5, broad: 25 } as const;

/**
 * Appends all nights to an empty ledger, and returns the number of its records. The last device of the last release is
 * that of the last night.
 */
export async function appendNights(all: Nights): Promise<number> {
  const clock = virtualClock(all);
  const { service } = all.ground;
  const journal = await openJournal({
    store: all.store,
    clock,
    random: seeded(),
    fingerprint: tenantFingerprint(service),
    tool: '0.2.0',
    host: 'runner',
    pid: 1,
    processStartedAt: 'start',
    isAlive: () => false,
    leaseTtl: all.leaseTtl,
    ground: {
      due: ({ ground }) =>
        ground ? [] : [{ type: 'GROUND', ...all.ground, who: 'bench', why: 'first' }],
      check: () => undefined,
    },
  });
  const settled = all.devices.filter(({ isBehind }) => !isBehind);
  const perRelease = Math.ceil(settled.length / all.changes);
  for (let night = 0; night < all.nights; night += 1) {
    const left = all.nights - 1 - night;
    const slot = perRelease - 1 - (left % perRelease);
    const release = Math.floor(left / perRelease);
    clock.set(all.last - left * DAY);
    await appendNight(all, journal, {
      clock,
      night,
      release,
      devices: settled.slice(slot * all.changes, (slot + 1) * all.changes),
    });
  }
  return journal.memory.head.seq;
}

interface Night {
  readonly clock: VirtualClock;
  readonly night: number;
  /** How many releases came after this one. */
  readonly release: number;
  readonly devices: readonly AgedDevice[];
}

async function appendNight(all: Nights, journal: Journal, now: Night): Promise<void> {
  const { clock, devices } = now;
  const append = async (...bodies: readonly RecordBody[]): Promise<void> => {
    clock.pass(MINUTE / 2);
    await journal.append(bodies);
  };
  await journal.take({ waitMs: 0, takeOver: false, label: 'ci' });
  const plan = planBody(all, journal, now);
  const batches = batchesOf(devices);
  const seen = new Set(batches.map(({ policy }) => policy));
  const fresh = [...seen].filter((policy) => !isAdopted(journal, policy));
  const seenAt = clock.text();
  if (fresh.length > 0)
    await append(...fresh.map(({ address }) => seenBody('adopted', address, seenAt)));
  const intents: AttemptedIntent[] = [];
  for (const [n, batch] of batches.entries()) {
    const attempt = attemptBody(journal, now, { ...batch, n, planId: plan.planId });
    intents.push(...attempt.intents);
    const before = [...(n === 0 ? [plan] : []), ...rolloutBodies(all, journal, now, batch.policy)];
    await append(...before, attempt);
    const taskId = `${digest([now.night, n]).slice(0, 8)}-0000-4000-8000-000000000000`;
    const answer = { outcome: 'accepted', row: 'P03', status: 200, taskId } as const;
    await append({
      type: 'RESULT',
      attemptId: attempt.attemptId,
      ...answer,
      answeredAt: clock.text(),
    });
  }
  for (const half of [intents.slice(0, intents.length / 2), intents.slice(intents.length / 2)])
    await append(...half.map((intent) => settledBody(intent, clock)));
  for (const policy of seen) await append(...progressBodies(all, journal, policy, clock));
  await journal.release(() => ({ sums: sumsOf(plan), coverage: coverageOf(all, now) }));
  clock.pass(MINUTE / 2);
  await journal.declare(() => [{ type: 'FACTS', facts: digest(['facts', now.night]) }]);
}

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

function isAdopted({ memory }: Journal, { address }: FirmwarePolicy): boolean {
  return memory.sightings?.get(`adopted/${address}`) !== undefined;
}

function planBody(all: Nights, journal: Journal, { clock, night, devices }: Night): Body<'PLAN'> {
  const at = clock.text();
  const { commit } = all.ground;
  const digests = { documents: all.documents, snapshot: sha256(`snapshot ${night}`) };
  const expiresAt = formatInstant(clock.now() + DAY);
  return {
    type: 'PLAN',
    planId: digest(['plan', night]).slice(0, 26),
    commit,
    fromFile: false,
    counts: { devices: all.devices.length, sites: siteCounts(all).size, changes: devices.length },
    confidence: 'two equal passes',
    approvedBy: 'commit',
    named: false,
    basis: {
      tool: '0.2.0',
      at,
      expiresAt,
      commit,
      dirty: false,
      ...digests,
      ledger: journal.memory.head,
      digest: sha256(`decisions ${night}`),
    },
  };
}

interface Batch {
  readonly policy: FirmwarePolicy;
  readonly devices: readonly AgedDevice[];
}

/** A batch has one policy (protocol X17). */
function batchesOf(devices: readonly AgedDevice[]): readonly Batch[] {
  const batches: Batch[] = [];
  for (const device of devices) {
    const last = batches.at(-1);
    const isRoom = last?.policy === device.policy && last.devices.length < BATCH;
    if (isRoom) batches.splice(-1, 1, { ...last, devices: [...last.devices, device] });
    else batches.push({ policy: device.policy, devices: [device] });
  }
  return batches;
}

/** The version that a release brought: that of the policy, or one of some release before it. */
function versionOf({ version }: FirmwarePolicy, release: number): string {
  return release === 0 && version.is === 'exact' ? version.version : `10.${1_000 - release}.1`;
}

function attemptBody(
  { memory, nonce }: Journal,
  { clock, release, night }: Night,
  { policy, devices, n, planId }: Batch & { readonly n: number; readonly planId: string },
): Body<'ATTEMPT'> {
  const target = versionOf(policy, release);
  const marker = versionOf(policy, release + 1);
  const task = 'upgradeFirmware';
  const kept = { target, generation: 1 };
  const intents = devices.map(({ id, model, site }) => ({
    id: computeIntentId(memory.ledgerId, { task, device: id, ...kept }),
    device: id,
    ...kept,
    policy: policy.address,
    sites: [site],
    model,
    before: digest({ firmwareVersion: marker }),
    marker,
  }));
  return {
    type: 'ATTEMPT',
    attemptId: `${nonce}.${night}.${n}`,
    planId,
    task,
    intents,
    batchDigest: digest(intents),
    window: 'nights',
    sendBy: formatInstant(clock.now() + MINUTE),
  };
}

/** The ROLLOUT of a policy with its first attempt of a release: all of its devices, in the built-in waves. */
function rolloutBodies(
  { devices }: Nights,
  { memory }: Journal,
  { release }: Night,
  policy: FirmwarePolicy,
): readonly Body<'ROLLOUT'>[] {
  const targetDigest = rolloutDigest(policy, release);
  if (memory.rollouts.get(policy.address)?.targetDigest === targetDigest) return [];
  const own = devices.filter((device) => device.policy === policy);
  const base = [...own.filter(isDone), ...own.filter((device) => !isDone(device))];
  const ends = waveEnds(base.length);
  const waves = ends.map(({ name, end }, n) => {
    const size = end - (ends[n - 1]?.end ?? 0);
    return { name, devices: size, asked: size };
  });
  return [
    {
      type: 'ROLLOUT',
      policy: policy.address,
      targetDigest,
      base: base.map(({ id }) => id),
      waves,
    },
  ];
}

function isDone({ isBehind }: AgedDevice): boolean {
  return !isBehind;
}

/** The present release has the digest that a plan computes; earlier ones have one of their own. */
function rolloutDigest(policy: FirmwarePolicy, release: number): string {
  return release === 0 ? policyDigest(policy) : digest([policy.address, release]);
}

function waveEnds(total: number): readonly { readonly name: string; readonly end: number }[] {
  const share = (percent: number): number => Math.max(Math.ceil((total * percent) / 100), 5);
  return [
    { name: 'canary', end: Math.min(WAVES.canary, total) },
    { name: 'early', end: Math.min(share(WAVES.early), total) },
    { name: 'broad', end: Math.min(share(WAVES.broad), total) },
    { name: 'rest', end: total },
  ];
}

/** A sample of the gate, and each wave that has passed. */
function progressBodies(
  { devices }: Nights,
  { memory }: Journal,
  { address }: FirmwarePolicy,
  clock: VirtualClock,
): readonly Body<'SEEN'>[] {
  const rollout = memory.rollouts.get(address);
  if (!rollout) return [];
  const behind = new Set(devices.filter(({ isBehind }) => isBehind).map(({ id }) => id));
  const key = `${address}#${rollout.seq}`;
  const seenAt = clock.text();
  const done = rollout.base.filter((id) => !behind.has(id) && isUpgraded(memory, id, rollout.seq));
  const passed = waveEnds(rollout.base.length).filter(
    ({ name, end }) =>
      end <= done.length &&
      memory.sightings?.get(`wavePassed/${memberSubject(key, name)}`) === undefined,
  );
  const sample = `${memberSubject(key, 'broad')}@${clock.now()}`;
  return [
    ...passed.map(({ name }) => seenBody('wavePassed', memberSubject(key, name), seenAt)),
    { ...seenBody('gateSample', sample, seenAt), value: 'good' },
  ];
}

function isUpgraded(memory: Memory, id: string, rollout: number): boolean {
  return memory.intentsOf(id).some((intent) => intent.rollout === rollout);
}

function seenBody(what: ObservedKind, subject: string, seenAt: string): Body<'SEEN'> {
  return { type: 'SEEN', what, subject, seenAt };
}

function settledBody({ id, target }: AttemptedIntent, clock: VirtualClock): Body<'SETTLED'> {
  const at = clock.text();
  const evidence = [{ source: 'device', field: 'firmwareVersion', value: target, at }];
  return { type: 'SETTLED', intentId: id, verdict: 'done', by: 'verify', evidence, seconds: 312 };
}

function sumsOf({ planId, counts: { changes } }: Body<'PLAN'>): RunSums {
  const columns = { now: 0, running: 0, later: 0, person: 0, done: changes, out: 0 };
  return { planId, classes: { verified: changes }, noted: 0, beside: {}, columns };
}

function coverageOf(all: Nights, { clock }: Night): CoverageTerms {
  const { length } = all.devices;
  return {
    seen: Object.fromEntries(siteCounts(all)),
    // A service never offers a task for all; more on record than it offers would be a task that was lost.
    offered: Object.fromEntries(TASK_TYPES.map((task) => [task, Math.floor(length * 0.9)])),
    person: [],
    documents: all.documents,
    next: formatInstant(clock.now() + DAY),
  };
}

function siteCounts({ devices }: Nights): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { site } of devices) counts.set(site, (counts.get(site) ?? 0) + 1);
  return counts;
}

interface VirtualClock extends Clock {
  set(at: Instant): void;
  pass(ms: Milliseconds): void;
  text(): string;
}

/** A clock that only its owner moves. */
function virtualClock({ last, onTime }: Nights): VirtualClock {
  let at = last;
  const set = (next: Instant): void => {
    at = next;
    onTime?.(at);
  };
  return {
    set,
    pass: (ms) => set(at + ms),
    text: () => formatInstant(at),
    now: () => at,
    monotonic: () => at,
    sleep: async (ms) => set(at + ms),
  };
}

/** Chance that is the same in every run. */
function seeded(): Random {
  let n = 0;
  return () => Number.parseInt(digest(n++).slice(0, 8), 16) / 2 ** 32;
}

/** A branch that is written in place. */
export interface ImportedBranch extends LedgerRemote {
  /** The instant of the next commits. */
  at: Instant;
  /** Ends git, so that the branch has what was written. */
  close(): Promise<void>;
}

/**
 * Writes a branch of a bare repository through `git fast-import`, some hundred times as fast as by a process for each
 * object and a push for each commit. The trees and messages are those of the real remote, which a test compares.
 */
export function importBranch(repository: string, branch: string): ImportedBranch {
  const git = spawn('git', ['-C', repository, 'fast-import', '--quiet', '--date-format=raw'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: git.stdout })[Symbol.asyncIterator]();
  const ended = once(git, 'exit');
  const { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email } = IDENTITY;
  const marks = new Map<string, string>();
  let tip = '';
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;
  return {
    place: `${repository} ${branch}`,
    at: 0,
    tip: async () => tip,
    commits: async () => undefined,
    async commit({ parent, files, message }) {
      const mark = `:${marks.size + 1}`;
      const who = `${name} <${email}> ${Math.floor(this.at / 1_000)} +0000`;
      const lines = [
        `commit refs/heads/${branch}`,
        `mark ${mark}`,
        `author ${who}`,
        `committer ${who}`,
        data(`${message}\n`),
        ...(parent === '' ? [] : [`from ${marks.get(parent)}`]),
        'deleteall',
        ...Object.entries(files).flatMap(([file, text]) => [`M 100644 inline ${file}`, data(text)]),
        `get-mark ${mark}`,
      ];
      git.stdin.write(`${lines.join('\n')}\n`);
      const { value: id, done } = await answers.next();
      if (done) throw new Error('git fast-import ended');
      marks.set(id, mark);
      return id;
    },
    async move(from, to) {
      if (from !== tip) return 'elsewhere';
      tip = to;
      return 'moved';
    },
    beside() {
      throw new Error('a branch that is written in place has none beside it');
    },
    remove: async () => false,
    async close() {
      git.stdin.end();
      const [code] = await ended;
      if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
    },
  };
}

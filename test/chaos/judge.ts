import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accept } from '../../src/ledger/acceptor.ts';
import { checkChain, EMPTY_HEAD } from '../../src/ledger/chain.ts';
import { fold } from '../../src/ledger/fold.ts';
import type { LedgerRecord } from '../../src/model/ledger/record.ts';
import type { Done, Place } from '../support/blackbox.ts';
import { LEDGER_BRANCH } from './documents.ts';
import type { LaneResult, LaneSettings } from './lane.ts';

interface World {
  readonly tasks: readonly {
    readonly type: string;
    readonly deviceTasks: readonly { readonly deviceId: string }[];
  }[];
}

/** What the service was asked to do, and what the ledger and the last report say of it. */
export function judged(
  place: Place,
  { store }: LaneSettings,
  { last, problems }: { readonly last: Done; readonly problems: readonly string[] },
): Pick<LaneResult, 'tasks' | 'inDoubt' | 'duplicates' | 'untold' | 'problems'> {
  const { tasks } = JSON.parse(place.read('world.json')) as World;
  const given = tasks.flatMap(({ type, deviceTasks }) =>
    deviceTasks.map(({ deviceId }) => `${type}/${deviceId}`),
  );
  const records = store === 'git' ? gitRecords(place) : directoryRecords(place);
  const violations = accept(records).violations.map(
    ({ seq, rule, subject }) => `${rule} at ${seq}: ${subject}`,
  );
  const open = fold(records)
    .open()
    .map(({ task, device }) => `${task}/${device}`);
  return {
    tasks: tasks.length,
    inDoubt: open.length,
    duplicates: given.filter((one, nth) => given.indexOf(one) !== nth),
    untold: open.filter((change) => !last.out.includes(change)),
    problems: [...problems, ...violations, ...unchained(records)],
  };
}

function unchained(records: readonly LedgerRecord[]): readonly string[] {
  try {
    checkChain(records, EMPTY_HEAD);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function directoryRecords(place: Place): readonly LedgerRecord[] {
  const root = place.path('ledger/records');
  if (!existsSync(root)) return [];
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\d{9}\.json$/.test(name))
    .sort()
    .flatMap((name) => recordsIn(readFileSync(join(root, name), 'utf8')));
}

function gitRecords(place: Place): readonly LedgerRecord[] {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: place.path('origin.git'), encoding: 'utf8', stdio: 'pipe' });
  const commits = git('rev-list', '--reverse', LEDGER_BRANCH).trim().split('\n');
  return commits.flatMap((commit) => recordsIn(git('show', `${commit}:records.json`)));
}

function recordsIn(text: string): readonly LedgerRecord[] {
  return (JSON.parse(text) as { readonly records: readonly LedgerRecord[] }).records;
}

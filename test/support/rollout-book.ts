import type { Budget } from '../../src/model/documents/budget.ts';
import type { Allowed, Exception } from '../../src/model/documents/exception.ts';
import type { Device } from '../../src/model/fleet/device.ts';
import type { IntentState, Memory } from '../../src/model/ledger/memory.ts';
import { matchesAny } from '../../src/lib/glob.ts';
import type { Documents, DeviceGroup, Selector } from '../../src/model/documents/policy.ts';
import { TASK_TYPES, type TaskType } from '../../src/model/fleet/task.ts';
import type {
  BudgetInput,
  BudgetTracker,
  BudgetRefusal,
} from '../../src/rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../src/rollout/budgets/budgets.ts';
import { NOW, aFirmwarePolicy, aMemory, aSnapshot, entries, someDocuments } from './plan-fleet.ts';

/** What a book is opened on, shortest form. */
export interface BookCase {
  readonly devices: readonly Device[];
  readonly budgets?: Readonly<Record<string, Budget>>;
  readonly groups?: Readonly<Record<string, DeviceGroup>>;
  readonly exceptions?: Readonly<Record<string, Exception>>;
  readonly intents?: readonly IntentState[];
  readonly memory?: Partial<Memory>;
  readonly members?: BudgetInput['members'];
}

/** No other budget than those given stands in the way. */
export const NO_OTHERS: Readonly<Record<string, Budget>> = {
  'default-site': { per: 'site', maxUnavailable: { percent: 100 }, ...sick(), singletons: 'allow' },
  'default-fleet': { per: 'fleet', maxInFlight: 1_000_000, ...sick() },
};

/** Partial and unknown are down. */
export function sick(): Pick<Budget, 'treatPartialAs' | 'treatUnknownAs'> {
  return { treatPartialAs: 'unavailable', treatUnknownAs: 'unavailable' };
}

/** An exception of type `allow` that holds for every task for another hour. */
export function anAllow(allowed: Allowed, select: Selector = {}): Exception {
  const about = { reason: 'guard on site', owner: 'ops', ticket: 'OPS-10', notice: 0 };
  const until = NOW + 3_600_000;
  return { type: 'allow', ...allowed, select, tasks: TASK_TYPES, until, ...about };
}

/** Selectors of these tests name ids alone. */
export function membersOf(devices: readonly Device[]): (selector: Selector) => Selects {
  const sorted = devices.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return ({ device, deviceType }) =>
    (row) =>
      (!device || matchesAny(device, sorted[row]?.id ?? '')) &&
      (!deviceType || matchesAny(deviceType, sorted[row]?.deviceType ?? ''));
}
type Selects = (row: number) => boolean;

/** The documents of a case. */
export function documentsIn({ budgets, groups, exceptions }: BookCase): Documents {
  return someDocuments({
    budgets: entries({ ...NO_OTHERS, ...budgets }),
    groups: entries(groups ?? {}),
    exceptions: entries(exceptions ?? {}),
  });
}

export function bookOf(theCase: BookCase): BudgetTracker {
  const { devices, intents, memory } = theCase;
  return openBudgetTracker({
    documents: documentsIn(theCase),
    snapshot: aSnapshot(devices),
    memory: aMemory(intents, memory),
    now: NOW,
    members: theCase.members ?? membersOf(devices),
  });
}

const POLICY = aFirmwarePolicy('lts');

/** Asks for a share for one device. */
export function ask(
  book: BudgetTracker,
  deviceId: string,
  task: TaskType = 'upgradeFirmware',
): BudgetRefusal | undefined {
  const disruptive = task !== 'onboardDevice';
  return book.take({
    task,
    deviceId,
    policy: POLICY,
    rollout: { maxInFlight: Infinity },
    disruptive,
  });
}

/** The devices that get a share, asked in order. */
export function taken(theCase: BookCase): readonly string[] {
  const book = bookOf(theCase);
  return theCase.devices.map(({ id }) => id).filter((id) => ask(book, id) === undefined);
}

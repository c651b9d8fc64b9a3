import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { LedgerRecord, RecordBody } from '../../src/model/ledger/record.ts';
import { systemClock } from '../../src/shell/clock.ts';
import { judged } from '../chaos/judge.ts';
import { createPlace, PATIENCE, type Place, type Running } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

/** What one task has after the single device with which a task type begins, and what the fleet has. */
const IN_TASK = 2_500;
const DEVICES = 5_000;

const FLEET = `service:
  baseUrl: https://api.example.com
  organization: acme
  pace: {requestsPerSecond: 100000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: {store: directory, path: ledger}
  dialect: {maxDevicesPerTask: ${IN_TASK}}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxInFlight: ${DEVICES}}
  default-storage-server: {per: storageServer, maxInFlight: ${DEVICES}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: ${DEVICES}}}
rollouts:
  at-once: {canary: none, waves: [{name: all, percent: 100%}], stopOn: {wave: 100%, model: 100%}, maxInFlight: ${DEVICES}, batch: ${IN_TASK}}
rotations:
  all: {task: rotatePassword, select: {vendor: "*"}, generation: 2, leavesInService: true, rollout: at-once, windows: anytime}
`;

/** The second page of a poll and the POST of the last task are held, each once, so that a run can end there. */
const held = (match: object) => ({ match, fault: { type: 'latency', ms: 20_000 } });
const FAULTS = [
  held({ endpoint: 'createTask', nth: 3 }),
  held({ endpoint: 'getTask', query: 'offset=995', nth: 1 }),
  // The first looks at passwords show half of the devices as they were before: the outcomes of a task come in parts.
  {
    match: { endpoint: 'listPasswords', share: 0.5, times: 1_600 },
    fault: { type: 'stale', versions: 1 },
  },
];

it(
  'a process that is killed over a task of 2,500 devices, wherever it is, leaves no device with two tasks',
  PATIENCE,
  async () => {
    using place = createPlace({ isBuilt: true });
    place.clear('fleet');
    place.make('fleet/fleet.yaml', FLEET);
    const dialect = { maxDevicesPerTask: IN_TASK };
    const twin = await startTwin(place, {
      devices: DEVICES,
      world: 'world.json',
      faults: FAULTS,
      dialect,
    });
    const admin = twin.as('admin');
    const start = (flags = '') => place.start(`apply --yes --quiet ${flags}`.trim(), admin);

    // A task is accepted, and the pages of its devices are read.
    const isPolled = (taskId = ''): boolean =>
      existsSync(place.path('polls')) && place.read('polls').includes(`/tasks/${taskId}`);
    const polled = await killed(start('--trace polls'), () =>
      accepted(place).some(({ taskId }) => isPolled(taskId)),
    );
    expect([polled.code, accepted(place).length, settledIn(place)]).toEqual(['SIGKILL', 1, 0]);

    // Its devices are read back, one by one.
    const isRead = (): boolean =>
      existsSync(place.path('reads')) && place.read('reads').includes('/passwords');
    const read = await killed(start('--trace reads'), isRead);
    expect([read.code, accepted(place).length]).toEqual(['SIGKILL', 1]);

    // Some of its outcomes are on record, and the others are not.
    const settling = await killed(start(), () => settledIn(place) > 0);
    expect([settling.code, accepted(place).length]).toEqual(['SIGKILL', 1]);
    expect(settledIn(place)).toBeLessThan(IN_TASK);

    // The attempt of the other one is durable, and its POST is on the way.
    const sent = await killed(start(), () => largeAttempts(place).length > 1);
    expect([sent.code, accepted(place).length]).toEqual(['SIGKILL', 1]);

    let last = await place.run('apply --yes --format json', admin);
    for (let runs = 0; attemptsIn(last.out) > 0 && runs < 3; runs += 1)
      last = await place.run('apply --yes --format json', admin);
    await twin.stop();
    const { duplicates, untold, problems } = judged(
      place,
      { seed: 0, store: 'directory', kills: 4 },
      { last, problems: [] },
    );
    expect({ duplicates, untold, problems }).toEqual({ duplicates: [], untold: [], problems: [] });
    // Of the last task nobody can say whether its POST arrived: it is told as in doubt, and not sent again.
    const tried = bodies(place, 'ATTEMPT').flatMap(({ intents }) =>
      intents.map((one) => one.device),
    );
    expect(new Set(tried).size).toBe(tried.length);
    expect([IN_TASK + 1, tried.length]).toContain(givenIn(place));
  },
);

/** Kills a run as soon as something is so. */
async function killed(run: Running, isSo: () => boolean) {
  const ended = { is: false };
  void run.done.then(() => (ended.is = true));
  while (!ended.is && !isSo()) await systemClock.sleep(5);
  run.signal('SIGKILL');
  return run.done;
}

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

function bodies<T extends RecordBody['type']>(place: Place, type: T): readonly Body<T>[] {
  const root = place.path('ledger/records');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\d{9}\.json$/.test(name))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(`${root}/${name}`, 'utf8');
      return (JSON.parse(text) as { readonly records: readonly LedgerRecord[] }).records;
    })
    .flatMap(({ body }) => (body.type === type ? [body as Body<T>] : []));
}

function largeAttempts(place: Place) {
  return bodies(place, 'ATTEMPT').filter(({ intents }) => intents.length > 1);
}

/** What the service has said to the large tasks that it took, as far as the ledger knows. */
function accepted(place: Place) {
  const ids = new Set(largeAttempts(place).map(({ attemptId }) => attemptId));
  const results = bodies(place, 'RESULT').filter(({ outcome }) => outcome === 'accepted');
  return results.filter(({ attemptId }) => ids.has(attemptId));
}

/** How many devices of the first large task have their outcome. */
function settledIn(place: Place): number {
  const [task] = largeAttempts(place);
  const ids = new Set(task?.intents.map(({ id }) => id));
  return bodies(place, 'SETTLED').filter(({ intentId }) => ids.has(intentId)).length;
}

function attemptsIn(out: string): number {
  return (JSON.parse(out) as { readonly attempts: number }).attempts;
}

/** How many devices the service has a task of. */
function givenIn(place: Place): number {
  const { tasks } = JSON.parse(place.read('world.json')) as {
    readonly tasks: readonly { readonly deviceTasks: readonly object[] }[];
  };
  return tasks.reduce((sum, { deviceTasks }) => sum + deviceTasks.length, 0);
}

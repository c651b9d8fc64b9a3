import { expect, it } from 'vitest';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { accept } from '../../../src/ledger/acceptor.ts';
import { liftNow, runOnce, type Ran } from '../../support/rehearsal.ts';
import { clockedTime } from '../../../src/render/words/moment.ts';
import { stopBlocks } from '../../../src/render/outputs/warnings.ts';
import { shown } from '../../support/render-look.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';

interface Task {
  userName: string;
  deviceTasks: { deviceId?: string; deviceTaskId?: string; taskType?: string }[];
  total: number;
}

/** A run in which the answers about tasks are changed from some poll on, with a budget of one. */
async function withTasks(change: (task: Task, poll: number) => void) {
  const happy = readRehearsal('happy-batch');
  const rehearsal = { ...happy, documents: { ...happy.documents, budgets: new Map() } };
  const world = createWorld(rehearsal.script);
  let polls = 0;
  const handle = async (request: Request): Promise<Response> => {
    const answer = await world.twin.handle(request);
    if (request.method !== 'GET' || !request.url.includes('/v1/tasks/')) return answer;
    const task = (await answer.clone().json()) as Task;
    change(task, (polls += 1));
    return Response.json(task, { headers: answer.headers });
  };
  const changed = { ...world, twin: { ...world.twin, handle } };
  const { report } = await runOnce(rehearsal, changed, { process: 1 });
  if (!report) throw new Error('no report');
  const again = (process: number): Promise<Ran> => runOnce(rehearsal, world, { process });
  const lift = (): Promise<void> =>
    liftNow(rehearsal, world, { process: 9 }, { ticket: 'INC-1', reason: 'it was our own test' });
  return { report, lines: linesOf(world.store.records), records: world.store.records, again, lift };
}

it('X11 a task of another user stops the run, without naming the user', async () => {
  const { report, lines } = await withTasks((task, poll) => {
    if (poll > 1) task.userName = 'Eve';
  });
  expect(report).toMatchObject({ ended: 'unfit', attempts: 1 });
  expect(exitOfRun(report)).toBe(9);
  expect(lines.filter((line) => line.startsWith('ANOMALY foreignUser'))).toHaveLength(1);
  expect(JSON.stringify([report.anomalies, lines])).not.toContain('Eve');
});

it('X11 a device that nobody sent stops the run', async () => {
  const { report, lines } = await withTasks((task) => {
    const [first] = task.deviceTasks;
    task.deviceTasks.push({ ...first, deviceTaskId: 'dt-x', deviceId: 'dev-x' });
    task.total += 1;
  });
  expect(report).toMatchObject({ ended: 'unfit', attempts: 1 });
  expect(exitOfRun(report)).toBe(9);
  expect(lines).toContainEqual(expect.stringMatching(/^ANOMALY foreignDevices .*dev-x/));
});

it('X11 a task of another type stops the run, is named, and verifies nothing', async () => {
  const { report, lines } = await withTasks(({ deviceTasks }) => {
    for (const each of deviceTasks) each.taskType = 'restartDevice';
  });
  expect(report).toMatchObject({ ended: 'unfit', attempts: 1, counts: { verified: 0 } });
  expect(report.anomalies).toContainEqual(expect.stringMatching(/^foreignType: .*restartDevice$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ANOMALY foreignType .*restartDevice/));
});

it('a type in words of its own says nothing', async () => {
  const { report } = await withTasks(({ deviceTasks }) => {
    for (const each of deviceTasks) each.taskType = 'Device restart';
  });
  expect(report.counts).toMatchObject({ verified: 4 });
});

it.each([
  ['another user', (task: Task): void => void (task.userName = 'Eve')],
  [
    'a device that nobody sent',
    (task: Task): void => void task.deviceTasks.push({ deviceId: 'dev-x' }),
  ],
] as const)('I17: after %s later runs stay stopped until a person lifts it', async (_, change) => {
  const { records, again, lift } = await withTasks((task, poll) => {
    if (poll <= 1) return;
    change(task);
    task.total = task.deviceTasks.length;
  });
  expect(linesOf(records).filter((line) => line.startsWith('STOP pause fleet'))).toHaveLength(1);
  const next = await again(2);
  expect(next.report).toMatchObject({ attempts: 0, counts: { notStarted: 3 } });
  await lift();
  expect((await again(3)).report?.counts).toMatchObject({ verified: 3 });
  expect(accept(records).violations).toEqual([]);
});

it('X11 an onboarded device with another ID stops the fleet, with the key that allows it', async () => {
  const renaming = readRehearsal('an-onboarded-device-has-another-id');
  const { service } = renaming.documents;
  const told = { ...service, value: { ...service.value, dialect: {} } };
  const rehearsal = { ...renaming, documents: { ...renaming.documents, service: told } };
  const world = createWorld(rehearsal.script);
  const first = await runOnce(rehearsal, world, { process: 1 });
  expect(first.report?.anomalies).toContainEqual(expect.stringMatching(/^foreignDevices: /));
  const stops = stopBlocks('Stopped', first.report?.stops ?? [], clockedTime(undefined, 0));
  expect(shown(stops)).toContain('`service.dialect.onboardedId: unknown`');
  const { report } = await runOnce(rehearsal, world, { process: 2 });
  const params = { why: 'foreignDevices', key: 'onboardedId' };
  expect(report).toMatchObject({ attempts: 0, failure: { code: 'unexpectedShape', params } });
});

it('tasks that all name the same user, or none, are ours', async () => {
  expect((await withTasks(() => undefined)).report.counts).toMatchObject({ verified: 4 });
  const nobody = await withTasks((task) => void delete (task as Partial<Task>).userName);
  expect(nobody.report.counts).toMatchObject({ verified: 4 });
});

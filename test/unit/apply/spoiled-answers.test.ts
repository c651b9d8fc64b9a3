import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/shell/exit.ts';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { loadTexts } from '../../../src/config/load.ts';
import type { RunReport } from '../../../src/model/ledger/run-report.ts';
import { ANSWERS } from '../../support/not-understood.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { isTried } from '../../support/campaign.ts';
import { createWorld, type Rehearsal } from '../../support/rehearsal-world.ts';

/**
 * Whole answers that nobody understands, in place of every list, poll and read back that `apply`
 * rests on: nothing is sent on them, and nothing is called verified by them.
 */

const TEXT = `service: {baseUrl: https://twin.test, organization: acme, pace: {requestsPerSecond: 50}}
rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}], maxInFlight: 100}}
firmware: {f: {select: {device: "*"}, version: 11.11.160, rollout: one, windows: anytime}}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;
const DEVICES = 2;

function rehearsal(devices = DEVICES): Rehearsal {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text: TEXT }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  const every = {
    vendor: 'Axis',
    model: 'P3245-LVE',
    deviceType: 'camera',
    firmwareVersion: '11.11.124',
    condition: 'well',
    maintenance: false,
  } as const;
  const script = { about: '', devices, sites: 1, every, runs: [{}] };
  return { name: 'spoiled', script, documents };
}

interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The first POST was accepted. */
  readonly isSent: boolean;
}

/** Where an answer is spoiled, for as long as the run lasts. */
const PLACES: Readonly<Record<string, (asked: Asked) => boolean>> = {
  'the lists of what is down': ({ path, query }) =>
    path === '/v1/devices' && (query.has('status') || query.has('maintenanceMode')),
  'every list of devices after the plan': ({ path, isSent }) => path === '/v1/devices' && isSent,
  'the poll of a task': ({ path }) => path.startsWith('/v1/tasks/'),
  'the read back of a device': ({ path, isSent }) =>
    isSent && (path.startsWith('/v1/devices/') || path === '/v1/devices'),
};

interface Came {
  readonly posts: readonly string[];
  readonly report: RunReport | undefined;
}

async function applied(place: string, answer: (body: unknown) => Response): Promise<Came> {
  const isSpoiled = PLACES[place];
  const plain = createWorld(rehearsal().script);
  const posts: string[] = [];
  const handle = async (request: Request): Promise<Response> => {
    const isPost = request.method === 'POST' && request.url.endsWith('/v1/tasks');
    if (isPost) posts.push(await request.clone().text());
    const came = await plain.twin.handle(request);
    const { pathname: path, searchParams: query } = new URL(request.url);
    const asked = { path, query, isSent: posts.length > 0 };
    const isMeant = request.method === 'GET' && came.ok && isSpoiled?.(asked);
    return isMeant ? answer(await came.json()) : came;
  };
  const world = { ...plain, twin: { ...plain.twin, handle } };
  const { report } = await runOnce(rehearsal(), world, { process: 1 });
  return { posts, report };
}

/** What may be sent, and verified, while an answer is spoiled at each place. */
const MOST: Readonly<Record<string, { readonly posts: number; readonly verified: number }>> = {
  'the lists of what is down': { posts: 0, verified: 0 },
  'every list of devices after the plan': { posts: 1, verified: 1 },
  'the poll of a task': { posts: DEVICES, verified: 0 },
  'the read back of a device': { posts: 1, verified: 0 },
};

describe.each(Object.entries(MOST).map((each, at) => [...each, at] as const))(
  'D9 in place of %s',
  (place, most, at) => {
    it.each(Object.entries(ANSWERS).filter((_, nth) => isTried(nth + at)))(
      '%s sends and verifies nothing',
      async (_, answer) => {
        const { posts, report } = await applied(place, answer);
        const sent = posts.flatMap((body) => [...body.matchAll(/dev-\d+/g)].map(([id]) => id));
        expect(new Set(sent).size).toBe(sent.length);
        expect(posts.length).toBeLessThanOrEqual(most.posts);
        expect(report?.counts.verified).toBe(most.verified);
        expect(report && exitOfRun(report)).not.toBe(EXIT.done);
      },
    );
  },
);

describe('X19 one row of a task that nobody understands', () => {
  it.each([
    ['is no object', () => null],
    ['names no device', ({ deviceId: _, ...row }: TaskRow) => row],
    ['is of another task', (row: TaskRow) => ({ ...row, taskId: 'another' })],
  ])('and %s holds up its device alone', async (_, spoil) => {
    const plain = createWorld(rehearsal(3).script);
    const held = 'dev-3';
    const handle = async (request: Request): Promise<Response> => {
      const came = await plain.twin.handle(request);
      if (request.method !== 'GET' || !request.url.includes('/v1/tasks/')) return came;
      const answer = (await came.json()) as { readonly deviceTasks: readonly TaskRow[] };
      const deviceTasks = answer.deviceTasks.map((row) =>
        row.deviceId === held && answer.deviceTasks.length > 1 ? spoil(row) : row,
      );
      return Response.json({ ...answer, deviceTasks }, { headers: came.headers });
    };
    const world = { ...plain, twin: { ...plain.twin, handle } };
    const { report } = await runOnce(rehearsal(3), world, { process: 1 });
    const ends = report?.endings.map(({ change, outcome, detail }) => {
      return [change.device.id, outcome, detail];
    });
    expect(ends?.filter(([id]) => id !== held).map(([, outcome]) => outcome)).toEqual([
      'verified',
      'verified',
    ]);
    expect(ends?.find(([id]) => id === held)).toEqual([held, 'timedOut', 'unclear']);
  });
});

interface TaskRow {
  readonly deviceId: string;
}

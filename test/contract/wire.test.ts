import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { openTransport } from '../../src/api/transport/transport.ts';
import { classify } from '../../src/apply/send/answer-outcome.ts';
import { systemClock } from '../../src/shell/clock.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { WIRE_FAULTS, type WireFault } from '../support/wire-faults.ts';
import { startWireServer, TRUSTED } from '../support/wire-server.ts';
import { CLIENT_SECRETS } from '../support/canary.ts';
import { watchedTrace } from '../support/canary-watch.ts';

const BATCH = { size: 2, deviceIds: ['dev-1', 'dev-2'] };
/** Long enough that only what is endless meets it. */
const PATIENT_MS = 60_000;
const SHORT_MS = 1_500;
const TEST_MS = 240_000;

interface Sent {
  readonly row: string;
  readonly outcome: string;
  readonly posts: number;
}

/** Sends one POST through the whole client to a server that fails in this way. */
async function send(fault: WireFault): Promise<Sent> {
  const server = await startWireServer(fault);
  const postDeadlineMs = fault.endless ? SHORT_MS : PATIENT_MS;
  const { transport, close } = openTransport({ ca: [TRUSTED.cert], postDeadlineMs });
  const client = createClient({
    transport,
    clock: systemClock,
    random: () => 0,
    baseUrl: server.url,
    organization: 'acme',
    credentials: () => Promise.resolve({ clientId: 'id', clientSecret: CLIENT_SECRETS.admin }),
    dialect: resolveDialect({}),
    pace: { requestsPerSecond: 1000, tokenRequestsPerMinute: 600 },
    secrets: () => undefined,
    trace: watchedTrace('wire'),
  });
  try {
    await client.holdToken(0);
    const devices = BATCH.deviceIds.map((deviceId) => ({ deviceId }));
    const answer = await client.createTask({ task: 'restartDevice', devices });
    // Whatever a layer might still send has its turn before the bytes are counted.
    await new Promise((done) => setImmediate(done));
    const { row, outcome } = classify(answer, BATCH);
    return { row, outcome, posts: server.count('POST /v1/tasks') };
  } finally {
    await close();
    await server.close();
  }
}

/** A few at a time: many servers at once would meet deadlines on a busy machine. */
const LANES = 6;

async function inLanes(faults: readonly WireFault[]): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const left = [...faults.entries()];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) sent[next[0]] = await send(next[1]);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return sent;
}

describe('a POST on a wire that fails', () => {
  let sent: readonly Sent[] = [];
  beforeAll(async () => {
    sent = await inLanes(WIRE_FAULTS);
  }, TEST_MS);
  afterAll(() => {
    const count = (posts: number): number => sent.filter((one) => one.posts === posts).length;
    const twice = sent.length - count(0) - count(1);
    process.stdout.write(
      `wire: ${sent.length} socket faults; POST not on the wire in ${count(0)}, once in ${count(1)}, twice in ${twice}\n`,
    );
  });

  it.each(WIRE_FAULTS.map((fault, nth) => ({ ...fault, nth })))(
    '$what: $row',
    ({ nth, row, posts }) => {
      expect([row].flat()).toContain(sent[nth]?.row);
      expect(posts).toContain(sent[nth]?.posts);
    },
  );

  it('is unsent only where no byte of it was on the wire', () => {
    const wrong = WIRE_FAULTS.filter(
      (_, nth) => sent[nth]?.outcome === 'notSent' && sent[nth]?.posts,
    );
    expect(wrong).toEqual([]);
  });

  it('meets at least 40 faults, each with a name of its own', () => {
    const names = new Set(WIRE_FAULTS.map(({ what }) => what));
    expect(names.size).toBe(WIRE_FAULTS.length);
    expect(names.size).toBeGreaterThanOrEqual(40);
  });
});

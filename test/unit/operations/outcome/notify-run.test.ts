import { describe, expect, it } from 'vitest';
import { createFleetShell } from '../../../../src/library/fleet-shell.ts';
import { WorldError } from '../../../../src/model/error.ts';
import type { RunReport } from '../../../../src/model/ledger/run-report.ts';
import { TransportError, type HttpRequest, type Transport } from '../../../../src/model/ports.ts';
import { notifyFailure, notifyRun } from '../../../../src/operations/outcome/notify-run.ts';
import { answer } from '../../../support/http.ts';

const REPORT = {
  planId: 'p',
  endings: [],
  notes: [],
  counts: new Proxy({}, { get: () => 0 }),
  anomalies: [],
  attempts: 1,
} as unknown as RunReport;
const SETTINGS = {
  baseUrl: 'https://service.test',
  organization: 'acme',
  pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 1, pollEvery: 1 },
  approval: { is: 'commit' },
  needsYouAfter: 0,
  dialect: {},
} as const;
const IDLE = { ...REPORT, attempts: 0 };

/** What a run tells a receiver, and what it prints. */
function createRun(receiver: Transport, env: Record<string, string> = { HOOK: 'key' }) {
  const sent: HttpRequest[] = [];
  const printed: string[] = [];
  const shell = createFleetShell({
    env,
    onMessage: (text) => printed.push(text),
    transport: (request) => {
      sent.push(request);
      return receiver(request);
    },
  });
  const parts = {
    shell,
    commit: undefined,
    command: 'apply',
    documents: {
      service: {
        value: {
          ...SETTINGS,
          notifications: [
            {
              kind: 'json',
              url: 'https://hook.test/in',
              secret: { fromEnv: 'HOOK' },
              remind: 'eachRun',
            },
          ],
        },
      },
    },
    target: {
      baseUrl: 'https://service.test',
      organization: 'acme',
      from: 'document',
      fingerprint: 'f',
    },
  } as const;
  return { sent, printed, parts };
}

const taken: Transport = () => Promise.resolve(answer('', { status: 204 }));

describe('a run that is over', () => {
  it.each([
    ['changed a device', { exit: 0, report: REPORT }, 1],
    ['found nothing to do', { exit: 0, report: IDLE }, 0],
    ['waits for its window', { exit: 7, report: IDLE }, 0],
    ['found another at work', { exit: 6, report: IDLE }, 0],
    ['was refused by a guardrail', { exit: 3, report: IDLE }, 1],
    ['found an unfit ledger', { exit: 9, error: new WorldError('ledgerUnfit') }, 1],
    ['was stopped before it began', { exit: 7, error: new WorldError('stopped') }, 0],
  ] as const)('that %s: %j', async (_, ended, messages) => {
    const { sent, printed, parts } = createRun(taken);
    await notifyRun(parts, ended);
    expect([sent.length, printed]).toEqual([messages, []]);
  });

  it('tells of a failure before it had a plan', async () => {
    const { sent, parts } = createRun(taken);
    await notifyFailure(parts, new WorldError('unreachable'));
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      error: 'unreachable',
      organization: 'acme',
    });
  });

  it('tells nobody in a rehearsal', async () => {
    const { sent, parts } = createRun(taken);
    await notifyRun({ ...parts, inMemory: {} as never }, { exit: 0, report: REPORT });
    expect(sent).toEqual([]);
  });

  it.each<readonly [string, Transport, Record<string, string>, RegExp]>([
    ['answers 400', () => Promise.resolve(answer('', { status: 400 })), { HOOK: 'k' }, /400/],
    [
      'is another place',
      () => Promise.resolve(answer('', { status: 307, headers: { location: '/x' } })),
      { HOOK: 'k' },
      /redirect|307/i,
    ],
    ['has no secret', taken, {}, /HOOK/],
    [
      'breaks our own transport',
      () => {
        throw new TypeError('a defect of ours');
      },
      { HOOK: 'k' },
      /hook\.test/,
    ],
  ])(
    'whose receiver %s says so on stderr, and ends as it would have',
    async (_, receiver, env, says) => {
      const { printed, parts } = createRun(receiver, env);
      await expect(notifyRun(parts, { exit: 0, report: REPORT })).resolves.toBeUndefined();
      expect(printed.join('')).toMatch(says);
    },
  );

  it('never lets a line that cannot be opened change its end', async () => {
    const { printed, parts } = createRun(taken);
    const openTransport = (): never => {
      throw new TransportError('unsent', 'proxyRefused');
    };
    const shell = { ...parts.shell, openTransport };
    await notifyRun({ ...parts, shell }, { exit: 4, report: REPORT });
    expect(printed.join('')).toContain('hook.test');
  });
});

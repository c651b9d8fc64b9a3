import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { Service } from '../../../src/model/ports.ts';
import { openFactBook } from '../../../src/operations/facts/fact-book.ts';
import { survey, type SurveyParts } from '../../../src/operations/survey.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import {
  aDevice,
  aMemory,
  aRotationPolicy,
  A_ROLLOUT,
  entries,
  NOW,
  someDocuments,
  sourced,
} from '../../support/plan-fleet.ts';
import { listing } from '../../support/plan-service.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const DAY = 86_400_000;
const TENANT = 'f'.repeat(64);

/** A survey of one camera, with the ledger in the git remote of this folder. */
function parts(folder: string, said: string[] = []): SurveyParts {
  const client: Partial<Service> = {
    ...listing([{ devices: [aDevice('cam')] }]),
    passwords: () => Promise.resolve({ changedAt: NOW - 200 * DAY, marker: 'one' }),
  };
  const due = { is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: 0 } as const;
  const { value, ...service } = someDocuments().service;
  const ledger = { store: 'git', remote: 'origin', branch: 'fleetform-ledger' } as const;
  const policy = aRotationPolicy('passwords', { due, select: { device: ['*'] } });
  return {
    documents: someDocuments({
      service: { ...service, value: { ...value, ledger } },
      rollouts: entries({ default: A_ROLLOUT }),
      rotations: new Map([['passwords', sourced('passwords', policy)]]),
    }),
    client,
    dialect: resolveDialect({}),
    onProgress: () => undefined,
    target: { baseUrl: value.baseUrl, organization: 'acme', fingerprint: TENANT },
    shell: {
      stop: createStopSignal(),
      clock: createVirtualClock(NOW),
      random: () => 0.5,
      cwd: folder,
      env: process.env,
      err: { write: (text: string) => said.push(text), columns: 80 },
    },
    expiresAfter: DAY,
  } as unknown as SurveyParts;
}

it('N18 M24 a plan writes no ref; what an apply publishes is believed where a record names it', async () => {
  const place = scratchFolder('facts-of-git');
  const clone = join(place, 'clone');
  const hub = join(place, 'hub.git');
  gitIn(place, 'init', '--quiet', '--bare', hub);
  gitIn(place, 'init', '--quiet', clone);
  gitIn(clone, 'remote', 'add', 'origin', hub);
  const refs = (): readonly string[] =>
    gitIn(hub, 'for-each-ref', '--format=%(refname)').split('\n');
  const own = join(clone, '.fleetform', TENANT.slice(0, 12), 'facts.jsonl');
  const memory = aMemory();

  const { plan } = await survey(parts(clone), memory);
  expect([...plan.changes]).toHaveLength(1);
  expect(existsSync(own)).toBe(true);
  expect(refs()).toEqual(['']);

  const run = parts(clone);
  const book = await openFactBook(run, memory, { maxAge: 0 });
  await survey({ ...run, book }, memory);
  const { facts = '' } = await book.publish();
  expect(refs()).toEqual(['refs/heads/fleetform-facts']);

  const other = join(place, 'other');
  gitIn(place, 'init', '--quiet', other);
  gitIn(other, 'remote', 'add', 'origin', hub);
  const said: string[] = [];
  const readsOf = async (named?: number) => {
    const elsewhere = parts(other, said);
    const knows = { ...memory, ...(named !== undefined && { facts: new Map([[facts, named]]) }) };
    const shared = await openFactBook(elsewhere, knows, { maxReads: 0 });
    const { plan: made } = await survey({ ...elsewhere, book: shared }, knows);
    return made.inputs.facts;
  };
  expect(await readsOf()).toMatchObject({ used: 0, notRead: 1 });
  expect(said.join('').replaceAll(/\s+/g, ' ')).toContain(
    'refs/heads/fleetform-facts are in no record of the ledger',
  );
  said.length = 0;
  expect(await readsOf(NOW - 8 * DAY)).toMatchObject({ used: 0, notRead: 1 });
  expect(await readsOf(NOW)).toMatchObject({ used: 1, notRead: 0 });
  expect(said).toEqual([]);
});

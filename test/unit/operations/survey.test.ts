import { expect, test } from 'vitest';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { Collection, ServiceFilter, Service } from '../../../src/model/ports.ts';
import { survey, type SurveyParts } from '../../../src/operations/survey.ts';
import {
  aDevice,
  aFirmwarePolicy,
  aMemory,
  A_ROLLOUT,
  entries,
  NOW,
  someDocuments,
  sourced,
} from '../../support/plan-fleet.ts';
import { listing } from '../../support/plan-service.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

/** Four pages of 995 rows, and one device on a fifth. */
const PAGES = 4 * 995 + 1;

/** What planning for one device of so many finds, where the service answers every filter with nothing. */
async function foundOf(count: number, filterMaintenanceMode = 'maintenanceMode') {
  const devices = Array.from({ length: count }, (_, index) => aDevice(`dev-${index}`));
  const filters: ServiceFilter[] = [];
  const plain = listing([{ devices }]);
  const list = async function* (collection: Collection, filter?: ServiceFilter) {
    if (filter === undefined) return yield* plain.list(collection);
    filters.push(filter);
    return { total: 0, rows: 0, pages: 1 };
  } as Service['list'];
  const client = {
    ...plain,
    list,
    targetFirmware: async () => [{ version: '11.11.73', hops: ['11.11.73'] }],
  };
  const { value, ...service } = someDocuments().service;
  const pace = { ...value.pace, requestsPerSecond: 0.14 };
  const parts = {
    documents: someDocuments({
      service: { ...service, value: { ...value, pace } },
      rollouts: entries({ default: A_ROLLOUT }),
      firmware: new Map([
        ['lts', sourced('lts', aFirmwarePolicy('lts', { select: { device: ['dev-0'] } }))],
      ]),
    }),
    client,
    dialect: resolveDialect({ filterMaintenanceMode }),
    target: {
      baseUrl: value.baseUrl,
      organization: value.organization,
      fingerprint: 'f'.repeat(64),
    },
    shell: {
      clock: createVirtualClock(NOW),
      random: () => 0.5,
      cwd: scratchFolder('survey'),
      env: {},
    },
    commit: undefined,
    expiresAfter: 86_400_000,
    onProgress: () => undefined,
  } as unknown as SurveyParts;
  const { diagnostics, snapshot } = await survey(parts, aMemory());
  const codes = diagnostics.map(({ code }) => code).filter((code) => code === 'nothingCanStart');
  return { codes, unfiltered: snapshot.unfiltered, filters: filters.length };
}

test('Y6 the plan tries the filter where five pages take longer than a reading may be old', async () => {
  expect(await foundOf(PAGES)).toEqual({
    codes: ['nothingCanStart'],
    unfiltered: true,
    filters: 2,
  });
});

test('the plan tries no filter where all rows can be read in time', async () => {
  expect(await foundOf(PAGES - 1)).toEqual({ codes: [], unfiltered: undefined, filters: 0 });
});

test('the plan tries no filter that there is not', async () => {
  expect(await foundOf(PAGES, '')).toEqual({ codes: ['nothingCanStart'], filters: 0 });
});

import { expect, test } from 'vitest';
import { approvalSubject } from '../../../src/kinds/firmware.ts';
import { symptomSubject } from '../../../src/kinds/symptom.ts';
import type { Device, DiscoveredDevice } from '../../../src/model/fleet/device.ts';
import type { ObservedFact } from '../../../src/model/ledger/memory.ts';
import type {
  Documents,
  OnboardingPolicy,
  RestartPolicy,
} from '../../../src/model/documents/policy.ts';
import { sightingKey } from '../../../src/model/ledger/sightings.ts';
import type { Facts } from '../../../src/model/fleet/snapshot.ts';
import { approvals } from '../../../src/plan/observe/approvals.ts';
import { listings } from '../../../src/plan/observe/listings.ts';
import type { Observer } from '../../../src/plan/observer.ts';
import { symptoms } from '../../../src/plan/observe/observers.ts';
import { aChange } from '../../support/plan-change.ts';
import { ONBOARDING, RESTART } from '../../support/plan-decide.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  entries,
  someDocuments,
} from '../../support/plan-fleet.ts';

interface Given {
  readonly sections: Partial<Documents>;
  readonly devices?: readonly Device[];
  readonly discovered?: readonly DiscoveredDevice[];
  readonly torn?: boolean;
  readonly facts?: Facts;
  /** What the ledger knows: values by `what/subject`. */
  readonly known?: Readonly<Record<string, string>>;
}

/** What an observer has to say about a fleet: `what/subject value`. */
function observed(observer: Observer, given: Given): readonly string[] {
  const { sections, devices = [], discovered = [], facts = {}, known = {} } = given;
  const sightings = Object.entries(known).map(([key, value]): [string, ObservedFact] => [
    key,
    { value, firstAt: NOW, lastAt: NOW, since: NOW, times: 1 },
  ]);
  const at = { file: '', line: 1, column: 1, policy: RESTART.address };
  const seen = observer({
    documents: someDocuments(sections),
    snapshot: aSnapshot(devices, {
      discovered,
      facts: () => facts,
      discoveredConfidence: given.torn ? 'torn' : 'one page',
    }),
    memory: aMemory([], { sightings: new Map(sightings) }),
    changes: devices.map(({ id }) => aChange(id, { task: 'restartDevice', at })),
    now: NOW,
  });
  return [...seen].map(({ what, subject, value }) => `${what}/${subject} ${value ?? ''}`);
}

const PARTIAL: RestartPolicy = {
  ...RESTART,
  when: { ...RESTART.when, status: ['partial', 'offline'] },
};
const symptom = (id: string) => sightingKey('symptom', symptomSubject(PARTIAL, id));
const restarts = { restarts: entries({ dark: PARTIAL }) };
const partial = aDevice('dev-1', { status: 'partial' });

test('J14 a symptom is recorded when it begins, once, and when it is gone', () => {
  const key = symptom('dev-1');
  expect(observed(symptoms, { sections: restarts, devices: [partial] })).toEqual([`${key} shown`]);
  const known = { [key]: 'shown' };
  expect(observed(symptoms, { sections: restarts, devices: [partial], known })).toEqual([]);
  const well = [aDevice('dev-1')];
  expect(observed(symptoms, { sections: restarts, devices: well, known })).toEqual([`${key} gone`]);
  expect(observed(symptoms, { sections: restarts, known })).toEqual([`${key} gone`]);
  expect(observed(symptoms, { sections: {}, devices: [partial], known })).toEqual([`${key} gone`]);
  const gone = { [key]: 'gone' };
  expect(observed(symptoms, { sections: restarts, devices: well, known: gone })).toEqual([]);
});

test('what went dark needs no record', () => {
  const dark = aDevice('dev-1', { status: 'offline' });
  expect(observed(symptoms, { sections: restarts, devices: [dark] })).toEqual([]);
});

const LISTING: OnboardingPolicy = {
  ...ONBOARDING,
  devices: [{ id: 'disc-1', at: { file: 'fleet/test.yaml', line: 5, column: 7 } }],
};
const listing = { onboarding: entries({ hq: LISTING }) };

test('an entry is missing from the first sure reading on, until something answers to it', () => {
  const [said = ''] = observed(listings, { sections: listing });
  expect(said).toMatch(/^listed\/\S+ missing$/);
  const [key = ''] = said.split(' ');
  const known = { [key]: 'missing' };
  expect(observed(listings, { sections: listing, known })).toEqual([]);
  expect(observed(listings, { sections: listing, torn: true })).toEqual([]);
  const discovered = [{ id: 'disc-1' }];
  expect(observed(listings, { sections: listing, discovered, known })).toEqual([`${key} found`]);
  expect(observed(listings, { sections: {}, known })).toEqual([`${key} found`]);
  expect(observed(listings, { sections: listing, torn: true, discovered, known })).toEqual([]);
});

test('a version is seen as approved for a model once, where a policy counts from it', () => {
  const devices = [aDevice('dev-1'), aDevice('dev-2'), aDevice('dev-3', { model: 'M3065-V' })];
  const facts = { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] };
  const firmware = (fields: object) => ({ firmware: entries({ a: aFirmwarePolicy('a', fields) }) });
  const keyOf = (model: string) =>
    sightingKey('approved', approvalSubject({ vendor: 'Axis', model }, '11.11.73'));
  const both = [`${keyOf('P3265-V')} `, `${keyOf('M3065-V')} `];
  expect(observed(approvals, { sections: firmware({ deferral: 1 }), devices, facts })).toEqual(
    both,
  );
  expect(observed(approvals, { sections: firmware({ deadline: 1 }), devices, facts })).toEqual(
    both,
  );
  expect(observed(approvals, { sections: firmware({}), devices, facts })).toEqual([]);
  const known = { [keyOf('P3265-V')]: '' };
  expect(
    observed(approvals, { sections: firmware({ deferral: 1 }), devices, facts, known }),
  ).toEqual(both.slice(1));
});

import { expect, test } from 'vitest';
import { restartDevice } from '../../../src/kinds/restart-device.ts';
import { SHOWN, SYMPTOM, symptomSubject } from '../../../src/kinds/symptom.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import type { ObservedFact } from '../../../src/model/ledger/memory.ts';
import type { RestartPolicy } from '../../../src/model/documents/policy.ts';
import { sightingKey } from '../../../src/model/ledger/sightings.ts';
import { RESTART } from '../../support/plan-decide.ts';
import { able, brief, caseOf, MINUTE, NOW } from '../../support/kinds-case.ts';

const STUCK: RestartPolicy = {
  ...RESTART,
  when: { ...RESTART.when, status: ['partial'], probe: { app: ['down', 'unknown'] } },
};

const stuck = (fields: Partial<Device> = {}): Device =>
  able({ status: 'partial', probe: { app: 'down' }, ...fields });

/** What SEEN records of the symptom say last, and since when. */
function seen(policy: RestartPolicy, minutes: number, value = SHOWN) {
  const since = NOW - minutes * MINUTE;
  const sighting: ObservedFact = { value, since, lastAt: since, firstAt: 0, times: 1 };
  return new Map([[sightingKey(SYMPTOM, symptomSubject(policy, 'dev-1')), sighting]]);
}

const judged = (policy: RestartPolicy, device: Device, sightings = seen(policy, 20)) =>
  brief(restartDevice.judge(caseOf(policy, { device, sightings })));

const ANY: RestartPolicy = { ...STUCK, when: { ...STUCK.when, status: [] } };
const TWO: RestartPolicy = {
  ...STUCK,
  when: { ...STUCK.when, probe: { app: ['down'], host: ['up'] } },
};
const MATCHES: readonly [string, RestartPolicy, Device, string][] = [
  ['status and probe match', STUCK, stuck(), 'due symptomHeld'],
  ['another word of the list', STUCK, stuck({ probe: { app: 'unknown' } }), 'due symptomHeld'],
  ['the status alone', STUCK, stuck({ probe: { app: 'up' } }), 'converged noSymptom'],
  ['the probe alone', STUCK, stuck({ status: 'online' }), 'converged noSymptom'],
  ['any status where none is named', ANY, stuck({ status: 'online' }), 'due symptomHeld'],
  [
    'every probe that is named',
    TWO,
    stuck({ probe: { app: 'down', host: 'up' } }),
    'due symptomHeld',
  ],
  ['one probe of two', TWO, stuck({ probe: { app: 'down', host: 'down' } }), 'converged noSymptom'],
  ['a probe that is not shown', TWO, stuck(), 'unsupported valueUnknown'],
  [
    'a status that says no, whatever is not shown',
    TWO,
    stuck({ status: 'online' }),
    'converged noSymptom',
  ],
];

test.each(MATCHES)('a symptom: %s', (_, policy, device, expected) => {
  expect(judged(policy, device)).toBe(expected);
});

test.each(['agent', 'deviceSource', 'edge', 'host', 'app'] as const)(
  'the %s probe counts',
  (name) => {
    const policy: RestartPolicy = {
      ...RESTART,
      when: { ...RESTART.when, status: [], probe: { [name]: ['down'] } },
    };
    expect(judged(policy, able({ probe: { [name]: 'down' } }))).toBe('due symptomHeld');
    expect(judged(policy, able({ probe: { [name]: 'up' } }))).toBe('converged noSymptom');
  },
);

test.each(['online', 'partial', 'unknown'])(
  'S3 %s is timed by its SEEN record, to the minute',
  (status) => {
    const policy: RestartPolicy = { ...RESTART, when: { ...RESTART.when, status: [status] } };
    const device = able({ status, lastSeen: NOW - 999 * MINUTE });
    expect(judged(policy, device, seen(policy, 20))).toBe('due symptomHeld');
    expect(judged(policy, device, seen(policy, 19.9))).toBe('notDue symptomNotHeld');
    expect(judged(policy, device, seen(policy, 60, 'gone'))).toBe('notDue symptomNotHeld');
    expect(judged(policy, device, new Map())).toBe('notDue symptomNotHeld');
  },
);

test('S3 offline is timed by lastSeen, whatever was recorded', () => {
  const offline: RestartPolicy = {
    ...RESTART,
    when: { ...RESTART.when, status: ['offline', 'partial'] },
  };
  const dark = (minutes: number) => able({ status: 'offline', lastSeen: NOW - minutes * MINUTE });
  expect(judged(offline, dark(20), new Map())).toBe('due symptomHeld');
  expect(judged(offline, dark(5), seen(offline, 999))).toBe('notDue symptomNotHeld');
});

test('another symptom, policy or device is another subject; the order of words is not', () => {
  const subjects = [
    symptomSubject(STUCK, 'dev-1'),
    symptomSubject(STUCK, 'dev-2'),
    symptomSubject({ ...STUCK, address: 'restarts.other' }, 'dev-1'),
    symptomSubject({ ...STUCK, when: { ...STUCK.when, status: ['unknown'] } }, 'dev-1'),
    symptomSubject({ ...STUCK, when: { ...STUCK.when, probe: { app: ['down'] } } }, 'dev-1'),
  ];
  expect(new Set(subjects).size).toBe(subjects.length);
  const turned = { ...STUCK, probe: { app: ['unknown', 'down'] } };
  expect(symptomSubject(turned, 'dev-1')).toBe(symptomSubject(STUCK, 'dev-1'));
  expect(symptomSubject({ ...STUCK, when: { ...STUCK.when, for: 1 } }, 'dev-1')).toBe(
    symptomSubject(STUCK, 'dev-1'),
  );
});

test('a plan shows status and probes as they are, and as they should be', () => {
  const judgement = restartDevice.judge(
    caseOf(STUCK, { device: stuck(), sightings: seen(STUCK, 20) }),
  );
  expect(judgement).toMatchObject({
    before: { status: 'partial', 'probe.app': 'down' },
    after: { status: 'online', 'probe.app': 'up' },
    since: NOW - 20 * MINUTE,
  });
});

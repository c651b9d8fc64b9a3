import { expect, it } from 'vitest';
import { dialectCases, expectOneRound, firstDay, oneRound } from '../support/doctor-case.ts';

const TASKS = [
  'onboardDevice',
  'restartDevice',
  'rotatePassword',
  'rotateSslCertificate',
  'upgradeFirmware',
];

const CASES = dialectCases();

it.each(CASES.filter(({ answer }) => !answer))(
  'what doctor prints for $name makes plan and apply of all five tasks work',
  async (service) => {
    const day = await firstDay(service);
    expect([day.again.result, day.plan.exit]).toEqual(['fits', 2]);
    expect(Object.keys(day.results).sort()).toEqual(TASKS);
    expect(new Set(Object.values(day.results).flat()), day.apply.out).toEqual(
      new Set(['succeeded']),
    );
    expect(
      day.requests.filter((sent) => sent.endsWith('/v1/tasks') && sent.startsWith('POST')),
    ).toEqual([]);
  },
);

it.each(CASES)(
  'after one round on $name import and plan read what doctor calls readable, and nothing else',
  async (service) => expectOneRound(await oneRound(service)),
);

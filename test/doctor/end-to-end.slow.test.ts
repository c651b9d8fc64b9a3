import { expect, it } from 'vitest';
import { dialectCases, firstDay } from '../support/doctor-case.ts';

const TASKS = [
  'onboardDevice',
  'restartDevice',
  'rotatePassword',
  'rotateSslCertificate',
  'upgradeFirmware',
];

it.each(dialectCases())(
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

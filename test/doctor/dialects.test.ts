import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIALECT_ROWS } from '../../src/dialect.gen.ts';
import { isTried } from '../support/campaign.ts';
import {
  comparable,
  dialectCases,
  firstDay,
  printedDialect,
  readCheckup,
  serviceNight,
  caseNight,
  expectOneRound,
  oneRound,
  type DialectCase,
} from '../support/doctor-case.ts';

const UPDATE = process.env['UPDATE_GOLDENS'] === '1';
const CASES = dialectCases();

/** Read end to end here; the others in the campaign. */
const TRIED: readonly string[] = ['14'];
const READ: readonly string[] = ['19'];

describe.each(CASES.filter((_, nth) => UPDATE || isTried(nth)))(
  'doctor on the service $name',
  (service) => {
    it('prints what it saw and what to write', async () => {
      const doctor = await caseNight(service).run('doctor');
      const { out, err, exit, requests } = doctor;
      const text = `exit ${exit}\n\n${comparable(out)}`;
      if (UPDATE) writeFileSync(service.expected, text);
      expect(text).toBe(readFileSync(service.expected, 'utf8'));
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
      expect(err).toContain('At most 100 requests');
      expect(requests.length).toBeLessThanOrEqual(100);
      expect(requests.filter((sent) => !sent.startsWith('GET ') && !isToken(sent))).toEqual([]);
      if (!service.answer) expect(wrongIn(service, printedDialect(doctor))).toEqual([]);
    });
  },
);

it('judges every row of the dialect table', async () => {
  const { assumptions } = await readCheckup(serviceNight());
  expect(assumptions.map(({ key }) => key)).toEqual(DIALECT_ROWS.map(({ key }) => key));
  expect(assumptions.filter(({ observed }) => observed.code === 'noAnswer')).toEqual([]);
});

it.each(CASES.filter(({ name }) => TRIED.includes(name.slice(0, 2))))(
  'what it prints for $name makes plan and apply of all five tasks work',
  async (service) => {
    const day = await firstDay(service);
    expect([day.again.result, day.plan.exit]).toEqual(['fits', 2]);
    expect(day.results, day.apply.out).toEqual(ALL_SUCCEEDED);
  },
);

it.each(CASES.filter(({ name }) => READ.includes(name.slice(0, 2))))(
  'after one round on $name import and plan read what doctor calls readable, and nothing else',
  async (service) => expectOneRound(await oneRound(service)),
);

const ALL_SUCCEEDED = Object.fromEntries(
  [
    'onboardDevice',
    'restartDevice',
    'rotatePassword',
    'rotateSslCertificate',
    'upgradeFirmware',
  ].map((task) => [task, expect.toSatisfy(isSucceeded) as unknown]),
);

function isSucceeded(results: readonly string[]): boolean {
  return results.length > 0 && results.every((result) => result === 'succeeded');
}

function isToken(sent: string): boolean {
  return /^POST \/(?:v1\/auth|token|auth)\/acme$/.test(sent);
}

/** Values that the service does not have; an empty one says that the name was not found, which is no error. */
function wrongIn({ dialect }: DialectCase, found: object): readonly (readonly [string, unknown])[] {
  return Object.entries(found).filter(([key, value]) => {
    const spoken = Object.entries(dialect).find(([name]) => name === key)?.[1];
    return value !== '' && JSON.stringify(value) !== JSON.stringify(spoken);
  });
}

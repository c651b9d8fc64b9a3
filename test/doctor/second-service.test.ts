import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CLIENT_SECRETS } from '../support/canary.ts';
import {
  comparable,
  printedDialect,
  readCheckup,
  serviceNight,
  writeService,
} from '../support/doctor-case.ts';
import { EVENING } from '../support/night.ts';
import { createSecondService, type SecondService } from '../support/openapi-service.ts';

const EXPECTED = fileURLToPath(new URL('second-service.expected.txt', import.meta.url));

function nightOn(rows: number) {
  const login = { clientId: 'a', clientSecret: CLIENT_SECRETS.admin };
  const service: SecondService = createSecondService({ ...login, rows, now: () => EVENING });
  return { service, night: serviceNight({ through: (request) => service.handle(request) }) };
}

it('reads a service made from the interface document alone, and prints what fits it', async () => {
  const { night, service } = nightOn(40);
  const first = await night.run('doctor --all');
  const text = `exit ${first.exit}\n\n${comparable(first.out)}`;
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(EXPECTED, text);
  expect(text).toBe(readFileSync(EXPECTED, 'utf8'));
  expect(service.seen.filter((sent) => !/^GET |^POST \/v1\/auth\/acme$/.test(sent))).toEqual([]);
  writeService(night, printedDialect(first));
  expect((await readCheckup(night)).result).toBe('fits');
});

it.each([0, 1, 2, 150])(
  'finds nothing that differs from that document with %i rows',
  async (rows) => {
    const { night } = nightOn(rows);
    const checkup = await readCheckup(night);
    expect(checkup.checks.filter(({ state }) => state === 'bad')).toEqual([]);
    expect(checkup.assumptions.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
  },
);

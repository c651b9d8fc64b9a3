import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, failureOf } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const hub = createPlace();
let twin: TwinProcess;

beforeAll(async () => {
  twin = await startTwin(hub);
}, PATIENCE.timeout);
afterAll(() => hub[Symbol.dispose]());

/** A text of the example documents, what is written instead, and what that gets. */
const MISTAKES: readonly [string, Mistake][] = [
  [
    'bad YAML',
    {
      file: 'fleet/policies/rotations.yaml',
      from: 'select: {',
      to: 'select: [{',
      code: 'syntax',
      says: 'The bracket after "select" is not closed.',
    },
  ],
  [
    'an unknown key',
    {
      file: 'fleet/limits.yaml',
      from: 'guardrails:',
      to: 'gardrails:',
      code: 'unknownKey',
      says: 'Did you mean "guardrails"?',
    },
  ],
  [
    'a value of the wrong type',
    {
      file: 'fleet/limits.yaml',
      from: 'maxInFlight: 50',
      to: 'maxInFlight: many',
      code: 'wrongType',
      says: 'a whole number',
    },
  ],
  [
    'an unquoted version',
    {
      file: 'fleet/policies/firmware.yaml',
      from: 'version: "11.11.x"',
      to: 'version: 11.10',
      code: 'quoteIt',
      says: 'in double quotes: "11.10"',
    },
  ],
  [
    'a name that stands twice',
    {
      file: 'fleet/service.yaml',
      from: 'service:',
      to: 'guardrails: {default: {maxChanges: 5}}\nservice:',
      code: 'duplicateName',
      says: 'fleet/limits.yaml',
    },
  ],
];

interface Mistake {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly code: string;
  readonly says: string;
}

describe.concurrent.each(MISTAKES)('%s', PATIENCE, (_, { file, from, to, code, says }) => {
  it('stops a plan with code, place and next step, before anything is sent', async () => {
    using place = createPlace();
    place.edit(file, from, to);
    const flags = 'plan --trace trace.jsonl';
    const { code: exit, out, err } = await place.run(flags, twin.as('admin'));
    expect([exit, out]).toEqual([1, '']);
    expect(err).toContain(`error[${code}]`);
    expect(err).toMatch(new RegExp(`--> ${file}:\\d+:\\d+`));
    expect(err.replace(/\s+/g, ' ')).toContain(says);
    expect(err).toContain('next: ');
    expect(place.trace('trace.jsonl')).toEqual([]);
    expect(place.ledger()).toEqual([]);
  });

  it('is found offline by validate, which prints its findings as data', async () => {
    using place = createPlace();
    place.edit(file, from, to);
    const { code: exit, out, err } = await place.run('validate --format json');
    const report = JSON.parse(out) as { valid: boolean; diagnostics: readonly object[] };
    expect([exit, report.valid, err]).toEqual([1, false, '']);
    expect(report.diagnostics).toContainEqual(expect.objectContaining({ code }));
  });
});

it('all mistakes are found at once', PATIENCE, async () => {
  using place = createPlace();
  for (const [name, { file, from, to }] of MISTAKES)
    if (name !== 'bad YAML') place.edit(file, from, to);
  const { diagnostics } = JSON.parse((await place.run('validate --format json')).out) as {
    diagnostics: readonly { code: string }[];
  };
  const codes = diagnostics.map(({ code }) => code);
  for (const code of ['unknownKey', 'wrongType', 'quoteIt']) expect(codes).toContain(code);
});

it('a folder that is not there is named', PATIENCE, async () => {
  using place = createPlace();
  const { text, json } = await failureOf(place, 'plan --fleet nowhere', twin.as('admin'));
  expect(text.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ diagnostics: [{ code: 'fleetMissing' }] });
  expect(text.err).toContain('--fleet');
});

it('apply stops as early', PATIENCE, async () => {
  using place = createPlace();
  place.edit('fleet/policies/firmware.yaml', 'version: "11.11.x"', 'version: 11.10');
  const flags = 'apply --yes --trace trace.jsonl';
  const { text, json, error } = await failureOf(place, flags, twin.as('admin'));
  expect([text.code, json.code]).toEqual([1, 1]);
  expect(error.code).toBe('documentsInvalid');
  const { diagnostics } = JSON.parse(json.out) as { diagnostics: readonly object[] };
  expect(diagnostics).toMatchObject([
    { code: 'quoteIt', file: 'fleet/policies/firmware.yaml', line: 5 },
  ]);
  expect(json.out.match(/quoteIt/g)).toHaveLength(1);
  expect([text.out, json.err]).toEqual(['', '']);
  expect(place.trace('trace.jsonl')).toEqual([]);
  expect(place.ledger()).toEqual([]);
});

import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { rolloutOrDefault } from '../../../src/model/documents/rollout-defaults.ts';

/** The checks of a gate, with this dialect and these rollouts written. */
function checksOf({ dialect = '', rollouts = '', name }: Case): readonly string[] {
  const service = `service: {baseUrl: https://a.example, organization: a, dialect: {${dialect}}}`;
  const text = `${service}\nrollouts: {${rollouts}}\n`;
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return rolloutOrDefault(documents.rollouts, name).gate.checks;
}

const NAMED = 'recordingStatusField: recording';
const ONE = 'one: {waves: [{name: canary, size: 5}, {name: rest, percent: 100%}]}';
const BOTH = ['online', 'readBackMatches'];

interface Case {
  readonly dialect?: string;
  readonly rollouts?: string;
  readonly name?: string;
}

const WRITTEN = ONE.replace('}]}', '}], gate: {checks: [online]}}');

test.each<readonly [string, Case, readonly string[]]>([
  ['our guess of the field is not asked', { rollouts: ONE, name: 'one' }, BOTH],
  ['our guess of the field is not asked in the built-in rollout', {}, BOTH],
  ['a named field is', { dialect: NAMED, rollouts: ONE, name: 'one' }, [...BOTH, 'recording']],
  ['a named field is in the built-in rollout', { dialect: NAMED }, [...BOTH, 'recording']],
  ['a named field is beside others', { dialect: NAMED, rollouts: ONE }, [...BOTH, 'recording']],
  ['a field switched off is not', { dialect: "recordingStatusField: ''" }, BOTH],
  ['checks as written', { dialect: NAMED, rollouts: WRITTEN, name: 'one' }, ['online']],
])('C10 %s', (_, written, checks) => {
  expect(checksOf(written)).toEqual(checks);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../src/model/documents/diagnostic.ts';
import { rulesOf } from './rules.ts';

const TEST = fileURLToPath(new URL('../', import.meta.url));

/** What no folder of documents can hold, or only a service can show: the test file that reaches it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  fleetMissing: 'unit/config/read.test.ts',
  fileTooLarge: 'unit/config/read.test.ts',
  tooManyFiles: 'unit/config/scan.test.ts',
  fleetTooLarge: 'unit/config/scan.test.ts',
  notAFile: 'unit/config/read.test.ts',
  nameNotRead: 'unit/config/read.test.ts',
  linkLeavesFleet: 'unit/config/read.test.ts',
  linkNotRead: 'unit/config/read.test.ts',
  caseClash: 'unit/config/read.test.ts',
  ledgerLost: 'blackbox/pause.slow.test.ts',
  serviceShared: 'unit/operations/shared-service.test.ts',
  ownersMissing: 'unit/operations/forge.test.ts',
};

/** The lints of docs/semantics.md. */
const LINTS = rulesOf('semantics').flatMap((id) => (id.startsWith('L-') ? [id.slice(2)] : []));

const folders = (path: string): readonly string[] =>
  readdirSync(TEST + path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const FIXTURES = folders('fixtures/documents').map((name) => `fixtures/documents/${name}`);
const SCENARIOS = folders('scenarios').map((name) => `scenarios/${name}`);

/** What people read of a fixture or a scenario: `error[code]: ...`. */
function said(folder: string): string {
  const paths = ['expected.txt', 'findings.txt'].map((file) => `${TEST}${folder}/${file}`);
  return paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('');
}

describe('every code of a finding', () => {
  const all = [...FIXTURES, ...SCENARIOS].map(said).join('');

  it.each(DIAGNOSTIC_CODES)(
    '%s is read by somebody: a fixture, a scenario or a named test',
    (code) => {
      const file = ELSEWHERE[code];
      if (file === undefined)
        expect(all).toMatch(new RegExp(`^(error|warning)\\[${code}\\]: `, 'm'));
      else expect(readFileSync(TEST + file, 'utf8')).toMatch(new RegExp(`'${code}\\b`));
    },
  );
});

describe('every lint', () => {
  it.each(LINTS)('L %s has a folder of its name, which says it', (code) => {
    const named = [...FIXTURES, ...SCENARIOS].filter((name) => name.includes(`L-${code}`));
    expect(named).not.toEqual([]);
    for (const folder of named) expect(said(folder)).toContain(`[${code}]: `);
  });
});

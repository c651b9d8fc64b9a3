import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadFleet } from '../../../src/config/load.ts';
import { DIAGNOSTIC_CODES, type Diagnostic } from '../../../src/model/diagnostic.ts';
import type { Place } from '../../../src/model/source.ts';

/**
 * Bad input, one idea per folder: `<code>-<idea>/fleet/*.yaml` and the findings that it has to give. To accept what
 * a new folder gives now, run with `ACCEPT=1` and review the `expected.json` that it writes.
 */
const FOLDER = fileURLToPath(new URL('../../fixtures/documents/', import.meta.url));
const NAMES = readdirSync(FOLDER).sort();

/** Found against the live fleet, or by tests that make what git cannot hold: links, pipes, sheer size. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  ['fleetMissing', 'fileTooLarge', 'tooManyFiles', 'fleetTooLarge', 'notAFile']
    .concat(['linkLeavesFleet', 'caseClash', 'noCanary'])
    .concat(DIAGNOSTIC_CODES.slice(DIAGNOSTIC_CODES.indexOf('conflict'))),
);

describe('what is wrong in documents', () => {
  test.each(NAMES)('%s', async (name) => {
    const { diagnostics } = await loadFleet(join(FOLDER, name, 'fleet'));
    const found = diagnostics.map(shown);
    const path = join(FOLDER, name, 'expected.json');
    if (!existsSync(path) && process.env['ACCEPT'] === '1')
      writeFileSync(path, `${JSON.stringify(found, undefined, 2)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(path, 'utf8')));
    expect(diagnostics.map(({ code }) => code)).toContain(name.split('-', 1)[0]);
  });

  test('every code that documents can give is given by a folder', () => {
    const covered = new Set(NAMES.map((name) => name.split('-', 1)[0]));
    const wanted = DIAGNOSTIC_CODES.filter((code) => !ELSEWHERE.has(code));
    expect(wanted.filter((code) => !covered.has(code))).toEqual([]);
  });
});

function shown({ code, severity, at, params, related }: Diagnostic) {
  return {
    code,
    severity,
    ...(at && { at: placeText(at), length: at.length }),
    params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, local(value)])),
    ...(related && { related: related.map(placeText) }),
  };
}

/** The folder of an empty fleet is named as the machine has it. */
function local(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? value.replace(FOLDER, '') : value;
}

function placeText({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

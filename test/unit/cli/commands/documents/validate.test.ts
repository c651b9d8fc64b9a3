import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { validate } from '../../../../../src/cli/commands/validate.ts';
import type { Output, Shell } from '../../../../../src/shell/shell.ts';
import type { Clock } from '../../../../../src/model/ports.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

interface Report {
  readonly valid: boolean;
  readonly diagnostics: readonly Readonly<Record<string, unknown>>[];
}

/** Runs `validate` from the top of the repository; what it may not ask of a shell is not there. */
async function checked(fleet: string, format: 'text' | 'json') {
  let out = '';
  let err = '';
  const stream = (write: (text: string) => void): Output => ({
    write,
    isTerminal: false,
    columns: 80,
  });
  const shell: Pick<Shell, 'cwd' | 'env' | 'out' | 'err'> & { clock: Pick<Clock, 'now'> } = {
    clock: { now: () => Date.parse('2026-11-20T12:00:00Z') },
    cwd: ROOT,
    env: {},
    out: stream((text) => (out += text)),
    err: stream((text) => (err += text)),
  };
  const exit = await validate.run({ fleet, format }, shell as Shell);
  return { exit, out, err };
}

const bad = (name: string) => `test/fixtures/documents/${name}/fleet`;

describe('validate', () => {
  test('says what it checked, and ends with 0, for documents in order', async () => {
    expect(await checked('fleet', 'text')).toEqual({
      exit: 0,
      out: 'Valid: 5 policies and 19 other entries in 8 files.\n',
      err: '',
    });
  });

  test('counts incidents by themselves, since they are to be deleted again', async () => {
    const { out } = await checked(
      'test/scenarios/179-N61-an-incident-that-is-done-says-so/fleet',
      'text',
    );
    expect(out).toMatch(/^Valid: \d+ polic(?:y|ies), 1 incident and \d+ other entr/);
  });

  test('shows each finding in its frame on stdout, how many last, and ends with 1', async () => {
    const { exit, out, err } = await checked(bad('unknownKey-misspelt-field'), 'text');
    expect(exit).toBe(1);
    expect(err).toBe('');
    expect(out).toContain('error[unknownKey]');
    expect(out).toContain('fleet/fleet.yaml:6:5');
    expect(out).toContain('6 |     versoin: "11.11.x"');
    expect(out).toContain('^^^^^^^');
    expect(out).toContain('Did you mean "version"?');
    expect(out.trimEnd().split('\n').at(-1)).toBe('1 error in 1 file.');
  });

  test('gives JSON and nothing else where it is asked for', async () => {
    const fine = JSON.parse((await checked('fleet', 'json')).out) as Report;
    expect(fine).toMatchObject({ valid: true, diagnostics: [] });
    const { exit, out } = await checked(bad('quoteIt-version-that-is-a-number'), 'json');
    const report = JSON.parse(out) as Report;
    expect(exit).toBe(1);
    expect(report.valid).toBe(false);
    expect(report.diagnostics).toMatchObject([
      { code: 'quoteIt', severity: 'error', line: 6, column: 14 },
    ]);
    for (const words of ['summary', 'detail', 'next'])
      expect(report.diagnostics[0]?.[words]).toBeTypeOf('string');
  });

  test('says that there is no such folder', async () => {
    const { exit, out } = await checked('nowhere', 'text');
    expect(exit).toBe(1);
    expect(out).toContain('error[fleetMissing]');
  });
});

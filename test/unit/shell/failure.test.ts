import { describe, expect, it } from 'vitest';
import { reportBug } from '../../../src/shell/failure.ts';
import { Bug } from '../../../src/lib/bug.ts';
import { outputDouble } from '../../support/cli-output.ts';

async function toldOf(bug: Bug, json: boolean): Promise<{ out: string; err: string }> {
  const [out, err] = [outputDouble(), outputDouble()];
  await reportBug(bug, json, { out, err, env: {} });
  return { out: out.text(), err: err.text() };
}

describe('a bug of ours', () => {
  it('is one JSON value on stdout where JSON is asked for, and its trace is on stderr', async () => {
    const { out, err } = await toldOf(new Bug('4 of 3 accounted for'), true);
    expect(JSON.parse(out)).toMatchObject({
      error: {
        code: 'bug',
        summary: 'Internal error in fleetform.',
        detail: '4 of 3 accounted for',
        next: expect.stringContaining('Report it with these lines') as string,
      },
    });
    expect(err).toContain('failure.test.ts');
  });

  it('leaves stdout alone in text', async () => {
    const { out, err } = await toldOf(new Bug('oh', { cause: new TypeError('deep down') }), false);
    expect(out).toBe('');
    expect(err).toContain('TypeError: deep down');
  });
});

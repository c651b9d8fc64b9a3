import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textWidth } from '../../src/render/sinks/width.ts';
import { PATIENCE, createPlace } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const COLUMNS = 80;
const place = createPlace();
let twin: TwinProcess;

/** What a person reads on the example fleet, where `COLUMNS` is 80. */
const TEXTS = [
  'init',
  'validate',
  'doctor',
  'import',
  'plan',
  'plan --all --diff',
  'plan --horizon 90d',
  'plan -o plan.json',
  'show plan.json',
  'show plan.json --all',
  'status --all',
  'get devices',
  'get device dev-11',
  'get sites',
  'get sources',
  'get discovered',
  'get certificates dev-11',
  'report availability',
  'report compliance',
  'report alerts',
  'drift',
  'why dev-11',
  'why fleet/policies/firmware.yaml:4',
  'explain firmware',
  'explain firmware.select',
  'rehearse --horizon 2d',
  'pause firmware.axis-p32 --reason blackout --by Ada',
  'pause fleet --site HQ* --reason works --by Ada',
  'unpause',
  'status',
  'unpause fleet --site HQ* --reason done --by Ada',
  'unpause firmware.axis-p32 --reason done --by Ada',
  'apply --yes',
  'recover',
  'audit',
  'audit verify',
  'unlock --reason x --by Ada',
];

beforeAll(async () => {
  twin = await startTwin(place);
}, PATIENCE.timeout);
afterAll(() => place[Symbol.dispose]());

describe(`at ${COLUMNS} columns`, PATIENCE, () => {
  it.each(TEXTS)('%s fits', async (args) => {
    const { out, err } = await place.run(args, { ...twin.as('admin'), COLUMNS: String(COLUMNS) });
    expect(out + err).not.toBe('');
    expect(tooWide(out + err)).toEqual([]);
  });
});

/** A word that cannot be broken, such as a digest, may be longer. */
function tooWide(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => textWidth(line) > COLUMNS);
  return lines.filter((line) => line.trim().includes(' '));
}

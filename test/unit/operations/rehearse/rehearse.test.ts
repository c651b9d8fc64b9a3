import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rehearsalJson } from '../../../../src/render/data/output-json.ts';
import { rehearsalBlocks } from '../../../../src/render/outputs/rehearsal.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { textStyle } from '../../../../src/shell/output.ts';
import { isTried } from '../../../support/campaign.ts';
import { rehearsedFolders, rehearseFolder, REHEARSED } from '../../../support/rehearsed.ts';

const UPDATE = process.env['UPDATE_GOLDENS'] === '1';
const STYLE = textStyle({ write: () => undefined, isTerminal: false, columns: 80 }, {});

describe('a rehearsal', () => {
  it.each(rehearsedFolders().filter((_, nth) => UPDATE || isTried(nth)))('%s', async (name) => {
    const report = await rehearseFolder(name);
    const text = `${[...printTerminal(rehearsalBlocks(report), STYLE)].join('\n')}\n`;
    const file = join(REHEARSED, name, 'expected.txt');
    if (UPDATE) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
    for (const { devices, done, failed, late, blocked } of report.policies)
      expect(done + failed + late + blocked).toBe(devices);
    const json = rehearsalJson({ ...report, seed: 200_000_000_000 });
    expect(json['seed']).toBe(200_000_000_000);
    expect(JSON.stringify(json).match(/\d{13,}/g), 'instants are texts').toBeNull();
  });
});

import { existsSync, lstatSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sweep, withScratch } from '../../../src/git/scratch.ts';
import { scratchFolder } from '../../support/scratch.ts';

const OLD = new Date('2026-01-01T00:00:00Z');
const NOW = Date.parse('2026-01-03T00:00:00Z');

describe('a folder for what git needs for a moment', () => {
  it('is new, and its user’s alone, and gone afterwards', async () => {
    const folder = await withScratch('note', async (made) => {
      expect(lstatSync(made).mode & 0o777).toBe(0o700);
      return made;
    });
    expect(existsSync(folder)).toBe(false);
  });

  it('of a killed run is swept up, and nothing else is', async () => {
    const place = scratchFolder('sweep');
    const made = (name: string, at: Date): string => {
      const folder = join(place, name);
      mkdirSync(folder);
      writeFileSync(join(folder, 'index'), '');
      utimesSync(folder, at, at);
      return folder;
    };
    const left = made('fleetform-blame-aB3dE6', OLD);
    const others = [
      made('fleetform-blame-aB3dE7', new Date(NOW)),
      made('fleetform-notes-of-ada', OLD),
      made('fleetform-blame-aB3dE6-kept', OLD),
    ];
    const link = join(place, 'fleetform-note-aB3dE8');
    symlinkSync(made('elsewhere', OLD), link);
    await sweep(place, NOW - 3_600_000);
    expect(existsSync(left)).toBe(false);
    for (const one of [...others, link, join(place, 'elsewhere', 'index')])
      expect(existsSync(one), one).toBe(true);
  });
});

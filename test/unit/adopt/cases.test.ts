import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFleetShell } from '../../../src/library/fleet-shell.ts';
import type { Adoption } from '../../../src/model/report/adoption.ts';
import { importFleet } from '../../../src/operations/adopt/import.ts';
import { writeSnapshot } from '../../../src/operations/snapshot-file.ts';
import { importBlocks } from '../../../src/render/outputs/import.ts';
import type { Snapshot } from '../../../src/model/fleet/snapshot.ts';
import { aDevice, aSnapshot, NOW } from '../../support/plan-fleet.ts';
import { shown } from '../../support/render-look.ts';
import { scratchFolder } from '../../support/scratch.ts';

const CASES = new URL('../../fixtures/import/', import.meta.url).pathname;
const DAY = 86_400_000;

/** So many devices alike. */
interface Kind {
  readonly count: number;
  readonly vendor: string;
  readonly model: string;
  readonly firmwareVersion: string;
  readonly deviceType?: string;
  readonly site: string;
  /** How long ago the password was changed. */
  readonly passwordDays?: number;
}

/** `case.json` of a folder; `then` is the fleet of a second import into the same directory. */
interface Case {
  readonly about: string;
  readonly timeZone?: string;
  readonly devices: readonly Kind[];
  readonly discovered?: number;
  readonly onboarding?: boolean;
  readonly then?: readonly Kind[];
}

/** A folder of the library's own is a working directory; its clock is that of the case. */
describe('an import', () => {
  it.each(readdirSync(CASES).toSorted())('%s', async (name) => {
    const own = JSON.parse(readFileSync(join(CASES, name, 'case.json'), 'utf8')) as Case;
    const directory = scratchFolder(`import-${name}`);
    const take = (kinds: readonly Kind[]): Promise<Adoption> =>
      adopt(directory, fleetOf(kinds, own.discovered), own);
    const first = await take(own.devices);
    expect(first.columns).toMatchObject({ now: 0, running: 0, person: 0 });
    const written = filesIn(directory);
    const texts = [textOf(first), ...first.files.map(({ path, text }) => `=== ${path}\n${text}`)];
    const second = own.then && (await take(own.then));
    if (second) texts.push(`=== run again on the changed fleet\n${textOf(second)}`);
    expect(filesIn(directory)).toEqual(written);
    const expected = join(CASES, name, 'expected.txt');
    const text = texts.join('\n');
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(expected, text);
    expect(text).toBe(readFileSync(expected, 'utf8'));
  });
});

async function adopt(
  directory: string,
  snapshot: Snapshot,
  { timeZone, onboarding }: Pick<Case, 'timeZone' | 'onboarding'>,
): Promise<Adoption> {
  const own = createFleetShell({ directory, env: {} });
  const shell = { ...own, clock: { ...own.clock, now: () => NOW } };
  mkdirSync(join(directory, 'fleet'), { recursive: true });
  await writeSnapshot(shell, 'fleet.snapshot', { ...snapshot, organization: 'acme' });
  return importFleet(shell, {
    fleet: 'fleet',
    service: 'https://service.test',
    snapshot: 'fleet.snapshot',
    ...(timeZone !== undefined && { timeZone }),
    ...(onboarding !== undefined && { onboarding }),
  });
}

function textOf(adoption: Adoption): string {
  return shown(importBlocks(adoption, 'fleet', { all: false }));
}

function filesIn(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(join(directory, 'fleet')).toSorted();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(directory, 'fleet', name), 'utf8')]),
  );
}

function fleetOf(kinds: readonly Kind[], discovered = 0): Snapshot {
  const sites = [...new Set(kinds.map(({ site }) => site))].map((name, index) => {
    return { id: String(index + 1), name };
  });
  const devices = kinds.flatMap(({ count, site, passwordDays, ...kind }, at) =>
    Array.from({ length: count }, (_, index) =>
      aDevice(`dev-${at + 1}-${index + 1}`, {
        ...kind,
        sites: sites.filter(({ name }) => name === site),
        sources: [{ id: '1', name: 'VMS' }],
        ...(passwordDays !== undefined && {
          passwordChangedAt: NOW - (passwordDays + index) * DAY,
        }),
      }),
    ),
  );
  return aSnapshot(devices, {
    sites,
    sources: [{ id: '1', name: 'VMS' }],
    discovered: [
      ...devices.slice(0, 2).map(({ id, name = id }) => found(id, name, 'archived')),
      ...Array.from({ length: discovered }, (_, index) =>
        found(`disc-${index + 1}`, `new-${index + 1}`, 'readyToOnboard'),
      ),
    ].slice(discovered > 0 ? 0 : 2),
  });
}

function found(id: string, name: string, onboardingStatus: string) {
  const known = { vendor: 'Axis', model: 'P3265-V', deviceType: 'camera' };
  return { id, name, onboardingStatus, ...known, sources: [{ id: '1', name: 'VMS' }] };
}

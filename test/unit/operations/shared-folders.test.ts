import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadFleet } from '../../../src/config/load.ts';
import { changedFleets, findFleets } from '../../../src/operations/find-fleets.ts';
import { readRequestChange } from '../../../src/operations/gate/request-change.ts';
import { linePlace } from '../../../src/operations/ground/line.ts';
import { servicesAnywhere } from '../../../src/operations/ground/service-line.ts';
import { folderHere } from '../../../src/operations/here.ts';
import {
  documentsAt,
  foldersOf,
  pathInClone,
  readCommit,
} from '../../../src/operations/repository.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

let place: string;
let shell: Shell;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

function commit(): string {
  gitIn(place, 'add', '--all');
  const by = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  gitIn(place, ...by, 'commit', '--quiet', '-m', 'next');
  return gitIn(place, 'rev-parse', 'HEAD');
}

const windowsAt = (from: string): string =>
  `windows: {nights: {allow: [{days: tue-thu, from: "${from}", to: "05:00"}]}}\n`;
const firmware = (version: string, more = ''): string =>
  `firmware:\n  axis: {${more}select: {vendor: Axis}, version: "${version}", windows: nights}\n`;

const here = (name = 'acme') => folderHere(shell, `fleet/${name}`);
const loaded = (name = 'acme') => loadFleet(join(place, 'fleet', name));
const codes = ({ diagnostics }: Awaited<ReturnType<typeof loaded>>) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

beforeEach(() => {
  place = scratchFolder('shared-folders');
  shell = { cwd: place, env: { PATH: process.env['PATH'] } } as unknown as Shell;
  for (const name of ['acme', 'globex', 'initech']) {
    const include = name === 'initech' ? '' : 'include: [../_shared/base]\n';
    const service = `service: {baseUrl: "https://${name}.example.com", organization: ${name}}\n`;
    write(`fleet/${name}/service.yaml`, include + service);
  }
  write('fleet/_shared/base/windows.yaml', windowsAt('01:00'));
  write('fleet/_shared/base/policies/axis.yaml', firmware('11.11.x'));
  gitIn(place, 'init', '--quiet', '-b', 'main');
  commit();
});

describe('D11 a fleet with shared folders', () => {
  it('has their documents, with places from the root of the repository', async () => {
    const { documents } = await loaded();
    expect(documents?.firmware.get('axis')?.at).toMatchObject({
      file: 'fleet/_shared/base/policies/axis.yaml',
      line: 2,
    });
    expect(documents?.folders).toEqual(['fleet/acme', 'fleet/_shared/base']);
  });

  it('knows a document by its path from any folder', () => {
    const below = { ...here(), shell: { ...shell, cwd: join(place, 'fleet/_shared') } };
    expect(pathInClone(here(), 'fleet/_shared/base/a.yaml')).toBe('fleet/_shared/base/a.yaml');
    expect(pathInClone(below, 'base/a.yaml')).toBe('fleet/_shared/base/a.yaml');
    expect(pathInClone(below, '../acme/a.yaml')).toBe('fleet/acme/a.yaml');
  });

  it('has at a commit what it has in the work tree', async () => {
    const there = (await loaded()).documents?.digest;
    const head = await documentsAt(here(), 'HEAD');
    expect(head.documents?.digest).toBe(there);
    write('fleet/_shared/base/windows.yaml', windowsAt('02:00'));
    expect((await loaded()).documents?.digest).not.toBe(there);
    expect(await readCommit(here())).toMatchObject({ dirty: true });
    expect(await readCommit(here('initech'))).toMatchObject({ dirty: false });
    expect((await documentsAt(here(), 'HEAD')).documents?.digest).toBe(there);
  });

  it('has the same digest outside of a repository, and none of its own paths in it', async () => {
    const copy = scratchFolder('no-repository');
    cpSync(join(place, 'fleet'), copy, { recursive: true });
    const outside = (await loadFleet(join(copy, 'acme'))).documents;
    expect(outside?.files[0]?.path).toBe('_shared/base/policies/axis.yaml');
    expect(outside?.digest).toBe((await loaded()).documents?.digest);
  });

  it('reads the folders that each commit names', async () => {
    const first = gitIn(place, 'rev-parse', 'HEAD');
    write('fleet/_shared/other/windows.yaml', windowsAt('03:00'));
    const service = 'service: {baseUrl: "https://acme.example.com", organization: acme}\n';
    write('fleet/acme/service.yaml', `${service}"incl\\u0075de":\n  - ../_shared/other\n`);
    expect(await foldersOf(here())).toEqual(['fleet/acme', 'fleet/_shared/other']);
    expect(await foldersOf(here(), [first])).toContain('fleet/_shared/base');
    const { documents } = await documentsAt(here(), commit());
    expect(documents?.firmware.size).toBe(0);
    expect(documents?.windows.get('nights')?.at.file).toBe('fleet/_shared/other/windows.yaml');
  });

  it('overrides a whole entry, of which nothing is left', async () => {
    write('fleet/acme/axis.yaml', firmware('11.12.x', 'override: true, '));
    const { documents } = await loaded();
    expect(documents?.firmware.get('axis')?.at.file).toBe('fleet/acme/axis.yaml');
    expect(documents?.firmware.get('axis')?.value).not.toHaveProperty('override');
    write('fleet/acme/axis.yaml', firmware('11.12.x'));
    expect(codes(await loaded())).toEqual(['duplicateName']);
  });

  it('follows no link, in the work tree and at a commit', async () => {
    rmSync(join(place, 'fleet/_shared/base'), { recursive: true });
    write('elsewhere/base/windows.yaml', windowsAt('01:00'));
    symlinkSync('../../elsewhere/base', join(place, 'fleet/_shared/base'));
    expect(codes(await loaded())).toEqual(['includeRefused']);
    expect(codes(await documentsAt(here(), commit()))).toEqual(['includeRefused']);
    rmSync(join(place, 'fleet/_shared'), { recursive: true });
    symlinkSync('../elsewhere', join(place, 'fleet/_shared'));
    expect(codes(await loaded())).toEqual(['includeRefused']);
    expect(codes(await documentsAt(here(), commit()))).toEqual(['includeRefused']);
  });

  it('takes no service from a shared document, also where it has none itself', async () => {
    write(
      'fleet/_shared/base/service.yaml',
      'service: {baseUrl: https://x.example.com, organization: x}\n',
    );
    write('fleet/acme/service.yaml', 'include: [../_shared/base]\n');
    const found = await loaded();
    expect(codes(found)).toEqual(['serviceMissing', 'notShared']);
    expect(found.service).toBeUndefined();
    commit();
    const services = await servicesAnywhere(
      await linePlace(shell, join(place, 'fleet/acme')),
      'HEAD',
    );
    expect(services.map(({ settings }) => settings.organization)).toEqual(['globex', 'initech']);
  });
});

describe('D11 a request that changes a shared folder', () => {
  const changed = async (): Promise<readonly string[]> => {
    const fleets = findFleets(shell, 'fleet');
    return (await changedFleets(shell, fleets, 'main')).map(({ name }) => name);
  };

  beforeEach(() => gitIn(place, 'checkout', '--quiet', '-b', 'branch'));

  it('changes the fleets that include it', async () => {
    write('fleet/_shared/base/windows.yaml', windowsAt('02:00'));
    write('fleet/_shared/unused/windows.yaml', windowsAt('02:00'));
    commit();
    expect(await changed()).toEqual(['acme', 'globex']);
  });

  it('changes the fleets that include it, also where it takes the folder away', async () => {
    rmSync(join(place, 'fleet/_shared'), { recursive: true });
    commit();
    expect(await changed()).toEqual(['acme', 'globex']);
  });

  it('names the variables that it makes them read', async () => {
    const base = gitIn(place, 'rev-parse', 'HEAD');
    const payload = 'payload: {newPassword: {fromEnv: CAMERA_PASSWORD}}';
    write(
      'fleet/_shared/base/rotations.yaml',
      `rotations:\n  passwords: {task: rotatePassword, select: {vendor: Axis}, maxAge: 180d, ${payload}, windows: nights}\n`,
    );
    const { ground } = await readRequestChange(shell, 'fleet', { base, head: commit() });
    expect(ground).toEqual(
      ['fleet/acme', 'fleet/globex'].map((folder) => {
        return { folder, setting: 'secrets', after: 'CAMERA_PASSWORD' };
      }),
    );
  });
});

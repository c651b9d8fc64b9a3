import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { incidentFile, incidentName, type IncidentFacts } from '../../init/incident-file.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { WorldError } from '../../model/error.ts';
import { connect } from '../../operations/connect.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { EXIT } from '../../shell/exit.ts';
import { print, printJson } from '../../shell/output.ts';
import { resolvePerson } from '../process/person.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import type { Device } from '../../model/fleet/device.ts';

export interface IncidentFlags {
  readonly fleet: string;
  readonly service?: string;
  readonly rotate: IncidentFacts['rotate'];
  readonly site: string;
  readonly ticket: string;
  readonly reason: string;
  readonly owner?: string;
  readonly deviceType?: string;
  readonly until?: Instant;
  readonly name?: string;
  readonly expect?: number;
  readonly format: 'text' | 'json';
}

/** How long an incident lasts that names no end: one night. */
const NIGHT: Milliseconds = 10 * 3_600_000;

/**
 * `fleetform init incident`: writes one entry of `incidents` as a file of its own, with the number of
 * devices from one pass of the list (semantics N54). Without credentials `--expect` has to say it.
 * Throws `fileExists`, `usage`, or what reading the service throws; nothing is written then.
 */
export async function initIncidentCommand(flags: IncidentFlags, shell: Shell): Promise<number> {
  const now = Math.floor(shell.clock.now() / 1_000) * 1_000;
  const name = flags.name ?? incidentName(flags.site, flags.rotate);
  const path = join(fleetFolder(shell, flags.fleet), `incident-${name}.yaml`);
  const file = relative(shell.cwd, path);
  if (existsSync(path)) throw new WorldError('fileExists', { file });
  const { rotate, deviceType, ticket, reason } = flags;
  const { site, expect } =
    flags.expect === undefined
      ? await countDevices(flags, shell)
      : { site: flags.site, expect: flags.expect };
  const owner =
    flags.owner ?? (await resolvePerson(shell, { fleet: flags.fleet, flag: '--owner' }));
  const text = incidentFile({
    name,
    rotate,
    site,
    expect,
    reason,
    owner,
    ticket,
    ...(deviceType !== undefined && { deviceType }),
    since: now,
    until: flags.until ?? now + NIGHT,
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: 'wx' });
  const summary = { written: file, incident: `incidents.${name}`, expect };
  if (flags.format === 'json') {
    await printJson(shell.out, summary);
    return EXIT.done;
  }
  const { incidentWords } = await import('../../render/words/documents/init-words.ts');
  print(shell.out, incidentWords(summary));
  return EXIT.done;
}

/** The devices of the site, of this type where one is given, from one pass of the list. */
async function countDevices(
  flags: IncidentFlags,
  shell: Shell,
): Promise<Pick<IncidentFacts, 'site' | 'expect'>> {
  const has = (key: string): boolean => Boolean(shell.env[key] || shell.env[`${key}_FILE`]);
  if (!has('FLEETFORM_CLIENT_ID') || !has('FLEETFORM_CLIENT_SECRET'))
    throw new WorldError('usage', {
      message: 'The devices cannot be counted without credentials: add --expect N',
    });
  const { documents } = await loadDocuments(shell, flags.fleet);
  const connection = await connect(shell, documents.service.value, { ...flags, readOnly: true });
  try {
    let site = flags.site;
    let expect = 0;
    for await (const page of connection.client.list('devices'))
      for (const device of page) {
        const found = siteAmong(device, flags);
        expect += found ? 1 : 0;
        site = found?.name ?? site;
      }
    if (expect === 0) throw new WorldError('usage', { message: `No device at site ${flags.site}` });
    return { site, expect };
  } finally {
    await connection.close();
  }
}

/** The site of an incident among those of a device, if the incident is for such devices. */
function siteAmong(
  { sites, deviceType }: Device,
  flags: Pick<IncidentFlags, 'site' | 'deviceType'>,
): Device['sites'][number] | undefined {
  if ((flags.deviceType ?? deviceType) !== deviceType) return undefined;
  return sites.find(({ id, name }) => id === flags.site || name === flags.site);
}

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { IncidentFacts } from '../../init/incident-file.ts';
import { matchesGlob } from '../../lib/glob.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { WorldError, partUnknown, usage } from '../../model/error.ts';
import type { Device } from '../../model/fleet/device.ts';
import { missingCredentials } from '../../shell/credentials.ts';
import { print, printJson } from '../../shell/output.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { resolvePerson } from '../process/person.ts';
import { command, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { init } from './init.ts';
import { collectNames, toCount } from '../program/flags.ts';

const FLAGS = {
  rotate: flag.oneOf('CREDENTIAL', 'password or certificate', ['password', 'certificate'], {
    must: true,
  }),
  site: flag.option('SITE', 'These sites, by name, ID or glob', collectNames, { must: true }),
  ticket: flag.text('TICKET', 'Ticket of the incident', { must: true }),
  reason: flag.text('REASON', 'Reason on record', { default: 'known outside' }),
  owner: flag.text('NAME', 'Owner of the incident (default: git user.name)'),
  deviceType: flag.text('TYPE', 'Only devices of this type (default: all types)'),
  until: flag.until('End of the incident (default: in 10 hours)'),
  name: flag.text('NAME', 'Name of the entry (default: from the site)'),
  expect: flag.option('N', 'Maximum number of devices (default: as counted now)', toCount),
};

const { fleet, service, format } = init.flags;
const SHARED = { fleet, service, format };

type IncidentFlags = FlagsOf<typeof FLAGS> & FlagsOf<typeof SHARED>;

/** How long an incident lasts that names no end: one night. */
const NIGHT: Milliseconds = 10 * 3_600_000;

/**
 * Writes one entry of `incidents` as a file of its own, with the number of devices from one pass of the
 * list (semantics N54). Without credentials `--expect` has to say it. Throws `fileExists`, `usage`,
 * `partUnknown`, or what reading the service throws; nothing is written then.
 */
export const initIncident = command({
  name: 'init incident',
  summary: 'Write one incident: rotate all credentials at a site now',
  examples: ['init incident --rotate password --site "HQ Berlin" --ticket SEC-9'],
  environment: flag.SERVICE_VARIABLES,
  acts: true,
  shared: SHARED,
  flags: FLAGS,
  async run(flags, shell) {
    const { incidentFile, incidentName } = await import('../../init/incident-file.ts');
    const { requireFolder } = await import('../../store/files.ts');
    const now = Math.floor(shell.clock.now() / 1_000) * 1_000;
    const end = flags.until ?? now + NIGHT;
    await checkEnd(end, now);
    const name = flags.name ?? incidentName(flags.site[0] ?? '', flags.rotate);
    const path = join(fleetFolder(shell, flags.fleet), `incident-${name}.yaml`);
    const file = relative(shell.cwd, path);
    if (existsSync(path)) throw new WorldError('fileExists', { file });
    const { rotate, deviceType, ticket, reason } = flags;
    const { sites, expect } =
      flags.expect === undefined
        ? await countDevices(flags, shell)
        : { sites: flags.site, expect: flags.expect };
    const owner =
      flags.owner ?? (await resolvePerson(shell, { fleet: flags.fleet, flag: '--owner' }));
    const type = deviceType !== undefined && { deviceType };
    const facts = { name, rotate, sites, expect, reason, owner, ticket, since: now, until: end };
    await requireFolder(dirname(path));
    writeFileSync(path, incidentFile({ ...facts, ...type }), { flag: 'wx' });
    const summary = { written: file, incident: `incidents.${name}`, expect };
    if (flags.format === 'json') return printJson(shell.out, summary);
    const { incidentWords } = await import('../../render/words/documents/init-words.ts');
    print(shell.out, incidentWords(summary));
  },
});

/** Throws `usage` for an end that `validate` would refuse (semantics N55). */
async function checkEnd(end: Instant, now: Instant): Promise<void> {
  const { LONGEST_INCIDENT } = await import('../../config/rules/entries.ts');
  if (end > now && end <= now + LONGEST_INCIDENT) return;
  throw usage(
    `--until must be later than now, and at most ${LONGEST_INCIDENT / 3_600_000} hours away`,
  );
}

/** The devices that the incident will select, from one pass of the list; the ID of a site becomes its name. */
async function countDevices(
  flags: IncidentFlags,
  shell: Shell,
): Promise<Pick<IncidentFacts, 'sites' | 'expect'>> {
  if (missingCredentials(shell.env).length > 0)
    throw usage('Without credentials, the devices cannot be counted: add --expect N');
  const { withConnection } = await import('../../operations/connect.ts');
  const { loadDocuments } = await import('../../operations/documents.ts');
  const { documents } = await loadDocuments(shell, flags.fleet);
  const options = { ...flags, readOnly: true, isLedgerless: true };
  return withConnection(shell, documents.service.value, options, async ({ client }) => {
    const devices: Counted[] = [];
    for await (const page of client.list('devices')) devices.push(...page);
    return countAmong(devices, flags);
  });
}

type Counted = Pick<Device, 'sites' | 'deviceType'>;

/**
 * Counts devices as the selector of the incident will select them. Throws `partUnknown` for a site that no device is at,
 * and `usage` for one without a device of the type.
 */
function countAmong(
  devices: readonly Counted[],
  { site: wanted, deviceType }: Pick<IncidentFlags, 'site' | 'deviceType'>,
): Pick<IncidentFacts, 'sites' | 'expect'> {
  const sites = devices.flatMap((device) => device.sites);
  const names = new Map(sites.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]])));
  const meant = devices.filter((device) => isMeant(deviceType, device.deviceType));
  for (const value of wanted) {
    if (meant.some((device) => device.sites.some((site) => isAt(site, value)))) continue;
    if (sites.some((site) => isAt(site, value)))
      throw usage(`No device of type ${deviceType} at site ${value}`);
    throw partUnknown('--site', value, names.values());
  }
  const found = meant.filter((device) =>
    device.sites.some((site) => wanted.some((text) => isAt(site, text))),
  );
  return { sites: wanted.map((text) => names.get(text) ?? text), expect: found.length };
}

function isMeant(wanted: string | undefined, deviceType: string | undefined): boolean {
  return wanted === undefined || (deviceType !== undefined && matchesGlob(wanted, deviceType));
}

/** As a selector does: by name or ID, either as a glob. */
function isAt({ id, name }: Device['sites'][number], text: string): boolean {
  return matchesGlob(text, id) || (name !== undefined && matchesGlob(text, name));
}

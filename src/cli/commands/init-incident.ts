import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { LONGEST_INCIDENT } from '../../config/rules/incidents.ts';
import { incidentFile, incidentName, type IncidentFacts } from '../../init/incident-file.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { matchesGlob } from '../../lib/glob.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { WorldError } from '../../model/error.ts';
import { connect } from '../../operations/connect.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { EXIT } from '../../shell/exit.ts';
import { print, printJson } from '../../shell/output.ts';
import { resolvePerson } from '../process/person.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import type { Device } from '../../model/fleet/device.ts';
import { requireFolder } from '../../store/files.ts';

interface IncidentFlags {
  readonly fleet: string;
  readonly service?: string;
  readonly rotate: IncidentFacts['rotate'];
  /** Names, IDs or globs of sites, as a selector takes them. */
  readonly site: readonly string[];
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
 * Throws `fileExists`, `usage`, `partUnknown`, or what reading the service throws; nothing is written then.
 */
export async function initIncidentCommand(flags: IncidentFlags, shell: Shell): Promise<number> {
  const now = Math.floor(shell.clock.now() / 1_000) * 1_000;
  const until = flags.until ?? now + NIGHT;
  checkEnd(until, now);
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
  const text = incidentFile({
    name,
    rotate,
    sites,
    expect,
    reason,
    owner,
    ticket,
    ...(deviceType !== undefined && { deviceType }),
    since: now,
    until,
  });
  await requireFolder(dirname(path));
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

/** Throws `usage` for an end that `validate` would refuse (semantics N55). */
function checkEnd(until: Instant, now: Instant): void {
  if (until > now && until <= now + LONGEST_INCIDENT) return;
  const message = `--until must be later than now, and at most ${LONGEST_INCIDENT / 3_600_000} hours away`;
  throw new WorldError('usage', { message });
}

/** The devices that the incident will select, from one pass of the list; the ID of a site becomes its name. */
async function countDevices(
  flags: IncidentFlags,
  shell: Shell,
): Promise<Pick<IncidentFacts, 'sites' | 'expect'>> {
  const has = (key: string): boolean => Boolean(shell.env[key] || shell.env[`${key}_FILE`]);
  if (!has('FLEETFORM_CLIENT_ID') || !has('FLEETFORM_CLIENT_SECRET'))
    throw new WorldError('usage', {
      message: 'Without credentials, the devices cannot be counted: add --expect N',
    });
  const { documents } = await loadDocuments(shell, flags.fleet);
  const connection = await connect(shell, documents.service.value, {
    ...flags,
    readOnly: true,
    isLedgerless: true,
  });
  try {
    const count = new DeviceCount(flags);
    for await (const page of connection.client.list('devices'))
      for (const device of page) count.add(device);
    return count.result();
  } finally {
    await connection.close();
  }
}

/** Counts devices as the selector of the incident will select them. */
class DeviceCount {
  readonly #flags: Pick<IncidentFlags, 'site' | 'deviceType'>;
  readonly #names = new Map<string, string>();
  readonly #unseen: Set<string>;
  #count = 0;

  constructor(flags: Pick<IncidentFlags, 'site' | 'deviceType'>) {
    this.#flags = flags;
    this.#unseen = new Set(flags.site);
  }

  readonly add = ({ sites, deviceType }: Device): void => {
    const { site: wanted, deviceType: type } = this.#flags;
    for (const { id, name } of sites) if (name !== undefined) this.#names.set(id, name);
    if (!isMeant(type, deviceType)) return;
    const found = wanted.filter((text) => sites.some((site) => isAt(site, text)));
    for (const text of found) this.#unseen.delete(text);
    if (found.length > 0) this.#count += 1;
  };

  /** Throws `partUnknown` for a site that no device is at, and `usage` for one without a device of the type. */
  result(): Pick<IncidentFacts, 'sites' | 'expect'> {
    for (const missing of this.#unseen) this.#refuse(missing);
    const sites = this.#flags.site.map((text) => this.#names.get(text) ?? text);
    return { sites, expect: this.#count };
  }

  #refuse(value: string): never {
    const { deviceType } = this.#flags;
    const known = [...this.#names].map(([id, name]) => ({ id, name }));
    if (deviceType !== undefined && known.some((site) => isAt(site, value)))
      throw new WorldError('usage', {
        message: `No device of type ${deviceType} at site ${value}`,
      });
    const suggestion = nearest(value, this.#names.values());
    throw new WorldError('partUnknown', {
      flag: '--site',
      value,
      ...(suggestion && { suggestion }),
    });
  }
}

function isMeant(wanted: string | undefined, deviceType: string | undefined): boolean {
  return wanted === undefined || (deviceType !== undefined && matchesGlob(wanted, deviceType));
}

/** As a selector does: by name or ID, either as a glob. */
function isAt({ id, name }: Device['sites'][number], text: string): boolean {
  return matchesGlob(text, id) || (name !== undefined && matchesGlob(text, name));
}

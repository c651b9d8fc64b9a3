import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { expect } from 'vitest';
import { listDialectKeys } from '../../src/model/fleet/dialect-keys.ts';
import type { WrittenDialect } from '../../src/model/fleet/dialect.ts';
import type { DeviceState } from '../../src/twin/world/state.ts';
import { HOSTILE, type Answer, type Json } from './hostile-answers.ts';
import { createNight, EVENING, type Command, type Night, type NightSettings } from './night.ts';

const FOLDER = fileURLToPath(new URL('../doctor/dialects/', import.meta.url));

/** One service: what it speaks, what its provider had to say, and what `doctor` prints. */
export interface DialectCase {
  readonly name: string;
  readonly dialect: WrittenDialect;
  /** What it answers otherwise than any dialect of the twin. */
  readonly answer?: Answer;
  /** What no read shows, and a person learned elsewhere. */
  readonly provider: WrittenDialect;
  readonly expected: string;
}

export function dialectCases(): readonly DialectCase[] {
  return readdirSync(FOLDER).map((name) => {
    const read = (file: string): WrittenDialect => {
      const path = `${FOLDER}${name}/${file}`;
      return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as WrittenDialect) : {};
    };
    const answer = HOSTILE[name];
    return {
      name,
      ...(answer && { answer }),
      dialect: read('dialect.json'),
      provider: read('provider.json'),
      expected: `${FOLDER}${name}/expected.txt`,
    };
  });
}

const POLICIES = `sites:
  HQ Berlin: {timeZone: Europe/Berlin}
rollouts:
  at-once: {canary: none, waves: [{name: all, percent: 100%}], maxInFlight: 50}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxUnavailable: 100%, maxInFlight: 100}
guardrails:
  default: {maxPercentOfFleet: 100%, maxPercentOfSite: 100%, maxChanges: 400, maxSitesAtOnce: 100}
firmware:
  newest: {select: {vendor: [Axis, Bosch]}, version: approved, rollout: at-once, windows: anytime}
rotations:
  passwords: {task: rotatePassword, select: {vendor: Hikvision}, maxAge: 30d, headStart: 0d, spread: 0d, rollout: at-once, windows: anytime}
  certificates: {task: rotateSslCertificate, select: {vendor: Hanwha*}, maxAge: 30d, headStart: 0d, spread: 0d, rollout: at-once, windows: anytime}
restarts:
  dark: {when: {status: offline, for: 20m}, select: {name: dark-*}, correlatedOutage: {percent: 100%, within: 10m}, windows: anytime}
onboarding:
  found: {select: {vendor: "*"}, windows: anytime}
`;

/** A device under planned work, so that its filter has something to select, and one that a restart brings back. */
function everyDevice({ tasks }: DeviceState, index: number): Partial<DeviceState> {
  if (index === 8) return { maintenance: true };
  const lastSeen = EVENING - 2 * 3_600_000;
  const dark = { name: 'dark-cam', condition: 'dark', lastSeen } as const;
  return index === 5 ? { ...dark, tasks: [...new Set([...tasks, 'restartDevice' as const])] } : {};
}

/** The fleet of a case. */
export function caseNight(
  { dialect, answer }: DialectCase,
  settings: Partial<NightSettings> = {},
): Night {
  const { through: way = (request, handle) => handle(request) } = settings;
  const through: NightSettings['through'] = async (request, handle) => {
    const { method, url } = request;
    const answered = await way(request, handle);
    if (method !== 'GET' || !answered.ok || !answer) return answered;
    const value = answer((await answered.json()) as Json, new URL(url).pathname);
    return Response.json(value, { headers: answered.headers });
  };
  return serviceNight({ ...settings, dialect, ...(answer && { through }) });
}

/** A fleet in virtual time whose service speaks a dialect, with documents of all five tasks. */
export function serviceNight(settings: Partial<NightSettings> = {}): Night {
  const night = createNight({ devices: 60, sites: 3, every: everyDevice, ...settings });
  writeService(night, {});
  night.write('fleet/policies.yaml', POLICIES);
  return night;
}

/** Writes `service` with this dialect, at a pace that takes no time. */
export function writeService(night: Night, dialect: WrittenDialect): void {
  const service = {
    baseUrl: 'https://twin.test',
    organization: 'acme',
    pace: { requestsPerSecond: 10, tokenRequestsPerMinute: 60, pollEvery: '30s' },
    dialect,
  };
  night.write('fleet/service.yaml', `${JSON.stringify({ service }, null, 2)}\n`);
}

/** A report without what a new row of the dialect table would change: the confirmed rows, and sums. */
export function comparable(out: string): string {
  return out
    .replace(/\nConfirmed: [^\n]*(?:\n  [^\n]*)*/, '')
    .replace(/\d+ confirmed,\s(\d+) cannot be told from reads,\s\d+\snot\sobserved/, 'N confirmed');
}

/** What a report of the doctor says in JSON. */
export interface PrintedCheckup {
  readonly result: 'fits' | 'differs' | 'unusable';
  readonly dialect: WrittenDialect;
  readonly requests: { readonly sent: number; readonly most: number };
  readonly checks: readonly {
    readonly name: string;
    readonly state: string;
    readonly code: string;
  }[];
  readonly assumptions: readonly {
    readonly key: string;
    readonly verdict: string;
    readonly suggested?: unknown;
    readonly observed: { readonly code: string };
  }[];
  readonly changes: readonly { readonly date: string; readonly state: string }[];
  readonly unread: readonly {
    readonly endpoint: string;
    readonly field: string;
    readonly keys: readonly string[];
    readonly isRefused: boolean;
  }[];
}

export async function readCheckup(night: Night): Promise<PrintedCheckup> {
  const { out } = await night.run('doctor --format json');
  return JSON.parse(out) as PrintedCheckup;
}

/** The YAML that a report prints, as a person copies it. */
export function printedYaml({ out }: Pick<Command, 'out'>): string {
  const lines = out.split('\n');
  const start = lines.indexOf('  service:');
  const end = lines.findIndex((line, at) => at > start && line === '');
  const printed = lines.slice(start, end).map((line) => line.slice(2));
  return start < 0 ? '' : printed.join('\n');
}

/** The dialect in that YAML. */
export function printedDialect(command: Pick<Command, 'out'>): WrittenDialect {
  const parsed = parse(printedYaml(command)) as { service?: { dialect?: WrittenDialect } } | null;
  return parsed?.service?.dialect ?? {};
}

/** What became of the device tasks, by task type. */
export function taskResults({ twin }: Night): Readonly<Record<string, readonly string[]>> {
  const results: Record<string, string[]> = {};
  for (const { type, deviceTasks } of twin.world.state.tasks)
    (results[type] ??= []).push(...deviceTasks.map(({ result }) => String(result)));
  return results;
}

/**
 * A first day: doctor, its YAML into the documents together with what the provider said, doctor once
 * more, plan and apply. Returns what there is to see in the end.
 */
export async function firstDay(service: DialectCase): Promise<FirstDay> {
  const { provider } = service;
  const night = caseNight(service);
  const before = await night.run('doctor');
  writeService(night, { ...printedDialect(before), ...provider });
  const again = await readCheckup(night);
  const plan = await night.run('plan --detailed-exitcode');
  const apply = await night.run('apply --yes');
  const requests = [...before.requests, ...plan.requests];
  return { before, again, plan, apply, requests, results: taskResults(night) };
}

export interface FirstDay {
  readonly before: Command;
  readonly again: PrintedCheckup;
  readonly plan: Command;
  readonly apply: Command;
  /** Those of the commands that only read. */
  readonly requests: readonly string[];
  readonly results: Readonly<Record<string, readonly string[]>>;
}

/** What there is to see after exactly that was written which doctor printed. */
export interface OneRound {
  /** The dialect that the report printed, and the same report as JSON. */
  readonly printed: WrittenDialect;
  readonly first: PrintedCheckup;
  readonly again: PrintedCheckup;
  readonly plan: Command;
  readonly imported: Command;
  /** The fields that the plan could not read, by its own names. */
  readonly unreadable: readonly string[];
}

export async function oneRound(service: DialectCase): Promise<OneRound> {
  const night = caseNight(service);
  const text = await night.run('doctor');
  const first = await readCheckup(night);
  const printed = printedDialect(text);
  writeService(night, printed);
  const again = await readCheckup(night);
  const plan = await night.run('plan --format json --max-reads 1000');
  const imported = await night.run('import --dry-run');
  const fields = [...plan.out.matchAll(/"field":\s*"([\w.]+)"/g)].map(([, field = '']) => field);
  return { printed, first, again, plan, imported, unreadable: [...new Set(fields)] };
}

/** One round is enough: nothing is left to write, and what cannot be read was said. */
export function expectOneRound(round: OneRound): void {
  const { printed, first, again, plan, imported, unreadable } = round;
  expect(printed).toEqual(first.dialect);
  expect([again.dialect, again.unread]).toEqual([first.dialect, first.unread]);
  const isUsable = first.result !== 'unusable';
  expect([plan.exit === 0, imported.exit === 0], plan.err).toEqual([isUsable, isUsable]);
  const said = first.unread.flatMap(({ field, keys }) => [field, ...keys]);
  const unsaid = unreadable.filter((name) => {
    const keys = [...listDialectKeys(name), ...listDialectKeys(name, 'discoveredDevices')];
    const own = name.replace(/^available/, 'availableTask');
    return ![own, ...keys].some((each) => said.includes(each));
  });
  expect(unsaid).toEqual([]);
  const inRows = first.unread.filter(({ endpoint }) => /(?:d|D)evices$/.test(endpoint));
  if (isUsable)
    expect(/Unreadable value on|cannot be read/.test(imported.err)).toBe(inRows.length > 0);
  if (first.unread.length > 0 && isUsable) expect(unreadable).not.toEqual([]);
}

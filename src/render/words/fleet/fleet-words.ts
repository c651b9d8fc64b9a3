import { formatDuration } from '../../../lib/time.ts';
import type {
  AlertName,
  FleetReport,
  Measure,
  MeasureTotal,
  ReportLimits,
  ReportName,
  ReportNotice,
  ReportRow,
  ReportSource,
  State,
} from '../../../model/report/fleet-report.ts';
import type { Sink } from '../../sinks/sinks.ts';
import { moment } from '../moment.ts';
import { counted, fill, grouped } from '../phrase.ts';

export const REPORT_WORDS: Readonly<Record<ReportName, string>> = {
  overview: 'Overview',
  availability: 'Availability',
  compliance: 'Firmware compliance',
  vulnerabilities: 'Vulnerabilities',
  lifecycle: 'Lifecycle',
  credentials: 'Passwords and SSL certificates',
  security: '802.1X and hardening',
  alerts: 'Alerts',
};

export const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  firmware: 'Firmware',
  vulnerability: 'Vulnerabilities',
  lifecycle: 'Lifecycle',
  password: 'Password',
  sslCertificate: 'SSL certificate',
  dot1xCertificate: '802.1X certificate',
  hardening: 'Hardening',
};

export const STATE_WORDS: Readonly<Record<State, string>> = {
  compliant: 'compliant',
  clear: 'no known vulnerability',
  supported: 'supported',
  current: 'current',
  valid: 'valid',
  hardened: 'hardened',
  behind: 'behind its policy',
  blocked: 'blocked',
  vulnerable: 'vulnerable',
  endOfLife: 'end of life',
  endOfSupport: 'end of support',
  overdue: 'overdue',
  expiresSoon: 'expiring soon',
  expired: 'expired',
  nonCompliant: 'noncompliant',
  outdated: 'outdated',
  noPolicy: 'no policy',
  excepted: 'excepted',
  none: 'none',
  unknown: 'unknown',
  absent: 'not shown',
  unreadable: 'unreadable',
  notRead: 'not read',
};

export const ALERT_WORDS: Readonly<Record<AlertName, string>> = {
  offline: 'offline',
  vulnerability: 'vulnerability with a fix',
  sslCertificate: 'SSL certificate',
  dot1xCertificate: '802.1X certificate',
  password: 'password',
  endOfSupport: 'end of support',
};

/** Headings of the columns that a terminal shows of devices and alerts. */
export const HEADING_WORDS: Readonly<Record<string, string>> = {
  firmwareVersion: 'FIRMWARE',
  firmwareState: 'STATE',
  firmwareTarget: 'TARGET',
  firmwarePolicy: 'POLICY',
  cves: 'CVES',
  fixPolicy: 'POLICY',
  lifecycleState: 'STATE',
  supportEndsAt: 'SUPPORT ENDS',
  supportDaysLeft: 'DAYS LEFT',
  replacementModel: 'REPLACEMENT',
  passwordState: 'PASSWORD',
  passwordAgeDays: 'AGE DAYS',
  sslCertificateState: 'SSL CERTIFICATE',
  sslDaysLeft: 'DAYS LEFT',
  dot1xCertificateState: '802.1X',
  dot1xDaysLeft: 'DAYS LEFT',
  hardeningState: 'HARDENING',
  hardeningAgeDays: 'AGE DAYS',
};

export const TOTAL_WORDS = {
  measure: 'Measure',
  site: 'Site',
  deviceType: 'Type',
  devices: 'Devices',
  good: 'Good',
  bad: 'Bad',
  open: 'No target',
  unknown: 'Unknown',
  share: 'Share',
} as const;

export const FLEET_WORDS = {
  all: 'all',
  noSite: '(no site)',
  attention: 'Devices that need attention',
  alerts: 'Alerts',
  cves: 'CVEs',
  allBy: 'add `--all`, or use `--format csv`.',
  none: 'No alerts.',
  nothing: 'No device needs attention.',
  shareOf:
    'Share: percentage of good devices among good and bad ones. Unknown devices never count as good.',
  countOf:
    'Availability: percentage of devices up among devices up and down. Maintenance is excluded; unknown devices never count as up.',
  timeOf:
    'Availability: percentage of hours up among hours up and down. Maintenance is excluded; unknown time never counts as up.',
} as const;

/** The number columns of availability: devices of one reading, or hours between several. */
export function availabilityColumns({
  sources,
}: Pick<FleetReport, 'sources'>): readonly (readonly [field: string, title: string])[] {
  if (sources.length <= 1)
    return [
      ['upHours', 'Up'],
      ['downHours', 'Down'],
      ['maintenanceHours', 'Maintenance'],
      ['unknownHours', 'Unknown'],
    ];
  return [
    ['snapshots', 'Snapshots'],
    ['upHours', 'Up h'],
    ['downHours', 'Down h'],
    ['maintenanceHours', 'Maintenance h'],
    ['unknownHours', 'Unknown h'],
  ];
}

export function availabilityBasis({ sources }: Pick<FleetReport, 'sources'>): string {
  return sources.length <= 1 ? FLEET_WORDS.countOf : FLEET_WORDS.timeOf;
}

/** How many rows by site and type the page leaves out, all with a higher or an unknown share. */
export function placesLeftWords(left: number): string {
  return `${counted(left, 'row')} with higher or unknown availability ${left === 1 ? 'is' : 'are'} not shown. The text of the report has all rows.`;
}

/**
 * `97% of 42`: availability, and of how many devices or hours if others are unknown, so that no
 * `100%` stands for what nothing is known of. Undefined where nothing is known.
 */
export function availabilityWords(
  total: ReportRow,
  { sources }: Pick<FleetReport, 'sources'>,
): string | undefined {
  const { availability, upHours, downHours, unknownHours } = total;
  if (typeof availability !== 'number') return undefined;
  const known = grouped(Number(upHours) + Number(downHours));
  const basis = sources.length <= 1 ? known : `${known} h`;
  return Number(unknownHours) > 0 ? `${availability}% of ${basis}` : `${availability}%`;
}

/** `64.2% of 42`: a share, and of how many devices if that is not all of them. */
export function shareWords({ share, good, bad, devices }: MeasureTotal): string | undefined {
  if (share === null) return undefined;
  const rated = good + bad;
  return rated === devices ? `${share}%` : `${share}% of ${grouped(rated)}`;
}

/** `fleet.snapshot, read Fri 20 Nov 2026 12:00 UTC, 1,000 devices`. */
export function sourceWords({ file, takenAt, devices }: ReportSource, sink: Sink): string {
  const name = file === null ? 'the service' : sink(file);
  return `${name}, read ${moment(takenAt)}, ${counted(devices, 'device')}`;
}

const NOTICE_WORDS: Readonly<Record<ReportNotice['code'], string>> = {
  reordered: 'The snapshots were not in chronological order. The report sorts them.',
  sameInstant: '{file} has the same time as another snapshot and is left out.',
  gap: 'No snapshot from {from} to {to}. Beyond `--max-gap` this time counts as unknown.',
  nothingInCommon:
    '{file} shares no device with the snapshot before it. Check that both are of one organization.',
  torn: '{file=The reading} is inconsistent: devices may be missing.',
  noDevices: '{file=The service} has no devices.',
  noDocuments:
    'The documents are missing or invalid[: {problems|problem|problems}], so the report has no policies. next: Run `fleetform validate`.',
  oneSnapshot: 'One snapshot has no history. Availability counts devices, not hours.',
  cvesNotRead:
    'CVEs of {devices|device|devices} are not read ({groups|model and version|models and versions} left). next: Raise `--max-cve-reads`.',
};

/** What a reader has to know of the sources, as a sentence. */
export function noticeWords(notice: ReportNotice, sink: Sink): string {
  const { code, ...params } = notice;
  const said = Object.entries(params).flatMap(([name, value]): [string, string | number][] => {
    if (value === null || value === 0) return [];
    return [[name, name === 'from' || name === 'to' ? moment(Number(value)) : value]];
  });
  return fill(NOTICE_WORDS[code], Object.fromEntries(said), sink);
}

/** The limits that a report used, by their flags. */
export function limitWords(limits: ReportLimits): string {
  const { within, hardenedAge, offlineFor, severity, maxGap } = limits;
  return [
    `--within ${formatDuration(within)}`,
    `--hardened-age ${formatDuration(hardenedAge)}`,
    `--offline-for ${formatDuration(offlineFor)}`,
    `--severity ${severity}`,
    `--max-gap ${formatDuration(maxGap)}`,
  ].join(', ');
}

/** The states of unknown devices: `12 not shown, 3 not read`. */
export function stateCountWords(states: Readonly<Partial<Record<State, number>>>): string {
  return Object.entries(states)
    .map(([state, count]) => `${grouped(count)} ${STATE_WORDS[state as State]}`)
    .join(', ');
}

/** `offline 2, password 1`: devices whose alerts cannot be decided; empty if there are none. */
export function undecidedWords(undecided: Readonly<Record<AlertName, number>>): string {
  return Object.entries(undecided)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${ALERT_WORDS[name as AlertName]} ${grouped(count)}`)
    .join(', ');
}

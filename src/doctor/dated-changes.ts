import type { DialectKey } from '../model/fleet/dialect.ts';
import type { ChangeName, DatedChange } from '../model/report/checkup.ts';
import type { DeviceReads } from './device-reads.ts';
import type { Assessment, Assessments } from './findings.ts';
import type { ListsRead } from './lists.ts';
import { valueAt, type AnswerRow } from './probing.ts';

/** Everything that shows which changes a service has. */
export interface Evidence {
  readonly devices: readonly AnswerRow[];
  readonly lists: ListsRead;
  readonly reads: DeviceReads;
  readonly firmwarePathsStatus: number;
  /** The status of GET /v1/tasks, which has no GET: 405 shows that it exists. */
  readonly tasksStatus: number;
  readonly judged: Assessments;
}

type Shown = DatedChange['state'];

/** The changes of the service's list, oldest first, and what of a read shows each. */
const CHANGES: readonly (readonly [
  date: string,
  change: ChangeName,
  shownBy: (evidence: Evidence) => Shown,
])[] = [
  ['2025-06-24', 'probes', ({ devices }) => byMember(devices, 'probe')],
  ['2025-09-08', 'vulnerabilities', ({ reads }) => byStatus(reads.statuses.vulnerabilities)],
  ['2025-10-16', 'availableTask', ({ judged }) => byJudged(judged, TASK_FILTERS)],
  ['2026-04-30', 'siteStatus', ({ lists }) => byFlag(lists.hasSiteStatus)],
  ['2026-05-19', 'credentials', ({ reads }) => byStatus(reads.statuses.passwords)],
  ['2026-07-20', 'tasks', ({ tasksStatus: at }) => (at === 404 ? 'unknown' : byStatus(at))],
  ['2026-07-29', 'onboarding', ({ lists }) => byStatus(lists.discoveredStatus)],
  ['2026-08-11', 'deviceFields', ({ judged }) => byJudged(judged, DEVICE_FIELD_KEYS)],
  ['2026-09-27', 'firmware', firmware],
  ['2026-10-08', 'complianceFields', ({ judged }) => byJudged(judged, COMPLIANCE_KEYS)],
];

const TASK_FILTERS: readonly DialectKey[] = ['filterRotatePassword', 'filterRotateSslCertificate'];
const DEVICE_FIELD_KEYS: readonly DialectKey[] = [
  'onboardingDateField',
  'lastHardenedField',
  'recordingStatusField',
  'storageServerField',
  'patchedFirmwareVersionField',
  'orphanedField',
];
const COMPLIANCE_KEYS: readonly DialectKey[] = [
  'vulnerabilitySeverityField',
  'suggestedFirmwareVersionField',
  'suggestedReplacementModelField',
  'passwordExpiryField',
  'sslCertificateExpiryField',
  'sslCertificateStatusField',
  'dot1xCertificateExpiryField',
  'dot1xCertificateStatusField',
];

export function judgeChanges(evidence: Evidence): readonly DatedChange[] {
  return CHANGES.map(([date, change, shownBy]) => ({ date, change, state: shownBy(evidence) }));
}

function byMember(rows: readonly AnswerRow[], path: string): Shown {
  if (rows.length === 0) return 'unknown';
  return rows.some((row) => valueAt(row, path) !== undefined) ? 'present' : 'lacking';
}

function byFlag(flag: boolean | undefined): Shown {
  return flag === undefined ? 'unknown' : flag ? 'present' : 'lacking';
}

/** A refusal shows that the endpoint exists; a 404 at a device that exists, that it does not. */
function byStatus(status: number): Shown {
  if (status === 404) return 'lacking';
  const isThere = (status >= 200 && status < 300) || [400, 403, 405].includes(status);
  return isThere ? 'present' : 'unknown';
}

function firmware({ reads, firmwarePathsStatus }: Evidence): Shown {
  const targets = byStatus(reads.statuses.targetFirmware);
  return targets === 'unknown' ? byStatus(firmwarePathsStatus) : targets;
}

/** Present if one of these is there under any name; lacking if several could be and none is. */
function byJudged(judged: Assessments, keys: readonly DialectKey[]): Shown {
  const found = keys.map((key) => judged.get(key)).filter((each) => each !== undefined);
  const isThere = ({ verdict, code, suggested }: Assessment): boolean =>
    (verdict === 'confirmed' && code !== 'unneeded') || Boolean(suggested);
  if (found.some(isThere)) return 'present';
  const isMissing = found.every(
    ({ code, suggested }) => ['absent', 'several', 'unneeded'].includes(code) || suggested === '',
  );
  return isMissing && found.length > 0 ? 'lacking' : 'unknown';
}

import type { Measure, ReportName } from './fleet-report.ts';

/** A field of a row: its name in csv and json, and whether the table of a terminal shows it. */
export interface ReportField {
  readonly name: string;
  readonly type: 'text' | 'number' | 'boolean' | 'instant' | 'list';
  readonly shown?: true;
}

const text = (name: string): ReportField => ({ name, type: 'text' });
const number = (name: string): ReportField => ({ name, type: 'number' });
const instant = (name: string): ReportField => ({ name, type: 'instant' });
const flag = (name: string): ReportField => ({ name, type: 'boolean' });
const shown = (field: ReportField): ReportField => ({ ...field, shown: true });

const DEVICE: readonly ReportField[] = [
  shown(text('device')),
  shown(text('name')),
  shown(text('site')),
  text('deviceType'),
  text('vendor'),
  text('model'),
];

const COUNTS: readonly ReportField[] = [
  shown(number('devices')),
  shown(number('up')),
  shown(number('down')),
  shown(number('maintenance')),
  shown(number('unknown')),
  shown(number('availability')),
];

/** The fields of the rows of each report, in order. `docs/report.md` and the schema say what they mean. */
export const REPORT_FIELDS: Readonly<Record<ReportName, readonly ReportField[]>> = {
  overview: [
    shown(text('measure')),
    shown(text('site')),
    shown(text('deviceType')),
    shown(number('devices')),
    shown(number('good')),
    shown(number('bad')),
    shown(number('open')),
    shown(number('unknown')),
    shown(number('share')),
  ],
  availability: [
    shown(instant('takenAt')),
    shown(text('site')),
    shown(text('deviceType')),
    ...COUNTS,
  ],
  compliance: [
    ...DEVICE,
    shown(text('firmwareVersion')),
    shown(text('firmwareState')),
    shown(text('firmwareTarget')),
    shown(text('firmwarePolicy')),
    text('firmwareReason'),
    text('suggestedVersion'),
  ],
  vulnerabilities: [
    ...DEVICE,
    text('firmwareVersion'),
    text('vulnerabilityState'),
    shown(text('severity')),
    { name: 'cves', type: 'list', shown: true },
    text('patchedVersion'),
    shown(text('fix')),
    shown(text('fixPolicy')),
    text('fixVersion'),
  ],
  lifecycle: [
    ...DEVICE,
    shown(text('lifecycleState')),
    shown(instant('supportEndsAt')),
    shown(number('supportDaysLeft')),
    shown(text('replacementModel')),
  ],
  credentials: [
    ...DEVICE,
    shown(text('passwordState')),
    shown(number('passwordAgeDays')),
    instant('passwordChangedAt'),
    instant('passwordExpiresAt'),
    text('passwordPolicy'),
    shown(text('sslCertificateState')),
    shown(number('sslDaysLeft')),
    instant('sslExpiresAt'),
    text('sslPolicy'),
  ],
  security: [
    ...DEVICE,
    shown(text('dot1xCertificateState')),
    shown(number('dot1xDaysLeft')),
    instant('dot1xExpiresAt'),
    flag('dot1xRotatable'),
    shown(text('hardeningState')),
    shown(number('hardeningAgeDays')),
    instant('lastHardenedAt'),
    flag('hardenable'),
    flag('orphaned'),
  ],
  alerts: [
    shown(text('alert')),
    shown(text('device')),
    shown(text('name')),
    shown(text('site')),
    text('deviceType'),
    text('vendor'),
    text('model'),
    shown(text('value')),
    instant('since'),
    shown(text('limit')),
  ],
};

/** The measures that a report totals; availability and alerts have totals of their own. */
export const REPORT_MEASURES: Readonly<Record<ReportName, readonly Measure[]>> = {
  overview: [
    'firmware',
    'vulnerability',
    'lifecycle',
    'password',
    'sslCertificate',
    'dot1xCertificate',
    'hardening',
  ],
  availability: [],
  compliance: ['firmware'],
  vulnerabilities: ['vulnerability'],
  lifecycle: ['lifecycle'],
  credentials: ['password', 'sslCertificate'],
  security: ['dot1xCertificate', 'hardening'],
  alerts: [],
};

/** The field of a device row with the state of a measure. */
export const STATE_FIELD: Readonly<Record<Measure, string>> = {
  firmware: 'firmwareState',
  vulnerability: 'vulnerabilityState',
  lifecycle: 'lifecycleState',
  password: 'passwordState',
  sslCertificate: 'sslCertificateState',
  dot1xCertificate: 'dot1xCertificateState',
  hardening: 'hardeningState',
};

import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import { CERTIFICATE_FIELDS, PASSWORD_FIELDS, TARGET_FIELDS } from './field-assumptions.ts';
import { judgeAll, judgeFields } from './assess-fields.ts';
import {
  compared,
  confirmed,
  notObserved,
  placed,
  several,
  type Assessment,
  type Assessments,
} from './findings.ts';
import { fits, listLeaves } from './inventory.ts';
import { devicePath, idText, isOk, probe, valueAt } from './probing.ts';
import type { AnswerRow, ProbeAnswer, Probing } from './probing.ts';
import { isObject } from '../lib/objects.ts';

export interface DeviceReads {
  readonly judged: Assessments;
  /** The status of each endpoint at a device that exists; 0 if none was read. */
  readonly statuses: Readonly<Record<DeviceEndpoint, number>>;
}

type DeviceEndpoint = 'passwords' | 'certificates' | 'vulnerabilities' | 'targetFirmware';

const KEYS: Readonly<Record<DeviceEndpoint, readonly DialectKey[]>> = {
  passwords: PASSWORD_FIELDS.map(({ key }) => key),
  certificates: [
    ...CERTIFICATE_FIELDS.map(({ key }) => key),
    'certificateTypeSsl',
    'certificateForm',
  ],
  vulnerabilities: ['vulnerabilitiesListField'],
  targetFirmware: [
    'targetFirmwareListField',
    'targetFirmwareForm',
    ...TARGET_FIELDS.map(({ key }) => key),
    'targetFirmwareScope',
  ],
};

/** The member of a device that makes it likely to show something there. */
function likelyMember(endpoint: DeviceEndpoint, dialect: Dialect): string {
  if (endpoint === 'passwords') return 'availableTask.rotatePassword';
  if (endpoint === 'certificates') return 'availableTask.rotateSslCertificate';
  return endpoint === 'targetFirmware'
    ? 'availableTask.upgradeFirmware'
    : dialect.vulnerabilitySeverityField;
}

const MOST_DEVICES = 3;

/** Reads up to three devices for each endpoint, until one of them has something to show. */
export function* examineDeviceReads(
  rows: readonly AnswerRow[],
  dialect: Dialect,
): Probing<DeviceReads> {
  const judged = new Map<DialectKey, Assessment>();
  const statuses = { passwords: 0, certificates: 0, vulnerabilities: 0, targetFirmware: 0 };
  for (const endpoint of Object.keys(KEYS) as DeviceEndpoint[]) {
    const devices = likelyDevices(rows, likelyMember(endpoint, dialect));
    const answers: ProbeAnswer[] = [];
    for (const device of devices) {
      const id = idText(device['id']) ?? '';
      const answer = yield* probe(devicePath(id, `/${endpoint}`));
      answers.push(answer);
      if (hasContent(answer) || [401, 403].includes(answer.status)) break;
    }
    const best = answers.find(hasContent) ?? answers.find(isOk) ?? answers[0];
    statuses[endpoint] = best?.status ?? 0;
    for (const [key, assessment] of judgeEndpoint(endpoint, best, dialect))
      judged.set(key, assessment);
    if (endpoint === 'targetFirmware' && best && isOk(best))
      judged.set('targetFirmwareScope', yield* examineScope(rows, dialect));
  }
  return { judged, statuses };
}

/** Of different models, those first that can do the task. */
function likelyDevices(rows: readonly AnswerRow[], flag: string): readonly AnswerRow[] {
  const usable = rows.filter(({ id }) => idText(id) !== undefined);
  const isLikely = (row: AnswerRow): boolean => flag !== '' && Boolean(valueAt(row, flag));
  const ordered = [...usable.filter(isLikely), ...usable.filter((row) => !isLikely(row))];
  const models = new Set<unknown>();
  const distinct = ordered.filter(({ model }) => !models.has(model) && models.add(model));
  return [...distinct, ...ordered.filter((row) => !distinct.includes(row))].slice(0, MOST_DEVICES);
}

/** Whether an answer has an entry of any kind. */
function hasContent(answer: ProbeAnswer): boolean {
  if (!isOk(answer)) return false;
  return isObject(answer.value)
    ? Object.values(answer.value).some((member) => isObject(member) || isFilled(member))
    : isFilled(answer.value);
}

function isFilled(value: unknown): boolean {
  return (Array.isArray(value) && value.length > 0) || (typeof value === 'string' && value !== '');
}

function judgeEndpoint(
  endpoint: DeviceEndpoint,
  answer: ProbeAnswer | undefined,
  dialect: Dialect,
): Assessments {
  const keys = KEYS[endpoint];
  if (!answer) return judgeAll(keys, notObserved('noRows'));
  if (!isOk(answer)) return judgeAll(keys, notObserved('refused', { status: answer.status }));
  if (!hasContent(answer)) return judgeAll(keys, notObserved('noRows'));
  const { value } = answer;
  switch (endpoint) {
    case 'passwords':
      return judgeFields(
        { rows: entries(value, endpoint).filter(isObject), dialect },
        PASSWORD_FIELDS,
      );
    case 'certificates':
      return judgeCertificates(entries(value, endpoint), dialect);
    case 'vulnerabilities':
      return new Map([[keys[0] as DialectKey, judgeList(value, dialect.vulnerabilitiesListField)]]);
    case 'targetFirmware':
      return judgeTargets(value, dialect);
  }
}

function entries(value: unknown, name: string): readonly unknown[] {
  const list = Array.isArray(value) ? value : valueAt(value, name);
  return Array.isArray(list) ? list : [];
}

/** Where a list is in an answer: at its path, at the only other one, or as the answer itself. */
export function judgeList(value: unknown, path: string): Assessment {
  const lists = isObject(value)
    ? listLeaves([value]).filter((leaf) => Array.isArray(leaf.values[0]))
    : [];
  if (Array.isArray(value)) return compared(path, '', ['whole', {}]);
  if (lists.some((leaf) => leaf.path === path)) return placed(path, { path, count: 1 }, 1);
  const [only, ...others] = lists;
  if (!only) return notObserved('noList');
  if (others.length > 0) return several(lists.map((each) => each.path));
  return placed(path, only, 1);
}

function judgeCertificates(list: readonly unknown[], dialect: Dialect): Assessments {
  const rows = list.filter(isObject);
  const texts = list.filter((entry) => typeof entry === 'string');
  if (rows.length === 0) {
    const rest = judgeAll(KEYS.certificates, notObserved('unneeded'));
    return new Map([
      ...rest,
      ['certificateField', compared(dialect.certificateField, '', ['whole', {}])],
      ['certificateTypeField', compared(dialect.certificateTypeField, '', ['whole', {}])],
      ['certificateForm', judgeForm(texts, dialect)],
    ]);
  }
  const judged = new Map(judgeFields({ rows, dialect }, CERTIFICATE_FIELDS));
  const valuesOf = (key: 'certificateTypeField' | 'certificateField'): readonly unknown[] => {
    const path = String(judged.get(key)?.suggested ?? dialect[key]);
    return rows.map((row) => valueAt(row, path));
  };
  judged.set('certificateTypeSsl', judgeSslWord(valuesOf('certificateTypeField'), dialect));
  judged.set('certificateForm', judgeForm(valuesOf('certificateField'), dialect));
  return judged;
}

/** PEM, or DER in base64; anything else is neither. */
function judgeForm(values: readonly unknown[], { certificateForm: assumed }: Dialect): Assessment {
  const found = values.filter((value) => fits({ values: [value] }, 'certificate'));
  if (found.length === 0) return notObserved('noRows');
  const form = found.some((value) => String(value).includes('-----BEGIN')) ? 'pem' : 'der';
  return compared(assumed, form, ['form', { form }]);
}

function judgeSslWord(
  values: readonly unknown[],
  { certificateTypeSsl: assumed }: Dialect,
): Assessment {
  const words = [...new Set(values)].filter((word) => typeof word === 'string');
  if (words.length === 0) return notObserved('noRows');
  if (words.some((word) => word.toLowerCase() === assumed.toLowerCase()))
    return confirmed('word', { word: assumed });
  const alike = words.filter(
    (word) => /ssl|tls|https|web/i.test(word) && !/802|dot1x|eap/i.test(word),
  );
  const [word] = alike;
  if (word !== undefined && alike.length === 1)
    return { verdict: 'differs', code: 'word', params: { word }, suggested: word };
  return several(words);
}

function judgeTargets(value: unknown, dialect: Dialect): Assessments {
  const path = dialect.targetFirmwareListField;
  const own = path === '' ? undefined : valueAt(value, path);
  const isOwn = own !== undefined && own !== null;
  const list = isOwn ? placed(path, { path, count: 1 }, 1) : judgeTargetPlace(value, path);
  const found = isOwn ? own : valueAt(value, String(list.suggested ?? path));
  const targets = Array.isArray(found) ? found : [found];
  const form = Array.isArray(found) ? 'list' : 'one';
  const judged = new Map<DialectKey, Assessment>([
    ['targetFirmwareListField', list],
    ['targetFirmwareForm', compared(dialect.targetFirmwareForm, form, ['form', { form }])],
  ]);
  const rows = targets.filter(isObject);
  if (rows.length > 0)
    for (const [key, assessment] of judgeFields({ rows, dialect }, TARGET_FIELDS))
      judged.set(key, assessment);
  else if (targets.some((target) => typeof target === 'string')) {
    judged.set(
      'targetFirmwareVersionField',
      compared(dialect.targetFirmwareVersionField, '', ['whole', {}]),
    );
    judged.set('targetFirmwarePathField', notObserved('unneeded'));
  }
  // An object without a version is no target, so it tells nothing of the form of one.
  if (judged.get('targetFirmwareVersionField')?.verdict === 'notObserved')
    judged.set('targetFirmwareForm', notObserved('noRows'));
  return judged;
}

/** A list somewhere, one target under a name of its own, or the answer itself. */
function judgeTargetPlace(value: unknown, path: string): Assessment {
  const list = judgeList(value, path);
  const isPathOfOne = /(?:path|hops|steps|via|chain)$/i.test(String(list.suggested ?? ''));
  if (list.verdict !== 'notObserved' && list.verdict !== 'untellable' && !isPathOfOne) return list;
  const members = isObject(value) ? Object.entries(value) : [];
  const isTarget = members.some(([, member]) => typeof member === 'string' && /\d/.test(member));
  if (isTarget) return compared(path, '', ['whole', {}]);
  const [only] = members.filter(([, member]) => isObject(member));
  if (!only) return list;
  return placed(path, { path: only[0], count: 1 }, 1);
}

/** Whether two devices of one vendor, model and version get the same answer. */
function* examineScope(rows: readonly AnswerRow[], dialect: Dialect): Probing<Assessment> {
  const byKind = new Map<string, string>();
  for (const row of rows) {
    const id = idText(row['id']);
    const kind = JSON.stringify([row['vendor'], row['model'], row['firmwareVersion']]);
    const other = byKind.get(kind);
    if (id === undefined) continue;
    if (other === undefined) {
      byKind.set(kind, id);
      continue;
    }
    const first = yield* probe(devicePath(other, '/targetFirmware'));
    const second = yield* probe(devicePath(id, '/targetFirmware'));
    if (!isOk(first) || !isOk(second)) break;
    if (JSON.stringify(first.value) !== JSON.stringify(second.value))
      return compared(dialect.targetFirmwareScope, 'device', ['scopeDiffers', {}]);
    return { verdict: 'untellable', code: 'scopeEqual' };
  }
  return notObserved('scopeUnpaired');
}

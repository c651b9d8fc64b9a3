import { countIn } from '../../lib/count.ts';
import type { Dialect, DialectKey } from '../../model/fleet/dialect.ts';
import type { FirmwarePath } from '../../model/ports.ts';
import type {
  ApprovedFirmware,
  CertificateFacts,
  PasswordFacts,
} from '../../model/fleet/snapshot.ts';
import { allRead, Fault, isFault } from './fault.ts';
import { field, known, member, part, shownText, type JsonRow } from './fields.ts';
import { certificateInUse, passwordFacts } from './credential-facts.ts';
import { isObject } from '../../lib/objects.ts';

/**
 * Reduce the reads per device to the values that decisions need. No other part of an answer is
 * kept. An answer that is not understood is a fault; nothing is thrown.
 */
export interface FactReaders {
  targetFirmware(answer: unknown): readonly ApprovedFirmware[] | Fault;
  passwords(answer: unknown): PasswordFacts | Fault;
  certificates(answer: unknown): CertificateFacts | 'none' | Fault;
  /** The paths in one row of firmwarePaths, one per model. */
  firmwarePaths(row: JsonRow): readonly FirmwarePath[] | Fault;
}

export function createFactReaders(dialect: Dialect): FactReaders {
  return {
    targetFirmware: (answer) => {
      const rows = targetsIn(answer, dialect);
      return isFault(rows) ? rows : allRead(rows.map((row) => decodeApproved(row, dialect)));
    },
    passwords: (answer) => {
      const rows = listIn(answer, 'passwords', []);
      if (isFault(rows)) return rows;
      return rows.every(isObject) ? passwordFacts(rows, dialect) : new Fault('passwords', [], rows);
    },
    certificates: (answer) => {
      const rows = listIn(answer, 'certificates', []);
      return isFault(rows) ? rows : certificateInUse(rows, dialect);
    },
    firmwarePaths: (row) => pathsIn(row, dialect),
  };
}

/**
 * The list under a name, or the answer itself if it is a list. A list whose own count shows that it
 * is incomplete is rejected.
 */
function listIn(
  answer: unknown,
  name: string,
  keys: readonly DialectKey[],
): readonly unknown[] | Fault {
  if (Array.isArray(answer)) return answer;
  const list = part(name)(answer);
  if (!isObject(answer) || !Array.isArray(list))
    return new Fault(name || '$', keys, list ?? answer);
  const shown = member(answer, 'total') ?? list.length;
  const total = countIn(shown);
  return total !== undefined && total <= list.length ? list : new Fault('total', [], shown);
}

/** A list of targets, or a single target. Null means that there are none. */
function targetsIn(answer: unknown, dialect: Dialect): readonly unknown[] | Fault {
  const { targetFirmwareListField: name, targetFirmwareForm } = dialect;
  const listed = listIn(answer, name, ['targetFirmwareListField', 'targetFirmwareForm']);
  if (!isFault(listed)) return listed;
  const one = part(name)(answer);
  if (isObject(one)) return [one];
  if (targetFirmwareForm === 'list' || Array.isArray(one)) return listed;
  return one === null || one === undefined ? [] : [one];
}

/**
 * A version, alone or with its upgrade path; the version is always the last step. A path that is
 * not understood is rejected, because a skipped step could damage the device.
 */
function decodeApproved(row: unknown, dialect: Dialect): ApprovedFirmware | Fault {
  const unread = (key: 'targetFirmwareVersionField' | 'targetFirmwarePathField'): Fault =>
    new Fault(
      `${dialect.targetFirmwareListField}[].${dialect[key]}`,
      [key],
      part(dialect[key])(row),
    );
  if (typeof row === 'string')
    return row === '' ? unread('targetFirmwareVersionField') : { version: row, hops: [row] };
  const version = known(shownText(part(dialect.targetFirmwareVersionField)(row)));
  if (!isObject(row) || !version) return unread('targetFirmwareVersionField');
  const hops = hopsTo(version, field(dialect.targetFirmwarePathField)(row));
  return hops ? { version, hops } : unread('targetFirmwarePathField');
}

function hopsTo(version: string, path: unknown): readonly string[] | undefined {
  const hops: unknown = path ?? [];
  if (!Array.isArray(hops) || !hops.every((hop) => typeof hop === 'string' && hop !== ''))
    return undefined;
  return hops.at(-1) === version ? hops : [...hops, version];
}

type PathKey = Extract<DialectKey, `firmwarePath${string}Field`>;

function pathsIn(row: JsonRow, dialect: Dialect): readonly FirmwarePath[] | Fault {
  const textAt = (path: string): string | undefined => known(shownText(field(path)(row)));
  const unread = (key: PathKey): Fault =>
    new Fault(
      `${dialect.firmwarePathsListField}[].${dialect[key]}`,
      [key],
      field(dialect[key])(row),
    );
  const vendor = textAt(dialect.firmwarePathVendorField);
  if (!vendor) return unread('firmwarePathVendorField');
  const models = decodeModels(field(dialect.firmwarePathModelField)(row));
  if (!models) return unread('firmwarePathModelField');
  const from = textAt(dialect.firmwarePathFromField);
  if (!from) return unread('firmwarePathFromField');
  const to = textAt(dialect.firmwarePathToField);
  if (!to) return unread('firmwarePathToField');
  const path = hopsTo(to, field(dialect.firmwarePathHopsField)(row));
  if (!path) return unread('firmwarePathHopsField');
  return models.map((model) => ({ vendor, model, from, to, path }));
}

function decodeModels(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isModel = (model: unknown): model is string => typeof model === 'string' && model !== '';
  return list.every(isModel) ? list : undefined;
}

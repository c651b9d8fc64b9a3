import type { Dialect } from '../../model/fleet/dialect.ts';
import type { FirmwarePath } from '../../model/ports.ts';
import type {
  ApprovedFirmware,
  CertificateFacts,
  PasswordFacts,
  ReadProblem,
} from '../../model/fleet/snapshot.ts';
import { field, isJsonRow, known, member, part, shownText } from './fields.ts';
import type { JsonRow } from './fields.ts';
import { certificateInUse, passwordFacts } from './credential-facts.ts';

/**
 * Reduce the reads per device to the values that decisions need. No other part of an answer is
 * kept.
 */
export interface FactReaders {
  targetFirmware(answer: unknown): readonly ApprovedFirmware[] | ReadProblem;
  passwords(answer: unknown): PasswordFacts | ReadProblem;
  certificates(answer: unknown): CertificateFacts | 'none' | ReadProblem;
  /** The paths in one row of firmwarePaths, one per model; undefined if unreadable. */
  firmwarePaths(row: unknown): readonly FirmwarePath[] | undefined;
}

/**
 * Creates the fact readers of a dialect. An unreadable value becomes `unreadable`; nothing is
 * thrown.
 */
export function createFactReaders(dialect: Dialect): FactReaders {
  return {
    targetFirmware: (answer) => {
      const rows = targetsIn(answer, dialect);
      const versions = rows?.map((row) => decodeApproved(row, dialect));
      return allOrNone(versions) ?? 'unreadable';
    },
    passwords: (answer) => {
      const rows = listIn(answer, 'passwords');
      return rows?.every(isJsonRow) ? passwordFacts(rows, dialect) : 'unreadable';
    },
    certificates: (answer) => {
      const rows = listIn(answer, 'certificates');
      return rows ? certificateInUse(rows, dialect) : 'unreadable';
    },
    firmwarePaths: (row) => (isJsonRow(row) ? pathsIn(row, dialect) : undefined),
  };
}

/**
 * The list under a name, or the answer itself if it is a list. A list whose own count shows that it
 * is incomplete is rejected.
 */
function listIn(answer: unknown, name: string): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  const list = part(name)(answer);
  if (!isJsonRow(answer) || !Array.isArray(list)) return undefined;
  const total = member(answer, 'total') ?? list.length;
  return typeof total === 'number' && total <= list.length ? list : undefined;
}

/** A list of targets, or a single target. Null means that there are none. */
function targetsIn(answer: unknown, dialect: Dialect): readonly unknown[] | undefined {
  const listed = listIn(answer, dialect.targetFirmwareListField);
  if (listed) return listed;
  const one = part(dialect.targetFirmwareListField)(answer);
  if (isJsonRow(one)) return [one];
  if (dialect.targetFirmwareForm === 'list' || Array.isArray(one)) return undefined;
  return one === null || one === undefined ? [] : [one];
}

function allOrNone<T>(values: readonly (T | undefined)[] | undefined): readonly T[] | undefined {
  const found = values?.filter((value) => value !== undefined);
  return found?.length === values?.length ? found : undefined;
}

/**
 * A version, alone or with its upgrade path; the version is always the last step. A path that is
 * not understood is rejected, because a skipped step could damage the device.
 */
function decodeApproved(row: unknown, dialect: Dialect): ApprovedFirmware | undefined {
  if (typeof row === 'string') return row === '' ? undefined : { version: row, hops: [row] };
  if (!isJsonRow(row)) return undefined;
  const version = known(shownText(part(dialect.targetFirmwareVersionField)(row)));
  const hops = version && hopsTo(version, field(dialect.targetFirmwarePathField)(row));
  return version && hops ? { version, hops } : undefined;
}

function hopsTo(version: string, path: unknown): readonly string[] | undefined {
  const hops: unknown = path ?? [];
  if (!Array.isArray(hops) || !hops.every(isVersion)) return undefined;
  return hops.at(-1) === version ? hops : [...hops, version];
}

function isVersion(hop: unknown): hop is string {
  return typeof hop === 'string' && hop !== '';
}

function pathsIn(row: JsonRow, dialect: Dialect): readonly FirmwarePath[] | undefined {
  const [vendor, from, to] = [
    dialect.firmwarePathVendorField,
    dialect.firmwarePathFromField,
    dialect.firmwarePathToField,
  ].map((name) => known(shownText(field(name)(row))));
  const models = decodeModels(field(dialect.firmwarePathModelField)(row));
  const path = to && hopsTo(to, field(dialect.firmwarePathHopsField)(row));
  if (!vendor || !models || !from || !to || !path) return undefined;
  return models.map((model) => ({ vendor, model, from, to, path }));
}

function decodeModels(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isModel = (model: unknown): model is string => typeof model === 'string' && model !== '';
  return list.every(isModel) ? list : undefined;
}

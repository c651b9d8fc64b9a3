import type { Params } from './error.ts';
import type { Place } from './source.ts';

/**
 * What can be wrong or doubtful in documents. Codes are stable: people write them into tickets and searches.
 * `render/words.ts` says each in English, with the next step.
 */
export const DIAGNOSTIC_CODES = [
  // files
  'fleetMissing',
  'fileTooLarge',
  'tooManyFiles',
  'fleetTooLarge',
  'notAFile',
  'linkLeavesFleet',
  'caseClash',
  'notUtf8',
  'forbiddenCharacter',
  'nestedTooDeep',
  // YAML
  'syntax',
  'duplicateKey',
  'mergeKey',
  'customTag',
  'tooManyAliases',
  'severalDocuments',
  'refusedKey',
  'unquotedStar',
  // shape
  'unknownKey',
  'missingKey',
  'wrongType',
  'quoteIt',
  'notAllowed',
  'badValue',
  'excludesEachOther',
  'oneOfRequired',
  'empty',
  'outOfRange',
  // values
  'badDuration',
  'badInstant',
  'badZone',
  'badCron',
  'badPercent',
  'badVersion',
  'badUrl',
  'looksLikeSecret',
  // across documents
  'duplicateName',
  'serviceMissing',
  'serviceTwice',
  'nameUnknown',
  'reservedName',
  'unknownDialectKey',
  'windowless',
  'noCanary',
  'exceptionWithoutExpiry',
  'pinBelowFloor',
  'ticketMissing',
  'listedTwice',
  'versionBelowFloor',
  'notHonouredYet',
  // against the live fleet
  'conflict',
  'selectsNothing',
  'siteUnknown',
  'deviceUnknown',
  'nameNotUnique',
  'exceptionEnded',
  'generationLowered',
  'fieldNotMapped',
] as const;

export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];
export type Severity = 'error' | 'warning';

/** The user's mistake, or what looks like one: a value, collected, never thrown. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /**
   * Absent only where no file is to blame. `length` is what the caret underlines, in characters.
   */
  readonly at?: Place & { readonly length?: number };
  readonly params: Params;
  /**
   * Other places that belong to it: the first definition of a duplicate, the other policy of a
   * tie.
   */
  readonly related?: readonly Place[];
}

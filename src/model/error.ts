/** Whether the call may be repeated: `safe` automatically, `unsafe` only by a person, `never`. */
export type Retry = 'safe' | 'unsafe' | 'never';

/** Failures outside of fleetform. `render/words.ts` has the English of each, with the next step. */
export type WorldCode =
  | 'credentialsMissing'
  | 'credentialsUnreadable'
  | 'credentialsRefused'
  | 'organizationUnknown'
  | 'tokenUnreadable'
  | 'baseUrlUnsafe'
  | 'forbidden'
  | 'unreachable'
  | 'tlsFailed'
  | 'verificationOff'
  | 'proxyUnusable'
  | 'proxyRefused'
  | 'timedOut'
  | 'cut'
  | 'redirected'
  | 'notJson'
  | 'tooLarge'
  | 'unexpectedShape'
  | 'unexpectedStatus'
  | 'tooManyRequests'
  | 'notFound'
  | 'idUnsafe'
  | 'writeRefused'
  | 'secretMissing'
  | 'filterNotHonoured'
  | 'filterUnknown'
  | 'filterRefused'
  | 'listTorn'
  | 'permissionsChanged'
  | 'clockSkew'
  | 'planUnreadable'
  | 'planTampered'
  | 'planExpired'
  | 'planAhead'
  | 'planForeign'
  | 'planNotApproved'
  | 'planOutOfScope'
  | 'commitNotMerged'
  | 'documentsNotNewest'
  | 'shownWithdrawn'
  | 'approverUnknown'
  | 'branchUnclear'
  | 'planStale'
  | 'snapshotUnreadable'
  | 'ledgerUnfit'
  | 'ledgerBroken'
  | 'ledgerForeign'
  | 'ledgerNewer'
  | 'ledgerRolledBack'
  | 'ledgerNotChosen'
  | 'simulatorAway'
  | 'simulatorInCi'
  | 'ledgerElsewhere'
  | 'groundPinned'
  | 'groundChanged'
  | 'groundUnrecorded'
  | 'historyCut'
  | 'placeGone'
  | 'serviceUnnamed'
  | 'commitForeign'
  | 'storeFailed'
  | 'locked'
  | 'leaseLost'
  | 'postRefused'
  | 'confirmationMissing'
  | 'deviceUnknown'
  | 'partUnknown'
  | 'partOutsidePlan'
  | 'intentUnknown'
  | 'intentAtWork'
  | 'intentClosed'
  | 'personUnknown'
  | 'notARepository'
  | 'refUnknown'
  | 'lineUnknown'
  | 'policyUnknown'
  | 'nothingLifted'
  | 'artifactRefused'
  | 'requestUnclear'
  | 'forgeMissing'
  | 'forgeRefused'
  | 'forgeUnreachable'
  | 'fileExists'
  | 'fileUnreadable'
  | 'fileRefused'
  | 'stopped'
  | 'outputLost'
  | 'fieldUnknown'
  | 'usage';

export type Params = Readonly<Record<string, string | number | boolean>>;

/**
 * A failure outside of fleetform: a code with its params. The message is for developers; users get
 * the words of the code.
 */
export class WorldError extends Error {
  override readonly name = 'WorldError';
  readonly code: WorldCode;
  readonly params: Params;
  readonly retry: Retry;

  constructor(
    code: WorldCode,
    params: Params = {},
    options: ErrorOptions & { retry?: Retry } = {},
  ) {
    super(`${code} ${JSON.stringify(params)}`, options);
    this.code = code;
    this.params = params;
    this.retry = options.retry ?? 'never';
  }
}

/**
 * Undefined where the service refused the request itself (400, 404, 422), because it may not
 * support a filter. Throws every other error again.
 */
export function asRefused(error: unknown): undefined {
  const { code, params } = error instanceof WorldError ? error : { code: '', params: {} };
  const status = 'status' in params ? Number(params.status) : 0;
  if (code === 'notFound' || (code === 'unexpectedStatus' && status >= 400 && status < 500)) return;
  throw error;
}

/** What the rules of the ground refuse (protocol M1, M2, M3, M4, M13). */
const OF_GROUND: ReadonlySet<WorldCode> = new Set([
  'ledgerElsewhere',
  'ledgerForeign',
  'groundPinned',
  'groundChanged',
  'groundUnrecorded',
  'historyCut',
  'placeGone',
  'serviceUnnamed',
  'commitForeign',
]);

/** Whether a command was refused for the ground that it would stand on, before it sent anything. */
export function isGroundRefusal(error: unknown): error is WorldError {
  return error instanceof WorldError && OF_GROUND.has(error.code);
}

/** Failures whose cause is a flag: the same command line fails again. */
const OF_FLAGS: ReadonlySet<WorldCode> = new Set(['usage', 'partUnknown', 'partOutsidePlan']);

/** Whether a flag is the cause, so that the same command line fails again. */
export function isUsageError(error: unknown): error is WorldError {
  return error instanceof WorldError && OF_FLAGS.has(error.code);
}

/** The failure may be temporary and had no effect, so the call may be repeated. */
export function isPassing(error: unknown): error is WorldError {
  return error instanceof WorldError && error.retry === 'safe';
}

/** A command line, or an option, that does not fit; `more` has a suggestion. */
export function usage(message: string, more: Params = {}): WorldError {
  return new WorldError('usage', { message, ...more });
}

/** A file that cannot be read, with the code of the system (ENOENT) as the reason if there is one. */
export function unreadableFile(file: string, cause: unknown): WorldError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return new WorldError('fileUnreadable', { file, ...(code && { why: code }) }, { cause });
}

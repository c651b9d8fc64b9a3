import { nearest } from '../lib/nearest-name.ts';
import { EXIT, type ExitCode } from './report/exit.ts';

/** Whether the call may be repeated: `safe` automatically, `unsafe` only by a person, `never`. */
export type Retry = 'safe' | 'unsafe' | 'never';

/** What a code of a failure says besides its words. */
interface Failure {
  /** The exit code of a command that it ends; absent: `error`. */
  readonly exit?: ExitCode;
  /** The rules of the ground refuse (protocol M1, M2, M3, M4, M13). */
  readonly isGround?: true;
  /** A flag is the cause: the same command line fails again. */
  readonly isFlag?: true;
}

/** Failures outside of fleetform. `render/words/errors.ts` has the English of each, with the next step. */
const FAILURES = {
  credentialsMissing: {},
  credentialsTwice: {},
  credentialCommandFailed: {},
  credentialsUnreadable: {},
  credentialsRefused: {},
  organizationUnknown: {},
  tokenUnreadable: {},
  baseUrlUnsafe: {},
  forbidden: {},
  unreachable: {},
  tlsFailed: {},
  verificationOff: {},
  proxyUnusable: {},
  proxyRefused: {},
  timedOut: {},
  cut: {},
  redirected: {},
  notJson: {},
  tooLarge: {},
  unexpectedShape: {},
  unexpectedStatus: {},
  tooManyRequests: {},
  notFound: {},
  idUnsafe: {},
  writeRefused: {},
  secretMissing: {},
  filterNotHonoured: { exit: EXIT.unfit },
  filterUnknown: {},
  filterRefused: {},
  listTorn: {},
  permissionsChanged: { exit: EXIT.unfit },
  clockSkew: { exit: EXIT.unfit },
  planUnreadable: { exit: EXIT.stale },
  planTampered: { exit: EXIT.stale },
  planExpired: { exit: EXIT.stale },
  planAhead: { exit: EXIT.stale },
  planForeign: { exit: EXIT.stale },
  planNotApproved: { exit: EXIT.stale },
  planOutOfScope: { exit: EXIT.guardrail },
  changesNotReviewed: { exit: EXIT.stale },
  commitNotMerged: { exit: EXIT.stale },
  documentsNotNewest: { exit: EXIT.stale },
  documentsConverted: {},
  shownWithdrawn: { exit: EXIT.stale },
  approverUnknown: { exit: EXIT.stale },
  branchUnclear: { exit: EXIT.unfit },
  planStale: { exit: EXIT.stale },
  snapshotUnreadable: {},
  ledgerUnfit: { exit: EXIT.unfit },
  ledgerBroken: { exit: EXIT.unfit },
  ledgerForeign: { exit: EXIT.unfit, isGround: true },
  ledgerNewer: { exit: EXIT.unfit },
  ledgerRolledBack: { exit: EXIT.unfit },
  ledgerNotChosen: { exit: EXIT.unfit },
  simulatorAway: {},
  simulatorInCi: { exit: EXIT.unfit },
  ledgerElsewhere: { exit: EXIT.unfit, isGround: true },
  groundPinned: { exit: EXIT.unfit, isGround: true },
  groundChanged: { exit: EXIT.unfit, isGround: true },
  groundUnrecorded: { exit: EXIT.unfit, isGround: true },
  historyCut: { exit: EXIT.unfit, isGround: true },
  placeGone: { exit: EXIT.unfit, isGround: true },
  serviceUnnamed: { exit: EXIT.unfit, isGround: true },
  commitForeign: { exit: EXIT.stale, isGround: true },
  storeFailed: { exit: EXIT.unfit },
  locked: { exit: EXIT.locked },
  leaseLost: { exit: EXIT.locked },
  postRefused: {},
  confirmationMissing: {},
  deviceUnknown: {},
  deviceWithoutRecord: {},
  partUnknown: { isFlag: true },
  partOutsidePlan: { isFlag: true },
  intentUnknown: {},
  intentAtWork: {},
  intentClosed: {},
  personUnknown: {},
  notARepository: {},
  gitMissing: {},
  cloneUnreadable: { exit: EXIT.unfit },
  refUnknown: {},
  lineUnknown: {},
  policyUnknown: {},
  nothingLifted: {},
  artifactRefused: { exit: EXIT.stale },
  requestUnclear: { exit: EXIT.stale },
  forgeMissing: {},
  forgeRefused: {},
  forgeUnreachable: {},
  fileExists: {},
  fileUnreadable: {},
  fileRefused: {},
  stopped: {},
  outputLost: {},
  fieldUnknown: {},
  usage: { isFlag: true },
} as const satisfies Readonly<Record<string, Failure>>;
export type WorldCode = keyof typeof FAILURES;

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

/** Whether a command was refused for the ground that it would stand on, before it sent anything. */
export function isGroundRefusal(error: unknown): error is WorldError {
  return error instanceof WorldError && 'isGround' in FAILURES[error.code];
}

/** Whether a flag is the cause, so that the same command line fails again. */
export function isUsageError(error: unknown): error is WorldError {
  return error instanceof WorldError && 'isFlag' in FAILURES[error.code];
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

/** What `read` makes of a file or a folder; throws `fileUnreadable` with its path where that fails. */
export function readNamed<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw unreadableFile(path, cause);
  }
}

/** A policy that nothing known has, with the nearest name. */
export function policyUnknown(policy: string, known: Iterable<string>): WorldError {
  const near = nearest(policy, known);
  return new WorldError('policyUnknown', { policy, ...(near !== undefined && { near }) });
}

/** A value of a flag that names no part of the fleet, with the nearest name. */
export function partUnknown(flag: string, value: string, known: Iterable<string>): WorldError {
  const suggestion = nearest(value, known);
  return new WorldError('partUnknown', { flag, value, ...(suggestion && { suggestion }) });
}

/** The exit code of a command that a failure with this code ended. */
export function exitOfError(code: WorldCode): ExitCode {
  const failure: Failure = FAILURES[code];
  return failure.exit ?? EXIT.error;
}

/**
 * Whether the same thing may be tried again: `safe` by itself, `unsafe` only by a person,
 * `never`.
 */
export type Retry = 'safe' | 'unsafe' | 'never';

/** What the world can do to us. `render/words.ts` says each in English, with the next step. */
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
  | 'listTorn'
  | 'permissionsChanged'
  | 'clockSkew'
  | 'planUnreadable'
  | 'planTampered'
  | 'planExpired'
  | 'planForeign'
  | 'planNotApproved'
  | 'planStale'
  | 'snapshotUnreadable'
  | 'ledgerUnfit'
  | 'ledgerBroken'
  | 'ledgerForeign'
  | 'ledgerNewer'
  | 'ledgerRolledBack'
  | 'ledgerNotChosen'
  | 'storeFailed'
  | 'locked'
  | 'leaseLost'
  | 'postRefused'
  | 'confirmationMissing'
  | 'deviceUnknown'
  | 'intentUnknown'
  | 'intentAtWork'
  | 'intentClosed'
  | 'personUnknown'
  | 'notARepository'
  | 'refUnknown'
  | 'lineUnknown'
  | 'policyUnknown'
  | 'artifactRefused'
  | 'githubMissing'
  | 'githubRefused'
  | 'githubUnreachable'
  | 'fileExists'
  | 'fileUnreadable'
  | 'fileRefused'
  | 'usage';

export type Params = Readonly<Record<string, string | number | boolean>>;

/**
 * The world's failure: a code and what it was about. The message is for developers; users get the
 * words of the code.
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
 * Nothing, where the service refused a read for what was asked (400, 404, 422): it may not know a
 * filter. Whatever else was thrown is thrown on.
 */
export function asRefused(error: unknown): undefined {
  const { code, params } = error instanceof WorldError ? error : { code: '', params: {} };
  const status = 'status' in params ? Number(params.status) : 0;
  if (code === 'notFound' || (code === 'unexpectedStatus' && status >= 400 && status < 500)) return;
  throw error;
}

/** The world may be as it was in a moment, and nothing is half done: the same may be tried again. */
export function isPassing(error: unknown): error is WorldError {
  return error instanceof WorldError && error.retry === 'safe';
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Shell } from '../../shell/shell.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { WorldError } from '../../model/error.ts';
import { MAX_COMMITS } from '../../render/outputs/outcome.ts';
import { parseRunRow } from '../../render/data/run-rows.ts';
import type { RunRow } from '../../model/ledger/run-table.ts';
import { jsonValue } from '../../lib/json-text.ts';
import { isObject } from '../../lib/objects.ts';
import { isArtifact } from '../../shell/plain-file.ts';

export interface RunOutcome {
  readonly commit: string;
  /** The merged commits that the run applied first, that one included. */
  readonly commits: readonly string[];
  /** The service and the organization; empty in a file of an older version. */
  readonly service: string;
  readonly at: Instant;
  readonly exit: number;
  /** Newer documents ended it; another run goes on with them (protocol M8). */
  readonly isOvertaken: boolean;
  readonly policies: readonly RunRow[];
  readonly next: string;
}

/** The rows of some 20,000 policies: more than any run has. */
const MAX_BYTES = 4 * 1024 ** 2;

/** The longest name of a policy, and the longest next step. */
const MAX_TEXT = 2_000;

/**
 * Reads what `ci apply --outcome` wrote in another job, strictly as data: a regular file of limited
 * size whose every field has its shape. Returns undefined if there is no file, since a run that
 * ended before it had a plan leaves none. Throws `artifactRefused` for anything else.
 */
export function readRunOutcome(shell: Pick<Shell, 'cwd'>, file: string): RunOutcome | undefined {
  if (!isArtifact(shell, file, MAX_BYTES)) return undefined;
  const outcome = parseOutcome(readFileSync(resolve(shell.cwd, file), 'utf8'));
  if (!outcome) throw new WorldError('artifactRefused', { file, why: 'shape' });
  return outcome;
}

function parseOutcome(text: string): RunOutcome | undefined {
  const value = jsonValue(text);
  if (!isObject(value) || value['format'] !== 1 || value['kind'] !== 'outcome') return undefined;
  const { commit, commits = [commit], service = '', at, exit, policies, next } = value;
  const instant = typeof at === 'string' ? parseInstant(at) : undefined;
  if (!isCommit(commit) || !areCommits(commits) || !isFingerprint(service)) return undefined;
  if (instant === undefined || !isCount(exit) || !isText(next)) return undefined;
  const rows = parseRows(policies);
  const isOvertaken = value['overtaken'] === true;
  return rows && { commit, commits, service, at: instant, exit, isOvertaken, policies: rows, next };
}

function parseRows(policies: unknown): readonly RunRow[] | undefined {
  if (!Array.isArray(policies)) return undefined;
  const rows = policies.flatMap((row: unknown) => parseRunRow(row) ?? []);
  const areRead = rows.length === policies.length && rows.every(({ policy }) => isText(policy));
  return areRead ? rows : undefined;
}

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
}

function isFingerprint(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[0-9a-f]{16})?$/.test(value);
}

function areCommits(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_COMMITS && value.every(isCommit);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { canonical, sha256, type Json } from '../../lib/canonical.ts';
import { jsonValue } from '../../lib/json-text.ts';
import { isObject } from '../../lib/objects.ts';
import { WorldError } from '../../model/error.ts';
import type { ApprovalTerms, ChangeOutcome } from '../../model/ledger/approval.ts';
import type { LedgerHead } from '../../model/ledger/record.ts';
import { parseOutcome } from '../../model/plan/outcome.ts';
import type { Shell } from '../../shell/shell.ts';
import { isArtifact } from '../../shell/plain-file.ts';

/** The outcomes that `ci look` has shown to a person, and that the gate after it may approve. */
export interface ShownOutcomes extends Pick<
  ApprovalTerms,
  'planId' | 'commit' | 'documents' | 'pulls' | 'part'
> {
  readonly changes: readonly ChangeOutcome[];
  /** The head of the ledger at the look: what was withdrawn since is not approved (protocol M10). */
  readonly head: LedgerHead;
}

/** More than a million outcomes. */
const MAX_BYTES = 256 * 1024 ** 2;

/** The file with what was shown; its digest is passed from job to job beside it. */
export function formatShown(shown: ShownOutcomes): string {
  return `${canonical({ format: 2, kind: 'shown', ...shown } as unknown as Json)}\n`;
}

export function shownDigest(text: string): string {
  return sha256(text);
}

/**
 * Reads what a look has shown, from a file that may have passed through other hands: it is exactly
 * the one that the look printed the digest of, or nothing is approved. Throws `artifactRefused`.
 */
export function readShown(shell: Pick<Shell, 'cwd'>, file: string, digest: string): ShownOutcomes {
  if (!isArtifact(shell, file, MAX_BYTES)) throw refused(file, 'missing');
  const text = readFileSync(resolve(shell.cwd, file), 'utf8');
  if (shownDigest(text) !== digest) throw refused(file, 'digest');
  const shown = parseShown(text);
  if (!shown) throw refused(file, 'shape');
  return shown;
}

function parseShown(text: string): ShownOutcomes | undefined {
  const value = jsonValue(text) as Partial<ShownOutcomes> & Readonly<Record<string, unknown>>;
  if (!isObject(value)) return undefined;
  const { planId, commit, documents, pulls, changes, part, head } = value;
  if (value['format'] !== 2 || value['kind'] !== 'shown') return undefined;
  if (![planId, commit, documents].every((each) => typeof each === 'string')) return undefined;
  if (!Number.isSafeInteger(head?.seq) || typeof head?.hash !== 'string') return undefined;
  if (!Array.isArray(pulls) || !Array.isArray(changes) || !changes.every(isOutcome))
    return undefined;
  const shown = { planId, commit, documents, pulls, changes, head, ...(part && { part }) };
  return shown as ShownOutcomes;
}

function isOutcome(value: unknown): value is ChangeOutcome {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, outcome] = value as unknown[];
  return typeof id === 'string' && typeof outcome === 'string' && !!parseOutcome(outcome);
}

function refused(file: string, why: string): WorldError {
  return new WorldError('artifactRefused', { file, why });
}

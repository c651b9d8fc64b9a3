import { dirname } from 'node:path';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder } from '../documents.ts';

/**
 * A warning where a plan is the approval and the remote of the ledger is not on GitHub, whose gates
 * the workflows use (semantics N74). Nothing is said outside a repository, or without that remote.
 */
export async function forgeFindings(
  shell: Shell,
  documents: Documents,
): Promise<readonly Diagnostic[]> {
  const { service } = documents;
  const { approval, ledger } = service.value;
  if (approval.is === 'commit' || ledger?.store !== 'git') return [];
  const { remoteGit } = await import('../../git/git.ts');
  const folder = dirname(documentsFolder(shell, documents));
  const git = remoteGit(folder, shell.env, { silence: 30_000 });
  const { out, exit } = await git('remote', 'get-url', ledger.remote ?? 'origin');
  if (exit !== 0) return [];
  const host = hostIn(out.trim());
  if (host !== undefined && /(?:^|\.)github\./.test(host)) return [];
  const params = { problem: 'forge', ...(host !== undefined && { host }) };
  const at = service.places.get('/approval') ?? service.at;
  return [{ code: 'approvalWithoutGate', severity: 'warning', at, params }];
}

/** The host of an address such as `https://HOST/...` or `git@HOST:...`; undefined for a path. */
function hostIn(address: string): string | undefined {
  const [, plain, scp] = /^\w+:\/\/(?:[^@/]*@)?([^/:]+)|^[\w.-]+@([^:/]+):/.exec(address) ?? [];
  return (plain ?? scp)?.toLowerCase();
}

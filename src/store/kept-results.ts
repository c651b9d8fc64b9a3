import { readFile } from 'node:fs/promises';
import type { KeptResult, KeptResults } from '../model/ports.ts';
import { replaceFile } from './local-file.ts';

/**
 * The acceptances that the ledger could not take, in one file of this machine that only its owner may
 * read (protocol X16). What cannot be read holds nothing: the ledger alone decides what is in doubt.
 */
export function keptResults(path: string): KeptResults {
  const all = async (): Promise<readonly KeptResult[]> => {
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'));
      return Array.isArray(value) ? value.filter(isKept) : [];
    } catch {
      return [];
    }
  };
  const write = (results: readonly KeptResult[]): Promise<void> =>
    replaceFile(path, `${JSON.stringify(results, undefined, 2)}\n`);
  const others = async (attemptId: string): Promise<readonly KeptResult[]> =>
    (await all()).filter((kept) => kept.attemptId !== attemptId);
  return {
    place: path,
    all,
    keep: async (result) => write([...(await others(result.attemptId)), result]),
    forget: async (attemptId) => {
      const before = await all();
      const left = await others(attemptId);
      if (left.length < before.length) await write(left);
    },
  };
}

function isKept(value: unknown): value is KeptResult {
  if (typeof value !== 'object' || value === null) return false;
  const { attemptId, taskId } = value as Partial<Record<keyof KeptResult, unknown>>;
  return typeof attemptId === 'string' && typeof taskId === 'string';
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../lib/canonical.ts';
import { type Check, shaped, text } from '../lib/shape.ts';
import type { ResultSpool, SpooledResult } from '../model/ports.ts';
import { replaceFile } from './local-file.ts';

/**
 * A local spool in files that only their owner may read (protocol X16). A result goes into the first
 * of `paths` that can be written: the disk that is full for the ledger may be full for a file beside
 * it. An unreadable file counts as empty: only the ledger decides what is in doubt.
 */
export function resultSpool(paths: readonly string[]): ResultSpool {
  return {
    all: async () => {
      const found = (await Promise.all(paths.map(readSpool))).flat();
      return [...new Map(found.map((each) => [each.attemptId, each])).values()];
    },
    keep: async (result) => {
      let failure: unknown;
      for (const path of paths) {
        try {
          const others = without(await readSpool(path), result.attemptId);
          await writeSpool(path, [...others, result]);
          return path;
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },
    forget: async (attemptId) => {
      for (const path of paths) {
        const before = await readSpool(path);
        const left = without(before, attemptId);
        if (left.length < before.length) await writeSpool(path, left);
      }
    },
  };
}

/** The spool in the folder of the user's state, of one tenant in one working directory. */
export function userSpoolFile(
  stateFolder: string,
  fingerprint: string,
  workingDirectory: string,
): string {
  const name = sha256(`${fingerprint}\n${workingDirectory}`).slice(0, 24);
  return join(stateFolder, 'accepted', `${name}.json`);
}

async function readSpool(path: string): Promise<readonly SpooledResult[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(value) ? value.filter(isSpooledResult) : [];
  } catch {
    return [];
  }
}

function writeSpool(path: string, results: readonly SpooledResult[]): Promise<void> {
  return replaceFile(path, `${JSON.stringify(results, undefined, 2)}\n`);
}

function without(results: readonly SpooledResult[], attemptId: string): readonly SpooledResult[] {
  return results.filter((one) => one.attemptId !== attemptId);
}

const isSpooledResult: Check<SpooledResult> = shaped({ attemptId: text, taskId: text });

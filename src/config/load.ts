import type { Diagnostic } from '../model/diagnostic.ts';
import type { DocumentFile, Documents } from '../model/policy.ts';
import { sha256 } from '../model/canonical.ts';
import { compareTexts } from '../model/text.ts';
import { author } from './authored.ts';
import { conceal } from './conceal.ts';
import { inOrder } from './findings.ts';
import { normalize } from './normalize.ts';
import { parse } from './parse.ts';
import { readFleet } from './read.ts';
import { checkRules } from './rules.ts';
import { checkLimits, scan } from './scan.ts';
import { validate } from './validate.ts';

/** What loading came to. `documents` is absent as soon as one diagnostic is an error. */
export interface Loaded {
  readonly documents?: Documents;
  /** Every file that could be read, also where its content is wrong: frames quote it. */
  readonly files: readonly DocumentFile[];
  /** All findings, by file and place. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads every document under a folder. Never throws for what stands there; what is wrong comes back as findings. */
export async function loadFleet(folder: string): Promise<Loaded> {
  const { files, diagnostics } = await readFleet(folder);
  const { documents, ...loaded } = load(files, diagnostics);
  return { ...loaded, ...(documents && { documents: { ...documents, folder } }) };
}

/**
 * The same for texts that are at hand, such as those of another commit, with what was found when
 * they were fetched: no disk is touched.
 */
export function loadTexts(
  files: readonly { path: string; text: string }[],
  early: readonly Diagnostic[] = [],
): Loaded {
  const named = files.map(({ path, text }) => ({ path, text, sha256: sha256(text) }));
  const overLimits = checkLimits(
    named.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text) })),
  );
  return overLimits.length > 0
    ? { files: named, diagnostics: [...early, ...overLimits] }
    : load(named, early);
}

/**
 * Scan, parse, validate, check across documents: every finding at once, the first never hides the others. Files come
 * in the order of their paths, wherever they were read, so that the same files have the same digest.
 */
function load(given: readonly DocumentFile[], early: readonly Diagnostic[]): Loaded {
  const files = given.toSorted((a, b) => compareTexts(a.path, b.path));
  const diagnostics = [...early];
  const scanned = files.filter((file) => isClean(scan(file), diagnostics));
  const parsed = scanned.flatMap((file) => {
    const { source, findings } = parse(file);
    diagnostics.push(...findings);
    return source ? [source] : [];
  });
  const checked = parsed.map((source) => validate(source));
  diagnostics.push(...checked.flatMap(({ findings }) => findings));
  const fleet = author(checked, early.length === 0 && parsed.length === files.length);
  diagnostics.push(...checkRules(fleet));
  const ordered = inOrder(conceal(diagnostics, files));
  const failed = ordered.some(({ severity }) => severity === 'error');
  const documents = failed ? undefined : { ...normalize(fleet, files), warnings: ordered };
  return { ...(documents && { documents }), files, diagnostics: ordered };
}

function isClean(findings: readonly Diagnostic[], all: Diagnostic[]): boolean {
  all.push(...findings);
  return findings.length === 0;
}

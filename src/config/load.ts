import { type Diagnostic, hasError } from '../model/documents/diagnostic.ts';
import type { DocumentFile, Documents } from '../model/documents/policy.ts';
import { compareTexts } from '../lib/text-order.ts';
import { collectEntries, type CheckedDocument } from './authored.ts';
import { conceal } from './conceal.ts';
import { sortDiagnostics } from './findings.ts';
import { toDocuments } from './meaning.ts';
import { parse } from './parse.ts';
import { provable } from './provable.ts';
import { readFleetFiles } from './read-files.ts';
import { checkRules } from './rules.ts';
import { checkLimits, placeholders, withoutForbidden, scan } from './scan.ts';
import { besideSection, nestedSection, validate } from './validate.ts';

/** The result of loading. `documents` is absent if any diagnostic is an error. */
export interface Loaded {
  readonly documents?: Documents;
  /** Only if `documents` is absent: the valid part, to prove more about it. */
  readonly provable?: Documents;
  /** Only if `documents` is absent: the entry `service`, if it has no error. */
  readonly service?: Documents['service'];
  /** Every file that could be read, valid or not, since frames quote it. */
  readonly files: readonly DocumentFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Loads every document under a folder. Problems with files and content are findings; none is
 * thrown.
 */
export async function loadFleet(folder: string): Promise<Loaded> {
  const { files, diagnostics, folders } = await readFleetFiles(folder);
  const { documents, ...loaded } = load(files, diagnostics, folders);
  return { ...loaded, ...(documents && { documents: { ...documents, folder } }) };
}

/**
 * Loads texts from memory, for example of another commit, with the findings of their fetch. Does
 * not access the disk.
 * @param folders those of the fleet, its own first, if the texts have more than these
 */
export function loadTexts(
  files: readonly DocumentFile[],
  early: readonly Diagnostic[] = [],
  folders?: readonly string[],
): Loaded {
  const overLimits = checkLimits(
    files.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text) })),
  );
  return overLimits.length > 0
    ? { files, diagnostics: [...early, ...overLimits] }
    : load(files, early, folders);
}

/**
 * Scans, parses and validates the files and checks rules across documents, and reports all findings
 * at once (semantics D3). Files are sorted by path, so that the same files have the same digest.
 */
function load(
  given: readonly DocumentFile[],
  early: readonly Diagnostic[],
  folders?: readonly string[],
): Loaded {
  const files = given.toSorted((a, b) => compareTexts(a.path, b.path));
  const read = files.map(check);
  const checked = read.flatMap((one) => one.checked ?? []);
  const unread = read.filter(({ isWhole }) => !isWhole).map(({ file }) => file.text);
  const mayHold = (name: string): boolean =>
    early.length > 0 || unread.some((text) => text.includes(name) || text.includes('include'));
  const fleet = collectEntries(checked, mayHold);
  // Several fleets that are read as one include what each of them includes.
  const isSeveral = fleet.all('service').length > 1;
  const first = early.filter(({ code }) => !isSeveral || !code.startsWith('include'));
  const findings = [...first, ...read.flatMap((one) => one.findings), ...checkRules(fleet)];
  const diagnostics = sortDiagnostics(conceal(dropRepeats(findings), files));
  if (!hasError(diagnostics))
    return {
      documents: { ...toDocuments(fleet, files, folders), warnings: diagnostics },
      files,
      diagnostics,
    };
  const sources = checked.map(({ source }) => source);
  const rest = provable(fleet, { sources, files, findings: diagnostics });
  // Without a valid service, the proofs use a substitute that no client can connect to.
  const isWritten = fleet.of('service')[0]?.value.baseUrl === rest?.service.value.baseUrl;
  return {
    ...(rest && { provable: { ...rest, warnings: [] } }),
    ...(rest && isWritten && { service: rest.service }),
    files,
    diagnostics,
  };
}

interface ReadFile {
  readonly file: DocumentFile;
  readonly checked?: CheckedDocument;
  readonly findings: readonly Diagnostic[];
  readonly isWhole: boolean;
}

function check(file: DocumentFile): ReadFile {
  const scanned = scan(file);
  if (scanned.some(({ code }) => code !== 'forbiddenCharacter'))
    return { file, findings: scanned, isWhole: false };
  const { source, findings } = parse(scanned.length > 0 ? withoutForbidden(file) : file);
  const nested = source && (nestedSection(source) ?? besideSection(source));
  if (nested) return { file, findings: [nested], isWhole: false };
  const checked = source && validate(source);
  // A finding on a line with a forbidden character may be caused by it.
  const lines = new Set(scanned.map(({ at }) => at?.line));
  const more = [...findings, ...(checked?.findings ?? [])].filter(({ at }) => !lines.has(at?.line));
  const isWhole = scanned.length === 0 && source !== undefined;
  const found = [...scanned, ...more, ...placeholders(file)];
  return { file, ...(checked && { checked }), findings: found, isWhole };
}

/** Findings about how a value is written, which its field finds wrong as well. */
const UNQUOTED: ReadonlySet<string> = new Set(['quoteIt', 'customTag']);

/** A value without quotes is one mistake, however many errors its field reports; it keeps the example of the field. */
function dropRepeats(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const placeOf = ({ at }: Diagnostic): string => `${at?.file} ${at?.line}:${at?.column}`;
  const isUnquoted = ({ code }: Diagnostic): boolean => UNQUOTED.has(code);
  const unquoted = new Set(findings.filter(isUnquoted).map(placeOf));
  if (unquoted.size === 0) return findings;
  const meant = new Map<string, Diagnostic['params']>();
  for (const finding of findings)
    if (!isUnquoted(finding) && unquoted.has(placeOf(finding)))
      meant.set(placeOf(finding), finding.params);
  return findings
    .filter((finding) => isUnquoted(finding) || !unquoted.has(placeOf(finding)))
    .map((finding) => {
      const { key, example } = (finding.code === 'quoteIt' && meant.get(placeOf(finding))) || {};
      const more = { ...(key !== undefined && { key }), ...(example !== undefined && { example }) };
      return { ...finding, params: { ...finding.params, ...more } };
    });
}

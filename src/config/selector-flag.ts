import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DocumentFile, Documents, Selector } from '../model/documents/policy.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import type { SourceLocation } from '../model/documents/source.ts';
import { loadTexts } from './load.ts';

/** A selector written on the command line, and the groups and sites that it may name. */
export interface WrittenSelector {
  readonly selector: Selector;
  readonly documents: Pick<Documents, 'groups' | 'sites'>;
}

const FLAG = '--select';

/** A budget, since its selector may name groups, which that of a group may not. */
const NAME = 'selected-on-the-command-line';
const BEFORE = `budgets:\n  ${NAME}:\n    per: fleet\n    maxUnavailable: 0\n    select: `;
const LINES = BEFORE.split('\n').length - 1;
const WITHIN = `budgets.${NAME}.select`;

/**
 * Reads a selector as documents have it, with or without the outer braces (`vendor: Axis, model:
 * P32*`). It may name groups of `files`, whose own errors do not matter here. Throws
 * `InvalidDocuments` with the problems of the selector, placed in the text as it was written.
 */
export function loadSelector(written: string, files: readonly DocumentFile[]): WrittenSelector {
  const open = /^\s*\{/.test(written) ? '' : '{';
  const text = `${BEFORE}${open}${written}${open && '}'}\n`;
  const loaded = loadTexts([...files, { path: FLAG, text }]);
  const problems = loaded.diagnostics.filter(
    ({ at, severity }) => severity === 'error' && at?.file === FLAG,
  );
  const documents = loaded.documents ?? loaded.provable;
  const selector = documents?.budgets.get(NAME)?.value.select;
  if (problems.length === 0 && documents && selector) return { selector, documents };
  const own = { path: FLAG, text: written };
  const others = loaded.files.filter(({ path }) => path !== FLAG);
  const shift = (BEFORE.split('\n').at(-1)?.length ?? 0) + open.length;
  throw new InvalidDocuments(
    problems.map((problem) => asWritten(problem, written, shift)),
    [...others, own],
  );
}

/** A problem in the text of the flag instead of the document around it. */
function asWritten(problem: Diagnostic, written: string, shift: number): Diagnostic {
  const { at, related, params } = problem;
  const lines = written.split('\n');
  const move = <T extends SourceLocation>(place: T): T => {
    if (place.file !== FLAG) return place;
    const line = Math.min(lines.length, Math.max(1, place.line - LINES));
    const column = line === 1 ? place.column - shift : place.column;
    const end = (lines[line - 1]?.length ?? 0) + 1;
    return { ...place, line, column: Math.min(end, Math.max(1, column)) };
  };
  const { within, ...others } = params;
  return {
    ...problem,
    ...(at && { at: move(at) }),
    ...(related && { related: related.map(move) }),
    params: { ...others, ...(within !== undefined && within !== WITHIN && { within }) },
  };
}

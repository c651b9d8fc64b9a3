import type { Diagnostic } from '../model/documents/diagnostic.ts';
import {
  POLICY_SECTIONS,
  type DocumentFile,
  type Documents,
  type Section,
} from '../model/documents/policy.ts';
import type { AuthoredEntry, AuthoredFleet } from './authored.ts';
import { toList } from '../lib/objects.ts';
import { entryRanges, toOffset, type Source } from './locate.ts';
import { toDocuments } from './meaning.ts';

/**
 * The valid part of documents with errors: entries without errors, and policies whose windows and
 * rollout are valid. It is never planned; it only lets lints report more in the same round.
 * Undefined if nothing could be parsed.
 */
export function provable(
  fleet: AuthoredFleet,
  { sources, files, findings }: ProvableInput,
): Omit<Documents, 'warnings'> | undefined {
  const [source] = sources;
  if (!source) return undefined;
  const wrong = entriesWithErrors(sources, findings);
  const inOrder = <S extends Section>(section: S): readonly AuthoredEntry<S>[] =>
    fleet.of(section).filter((entry) => !wrong.has(`${entry.source.file.path} ${entry.pointer}`));
  const names = {
    windows: new Set(['anytime', ...inOrder('windows').map(({ name }) => name)]),
    rollouts: new Set(['default', ...inOrder('rollouts').map(({ name }) => name)]),
  };
  const isComplete = (entry: AuthoredEntry): boolean => {
    const written = entry.value as {
      readonly windows?: string | string[];
      readonly rollout?: string;
    };
    return (
      toList(written.windows).every((name) => names.windows.has(name)) &&
      toList(written.rollout).every((name) => names.rollouts.has(name))
    );
  };
  const [service = substitute(source)] = inOrder('service');
  const entriesOf = <S extends Section>(section: S): readonly AuthoredEntry<S>[] => {
    if (section === 'service') return [service] as unknown as readonly AuthoredEntry<S>[];
    const isPolicy = (POLICY_SECTIONS as readonly string[]).includes(section);
    return isPolicy ? inOrder(section).filter(isComplete) : inOrder(section);
  };
  return toDocuments({ ...fleet, of: entriesOf }, files);
}

interface ProvableInput {
  readonly sources: readonly Source[];
  readonly files: readonly DocumentFile[];
  readonly findings: readonly Diagnostic[];
}

function entriesWithErrors(
  sources: readonly Source[],
  findings: readonly Diagnostic[],
): ReadonlySet<string> {
  const wrong = new Set<string>();
  for (const source of sources) {
    const { path } = source.file;
    const errors = findings
      .filter(({ severity, at }) => severity === 'error' && at?.file === path)
      .map(({ at }) => (at ? toOffset(source, at) : 0));
    if (errors.length === 0) continue;
    for (const { pointer, from, to } of entryRanges(source))
      if (errors.some((at) => from <= at && at <= to)) wrong.add(`${path} ${pointer}`);
  }
  return wrong;
}

/** Completes a set of documents, each of which needs a service; no proof depends on it. */
function substitute(source: Source): AuthoredEntry<'service'> {
  const value = { baseUrl: 'https://localhost', organization: 'none' };
  return {
    section: 'service',
    name: 'service',
    address: 'service',
    pointer: '/service',
    value,
    source,
    sound: true,
    usable: true,
    mistakes: [],
  };
}

import { formatDuration } from '../../lib/time.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { ConnectFlags } from '../../operations/connect.ts';
import type { ReadingLimits } from '../../operations/facts/reading-limits.ts';
import type { PartFlags } from '../../plan/part/resolve-part.ts';

type Place = Pick<ConnectFlags, 'fleet' | 'service'>;

/** What a command line of apply repeats of the command that advises it. */
interface ApplyLineFlags extends Place, PartFlags, ReadingLimits {
  readonly file?: string;
}

/** A saved plan, and the digest of its file. */
interface SavedFile {
  readonly file: string;
  readonly plan: Pick<Plan, 'id'>;
  readonly digest: string;
}

const FLEET = 'fleet';

/**
 * The command line of apply that repeats a run: the same documents, service, part and limits, and the approved file,
 * so that no unreviewed plan replaces it (semantics N85).
 */
export function repeatApply(
  flags: ApplyLineFlags,
  approved?: Pick<SavedFile, 'plan'> & Partial<SavedFile>,
): string {
  const { file, maxReads, maxAge } = flags;
  return joinWords([
    ...(file === undefined ? [] : [file, '--approved', approvalText(approved)]),
    ...placeArguments(flags),
    ...partArguments(flags),
    // Repeated, a limit of 0 would read nothing of what the next step is about.
    ...(maxReads === undefined || maxReads === 0 ? [] : ['--max-reads', String(maxReads)]),
    ...(maxAge === undefined ? [] : ['--max-age', formatDuration(maxAge)]),
  ]);
}

/** The command line of apply after a command that reads only: the same documents, service and part (semantics N85). */
export function applyAfter(flags: Place & PartFlags): string {
  return joinWords([...placeArguments(flags), ...partArguments(flags)]);
}

/**
 * The command line that applies exactly this saved plan: its ID and the digest of its file, with the documents and the
 * service of the command that advises it (semantics N85).
 */
export function applySaved(
  { file, plan: { id }, digest }: SavedFile,
  place: Place = { fleet: FLEET },
): string {
  const approval = approvalText({ plan: { id }, digest });
  return joinWords([file, '--approved', approval, ...placeArguments(place)]);
}

/** The command line that applies a file that was just saved. */
export function applyFile(file: string, place: Place): string {
  return joinWords([file, ...placeArguments(place)]);
}

/** The ID of a plan alone would accept a file that was edited since, so the digest goes with it. */
function approvalText(saved: (Pick<SavedFile, 'plan'> & Partial<SavedFile>) | undefined): string {
  const { plan, digest } = saved ?? {};
  return [plan?.id ?? '', ...(digest === undefined ? [] : [digest])].join(':');
}

function joinWords(words: readonly string[]): string {
  return ['apply', ...words].map(quoted).join(' ');
}

function placeArguments({ fleet, service }: Place): readonly string[] {
  return [
    ...(fleet === FLEET ? [] : ['--fleet', fleet]),
    ...(service === undefined ? [] : ['--service', service]),
  ];
}

/** The same part again, as it was named. */
function partArguments({ only = [], site = [], device = [] }: PartFlags): readonly string[] {
  return [
    ...only.flatMap((value) => ['--only', value]),
    ...site.flatMap((value) => ['--site', value]),
    ...device.flatMap((value) => ['--device', value]),
  ];
}

/** Quotes a word that a shell would split or interpret. */
export function quoted(word: string): string {
  return /^[\w./:@=+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

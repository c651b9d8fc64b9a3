import type {
  Clock,
  Collection,
  Collections,
  PageRows,
  Pass,
  Random,
  Service,
} from '../model/ports.ts';
import type { OnProgress } from '../model/progress.ts';
import type { Confidence } from '../model/fleet/snapshot.ts';

/** After this many passes an inconsistent list is taken as it is. */
export const MAX_PASSES = 6;

const FIRST_PAUSE_MS = 500;

/** Collects the rows of one pass; of rows with the same ID the first wins. */
export interface RowCollector<T> {
  add(row: T): void;
  /** Adds the rows of a page of one pass, which has each once. */
  addPage(rows: PageRows<T>): void;
  has(id: string): boolean;
  readonly size: number;
  /** The collected rows, to compare passes and to merge inconsistent ones. */
  rows(): Iterable<T>;
}

export interface PassesInput<C extends Collection, K extends RowCollector<Collections[C]>> {
  readonly service: Service;
  readonly clock: Clock;
  readonly random: Random;
  readonly onProgress?: OnProgress | undefined;
  readonly collection: C;
  /**
   * Whether the caller draws conclusions from missing rows. One consistent pass of several pages is
   * then not enough.
   */
  readonly absenceCounts: boolean;
  readonly keeper: () => K;
}

/** The rows of a collection and the confidence in them. */
export interface PassesResult<K> {
  readonly collected: K;
  readonly confidence: Confidence;
  /** For an inconsistent reading: IDs that are missing from at least one pass. */
  readonly unsure?: ReadonlySet<string>;
}

/**
 * Reads a collection until the caller can rely on it (protocol Y2). An inconsistent pass is
 * repeated after a pause, up to six passes; then the result is the union of all passes with the
 * newest row of each ID.
 */
export async function readPasses<C extends Collection, K extends RowCollector<Collections[C]>>(
  input: PassesInput<C, K>,
): Promise<PassesResult<K>> {
  const passes: OnePass<K>[] = [];
  while (passes.length < MAX_PASSES) {
    if (passes.length > 0) await pause(input, passes.length);
    const pass = await readPass(input);
    const confidence = rateConfidence(pass, passes.at(-1));
    const enough = confidence !== 'torn' && (confidence !== 'clean pass' || !input.absenceCounts);
    if (enough) return { collected: pass.collected, confidence };
    passes.push(pass);
  }
  const clean = passes.findLast(({ summary }) => summary.torn === undefined);
  if (clean) return { collected: clean.collected, confidence: 'clean pass' };
  const all = union(input, passes);
  return { collected: all, confidence: 'torn', unsure: notInEvery(all, passes) };
}

function notInEvery<T extends { readonly id: string }>(
  all: RowCollector<T>,
  passes: readonly OnePass<RowCollector<T>>[],
): ReadonlySet<string> {
  const ids = Array.from(all.rows(), ({ id }) => id);
  return new Set(ids.filter((id) => !passes.every(({ collected }) => collected.has(id))));
}

interface OnePass<K> {
  readonly collected: K;
  readonly summary: Pass;
}

async function readPass<C extends Collection, K extends RowCollector<Collections[C]>>(
  input: PassesInput<C, K>,
): Promise<OnePass<K>> {
  const collected = input.keeper();
  const pages = input.service.list(input.collection);
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return { collected, summary: page.value };
    collected.addPage(page.value);
    input.onProgress?.({
      type: 'phase',
      name: 'reading',
      what: input.collection,
      rows: collected.size,
    });
  }
}

/** The confidence that a pass and the one before it give. */
function rateConfidence<T extends { readonly id: string }>(
  pass: OnePass<RowCollector<T>>,
  before: OnePass<RowCollector<T>> | undefined,
): Confidence {
  if (pass.summary.torn !== undefined) return 'torn';
  if (pass.summary.pages <= 1 && pass.summary.rows === pass.summary.total) return 'one page';
  const equal =
    before !== undefined &&
    before.summary.torn === undefined &&
    before.summary.total === pass.summary.total &&
    sameIds(before.collected, pass.collected);
  return equal ? 'two equal passes' : 'clean pass';
}

function sameIds<T extends { readonly id: string }>(
  a: RowCollector<T>,
  b: RowCollector<T>,
): boolean {
  if (a.size !== b.size) return false;
  for (const { id } of a.rows()) if (!b.has(id)) return false;
  return true;
}

function union<C extends Collection, K extends RowCollector<Collections[C]>>(
  input: PassesInput<C, K>,
  passes: readonly OnePass<K>[],
): K {
  const all = input.keeper();
  for (const { collected } of passes.toReversed()) for (const row of collected.rows()) all.add(row);
  return all;
}

/** Grows with each pass, and is random so that two readers do not stay in step. */
async function pause(
  { clock, random }: Pick<PassesInput<Collection, never>, 'clock' | 'random'>,
  passes: number,
) {
  await clock.sleep(Math.round(FIRST_PAUSE_MS * passes * (0.5 + random())));
}

import { groupBy } from '../../lib/group-by.ts';
import type { Instant } from '../../lib/time.ts';
import { addColumns } from '../../model/plan/actor.ts';
import type { Situation } from '../../model/report/all-clear.ts';
import { EXIT, weightiest } from '../../model/report/exit.ts';
import type { Block, Inlines, Section } from '../tree.ts';
import { data, inFolder, joined, own, place, say, sentence, strong } from '../tree.ts';
import { BESIDE_DRIFT, OUTCOME_LABELS, UNCOVERED_WORDS } from '../words/commands.ts';
import { counted } from '../words/phrase.ts';
import { notComparedWords, reportSentence, stopSentence } from '../words/review/all-clear.ts';
import { settingsSection } from './guardrails.ts';
import { some } from './naming.ts';
import { policyTable } from './policy-table.ts';

/** What a command came to for one fleet of several. */
export interface FleetResult {
  readonly name: string;
  readonly folder: string;
  readonly exit: number;
  /** The code of what it found, which a command that only reads may not exit with. */
  readonly outcome: number;
  /** What it judged; absent where there was no plan. */
  readonly situation: Situation | undefined;
  /** What it printed for people, its failure included, and for programs. */
  readonly blocks: readonly Block[];
  readonly text: string;
}

/** The results of one command for several fleets, and the folders beside them. */
export interface FleetResults {
  readonly command: string;
  readonly fleets: readonly FleetResult[];
  readonly uncovered: readonly { folder: string; why?: keyof typeof UNCOVERED_WORDS }[];
  readonly at: Instant;
  /** A base was given: what is said first of a fleet is what the documents since it change. */
  readonly isBased?: boolean;
}

/**
 * Several fleets in one table with a line for each, and the next steps of those that are not clear, the worst first.
 * @param wholes the fleets of which all that was printed follows
 */
export function fleetsBlocks(
  results: FleetResults,
  wholes: readonly FleetResult[],
): readonly Block[] {
  const { command, fleets, isBased } = results;
  const open = fleets.filter(({ outcome }) => outcome !== 0).sort(byWeight);
  const items = open.map((fleet) => {
    const [head, next] = [say`${fleet.name}: ${headOf(fleet, isBased)}`, nextOf(fleet)];
    if (next.length === 0) return { text: head };
    return fleet.exit === 0 && !isBased
      ? { text: say`${fleet.name}: ${next}` }
      : { text: head, next };
  });
  const [worst] = open;
  // A comparison with what was applied is clear where changes wait: its next step is that of the changes.
  const waiting = (['now', 'running', 'later', 'person'] as const)
    .flatMap((column) => fleets.filter(({ situation }) => situation?.counts?.[column]))
    .find((fleet) => nextOf(fleet).length > 0);
  const clear = waiting ? say`${waiting.name}: ${nextOf(waiting)}` : own('nothing to do');
  const next = worst ? [data(`fleetform ${command} --fleet ${worst.folder}`)] : clear;
  return [
    ...fleetsHead(results),
    ...(worst ? [{ is: 'list', items, most: 12, noun: 'fleet' } as const] : []),
    ...wholes.map(fleetSection),
    { is: 'next', text: next },
  ];
}

/**
 * The sentence about all of them, their table, and which folders are not covered, and why.
 * @param isShort the rows have no sentence and no next step
 */
export function fleetsHead(
  { command, fleets, uncovered, isBased }: FleetResults,
  isShort = false,
): readonly Block[] {
  const isUncounted = fleets.every(({ situation }) => !situation);
  const beside = [...groupBy(uncovered, ({ why = 'other' }) => why)].map(([why, folders]) => {
    const named = folders.map(({ folder }) => data(folder));
    const most = why === 'other' ? 3 : Infinity;
    return say`${some(named, { most, noun: '' })} (${own(UNCOVERED_WORDS[why])})`;
  });
  const rows = fleets.map((fleet) => {
    return { ...addColumns([]), ...fleet.situation?.counts, policy: fleet.name, fleet };
  });
  const table = policyTable({
    of: 'Fleet',
    rows,
    isUncounted,
    most: Infinity,
    isUnfolded: true,
    beside: [
      { title: 'Outcome' },
      { title: 'Result', room: isUncounted ? 'wide' : 'page' },
      { title: 'Next', room: 'page' },
    ],
    besideOf: ({ fleet, fleet: { exit, outcome } }) => [
      [strong(own(labelOf(fleet)), exit !== 0 ? 'bad' : outcome !== 0 ? 'wait' : 'run')],
      isShort ? [] : headOf(fleet, isBased),
      isShort ? [] : nextOf(fleet),
    ],
  });
  return [
    { is: 'title', text: own(`${fleetsSentence(fleets)}.`) },
    { ...table, most: Infinity },
    ...settingsOf(fleets),
    ...(command === 'drift' ? [sentence(own(BESIDE_DRIFT))] : []),
    ...(isBased ? withoutPlan(fleets) : []),
    ...(isShort ? [] : notCompared(fleets)),
    ...(beside.length > 0 ? [sentence(say`Not covered: ${joined(beside, ', ')}.`)] : []),
  ];
}

/** What a request sets in each fleet, with its name: first all that is listed of each. */
function settingsOf(fleets: readonly FleetResult[]): readonly Block[] {
  const all = fleets.flatMap(({ name, blocks }) =>
    blocks
      .flatMap((each) => (each.is === 'section' && each.id === 'settings' ? each.blocks : []))
      .flatMap((list) => (list.is === 'list' ? [list] : []))
      .flatMap(({ items, most = Infinity }) =>
        items.map((item, nth) => ({
          isListed: nth < most,
          item: { ...item, text: say`${name}: ${item.text}` },
        })),
      ),
  );
  const listed = all.filter(({ isListed }) => isListed);
  const items = [...listed, ...all.filter(({ isListed }) => !isListed)].map(({ item }) => item);
  return settingsSection(items, listed.length);
}

/** A fleet without a plan was not compared with the base: what a request sets there is in no list. */
function withoutPlan(fleets: readonly FleetResult[]): readonly Block[] {
  const names = fleets.filter(({ situation }) => !situation).map(({ name }) => data(name));
  if (names.length === 0) return [];
  const named = some(names, { most: 12, noun: 'fleet' });
  const text = say`No plan, so not compared with the base: ${named}. What the request sets there is not listed.`;
  return [sentence(text, 'wait')];
}

/** What no all-clear of these fleets covers. */
function notCompared(fleets: readonly FleetResult[]): readonly Block[] {
  const open = fleets.filter(({ situation }) => notComparedWords(situation?.coverage) !== '');
  if (open.length === 0) return [];
  const names = open.map(({ name }) => data(name));
  const named = some(names, { most: 3, noun: '' });
  const where = own(open.length === 1 ? 'it' : 'them');
  return [
    sentence(
      say`Missing devices cannot be told yet in ${own(counted(open.length, 'fleet'))} (${named}): no \`apply\` of the last 30 days recorded ${where}.`,
    ),
  ];
}

/** `50 fleets: unusable 1, needs you 2, ok 47`, the worst first. */
export function fleetsSentence(fleets: readonly FleetResult[]): string {
  const labels = groupBy([...fleets].sort(byWeight), labelOf);
  const said = [...labels].map(([label, each]) => `${label} ${each.length}`);
  return `${counted(fleets.length, 'fleet')}: ${said.join(', ')}`;
}

/** All that a command printed about one fleet; a page shows it where a reader opens it. */
export function fleetSection(fleet: FleetResult): Block {
  const { name, folder, blocks } = fleet;
  const title = [strong(say`${name}: ${own(labelOf(fleet))}`)];
  return within({ is: 'section', id: 'fleet', title, isClosed: true, blocks }, name, folder);
}

/** A block of one output as a part of another: its title is a sentence, and no other part has its ID. */
function within(block: Block, name: string, folder: string): Block {
  if (block.is === 'title') return sentence([strong(block.text)], block.tone);
  if (block.is === 'next') return { ...block, text: inFolder(block.text, folder) };
  if (block.is !== 'section') return block;
  const blocks = block.blocks.map((each) => within(each, name, folder));
  return { ...block, id: `${block.id}-${name}`, blocks };
}

/** Why a fleet failed, or nothing may start there, else the sentence about its plan, else what is said first. */
function headOf({ blocks, situation }: FleetResult, isBased = false): Inlines {
  const [problem, ...others] = problemsIn(blocks);
  if (problem) {
    const snippet = problem.blocks.find((block) => block.is === 'snippet');
    const at = snippet ? say`  ${place(snippet.at)}` : [];
    return [...problem.title, ...at, ...own(others.length > 0 ? ` (${others.length} more)` : '')];
  }
  const stop = situation && stopSentence(situation);
  if (stop !== undefined) return own(stop);
  if (situation && situation.drifted === undefined && !isBased)
    return own(reportSentence(situation, situation.now));
  const said = blocks.find(({ is }) => is === 'title' || is === 'sentence');
  return said?.is === 'title' || said?.is === 'sentence' ? said.text : [];
}

/** What failed, the first of which is the result of a fleet. */
function problemsIn(blocks: readonly Block[]): readonly Section[] {
  return blocks.filter((block) => block.is === 'section').filter(({ isPlain }) => isPlain);
}

/** The next step of the first problem, else the last one that blocks have. */
export function nextOf({ blocks, folder }: Pick<FleetResult, 'blocks' | 'folder'>): Inlines {
  const [problem] = problemsIn(blocks);
  const first = problem?.blocks.filter(({ is }) => is === 'next') ?? [];
  const steps = first.length > 0 ? first : blocks;
  const all = steps.flatMap((each) => (each.is === 'section' ? each.blocks : [each]));
  const last = all.findLast(({ is }) => is === 'next');
  return last?.is === 'next' ? inFolder(last.text, folder) : [];
}

/** A command that stopped before it judged a fleet does not know whether work is left there. */
function labelOf({ outcome, situation }: FleetResult): string {
  return outcome === EXIT.workLeft && !situation ? 'stopped' : (OUTCOME_LABELS[outcome] ?? '');
}

function byWeight({ outcome: a }: FleetResult, { outcome: b }: FleetResult): number {
  return a === b ? 0 : weightiest([a, b]) === a ? -1 : 1;
}

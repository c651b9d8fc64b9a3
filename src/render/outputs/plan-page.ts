import { data, joined, own, say, strong, told, type Block, type Inlines } from '../tree.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { GROUP_LABELS } from '../html/words.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { momentText } from '../words/moment.ts';
import { outsideWords, partWords } from '../words/part-words.ts';
import { passedSentence } from '../words/passed-words.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { factsText, readingText } from '../words/reading-words.ts';
import { planSentence, wholeSentence } from '../words/review/all-clear.ts';
import {
  causedSentences,
  followSentence,
  listedSentence,
  REFUSED_SENTENCE,
  shownWords,
} from '../words/review/review-words.ts';
import { OUT_OF_SCOPE } from '../words/review/scope-words.ts';
import { BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { policyBlocks } from './review.ts';
import { firstBlocks } from './warnings.ts';

/** The head of the page of a plan: its subject, one sentence, and a table with a line for each policy. */
export function planHeadBlocks(view: PlanView): readonly Block[] {
  const { part, shown, base, verdicts, notUnderstood, inputs, evaluatedAt } = view;
  const [caused, ...others] = causedSentences(view);
  const rest = [
    ...others,
    ...(caused === undefined ? [] : [wholeSentence(view)]),
    followSentence(view),
  ].filter((sentence) => sentence !== '');
  const passed = told((sink) => passedSentence(view.classes, sink));
  const sentences = joined(
    [own(rest.join(' ')), passed].filter((each) => each.length > 0),
    ' ',
  );
  const unread = notUnderstoodWords(notUnderstood);
  const isRefused = verdicts.some((verdict) => !verdict.passed);
  const isOutside = base?.scope && !base.scope.passed;
  return [
    ...firstBlocks(view),
    small(say`Plan for ${inputs.service.organization}, ${own(momentText(evaluatedAt))}`),
    { is: 'title', text: own(caused ?? planSentence(view)) },
    ...(part ? [state('calm', partText(part))] : []),
    ...(shown ? [state('calm', [{ is: 'said', text: `Shown: ${shownWords(shown)}` }])] : []),
    ...(sentences.length > 0 ? [{ is: 'sentence', text: sentences } as const] : []),
    ...(isRefused ? [state('bad', own(REFUSED_SENTENCE))] : []),
    ...(isOutside ? [state('bad', own(OUT_OF_SCOPE))] : []),
    ...(unread === undefined ? [] : [state('bad', own(unread))]),
    ...(base ? [groupSentence(base)] : []),
    ...policyBlocks(view, { all: true }),
    small([...own(basisText(view)), ...comparedText(base)]),
  ];
}

/** The end of the page: what the plan was made from, for the record. */
export function planFactBlocks(view: PlanView): readonly Block[] {
  const { inputs, evaluatedAt, expiresAt, id, total } = view;
  const { service, snapshot, commit, dirty, tool } = inputs;
  const found = snapshot.discovered > 0 ? `, ${grouped(snapshot.discovered)} discovered` : '';
  const work = dirty === true ? ', with uncommitted changes' : '';
  const facts: readonly (readonly [string, Inlines])[] = [
    ['Service', [data(service.baseUrl)]],
    ['Fleet', own(fleetText(view) + found)],
    ['Read', own(readingText(snapshot) + factsText(inputs))],
    [
      'Documents',
      commit === undefined
        ? own('not in a git repository')
        : say`${commit.slice(0, 12)}${own(work)}`,
    ],
    ['Decided', own(momentText(evaluatedAt))],
    ['Valid until', own(momentText(expiresAt))],
    ['Plan ID', [data(id)]],
    ['Made by', /^\d/.test(tool) ? say`fleetform ${tool}` : [data(tool)]],
    ...(total === 0 ? [] : [['Listed', own(listedSentence(view))] as const]),
  ];
  return [
    {
      is: 'section',
      id: 'facts',
      title: own('About this plan'),
      blocks: [{ is: 'facts', facts: facts.map(([label, text]) => ({ label, text })) }],
    },
  ];
}

function small(text: Inlines): Block {
  return { is: 'sentence', text, isSmall: true };
}

function state(tone: 'bad' | 'calm', text: Inlines): Block {
  return { is: 'sentence', text, tone };
}

/** The part of the fleet, and what it leaves out. */
function partText(part: NonNullable<PlanView['part']>): Inlines {
  const what = told((sink) => partWords(part, sink));
  return say`Only a part of the fleet: ${what}. ${own(outsideWords(part))}`;
}

/** The basis of the plan's numbers, in one line. */
function basisText(view: PlanView): string {
  return view.total === 0 ? `${fleetText(view)}.` : `${fleetText(view)}. ${listedSentence(view)}`;
}

function fleetText({ inputs: { snapshot } }: PlanView): string {
  return `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}`;
}

function comparedText(base: PlanView['base']): Inlines {
  if (!base) return [];
  const { ref, commit, behind } = base;
  const left = own(behind?.tip === undefined ? '' : 'the merge base with ');
  const params = behindParams(base);
  const words = behind && params ? told((sink) => fill(BEHIND_WORDS[behind.is], params, sink)) : [];
  const said = words.length === 0 ? own('.') : say`. ${words}`;
  return say` Compared with ${left}${ref} ${commit.slice(0, 12)}${said}`;
}

/** The groups of a plan with a base, each linked to its changes. */
function groupSentence({ counts }: NonNullable<PlanView['base']>): Block {
  const links = READ_IN_ORDER.map((group): Inlines => {
    const label = GROUP_LABELS[group];
    const parts = say`${strong(own(grouped(counts[group])))} ${own(label.toLowerCase())}`;
    return [{ is: 'link', show: { group: label }, parts }];
  });
  return { is: 'sentence', text: joined(links, ' · ') };
}

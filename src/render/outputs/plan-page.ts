import { data, joined, own, say, strong, type Block, type Inlines } from '../tree.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { GROUP_LABELS } from '../html/words.ts';
import { momentText } from '../words/moment.ts';
import { counted, grouped } from '../words/phrase.ts';
import { factsText, readingText } from '../words/reading-words.ts';
import { listedSentence } from '../words/review/review-words.ts';
import { OUT_OF_SCOPE } from '../words/review/scope-words.ts';
import { headBlocks } from './plan.ts';
import { policyBlocks } from './review.ts';

/** The head of the page of a plan: one sentence, and a table with a line for each policy. */
export function planHeadBlocks(view: PlanView): readonly Block[] {
  const { base, inputs, evaluatedAt } = view;
  return [
    ...headBlocks(view),
    small(say`Plan for ${inputs.service.organization}, ${own(momentText(evaluatedAt))}`),
    ...(base?.scope && !base.scope.passed ? [state('bad', own(OUT_OF_SCOPE))] : []),
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

function state(tone: 'bad', text: Inlines): Block {
  return { is: 'sentence', text, tone };
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
  return say` Compared with ${left}${ref} ${commit.slice(0, 12)}.`;
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

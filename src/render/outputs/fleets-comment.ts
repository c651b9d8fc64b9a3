import { compareTexts } from '../../lib/text-order.ts';
import { WorldError } from '../../model/error.ts';
import { addColumns } from '../../model/plan/actor.ts';
import { RISKS } from '../../model/plan/change.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import { EXIT } from '../../model/report/exit.ts';
import { printWithin } from '../print/within.ts';
import { own, say, told, type Block, type Inlines, type Item } from '../tree.ts';
import type { PlanView } from '../view/view.ts';
import { errorWords } from '../words/errors.ts';
import { causedSentence } from '../words/review/review-words.ts';
import { fleetsHead, nextOf, type FleetResult } from './fleets.ts';
import { limitBlocks, settingBlocks } from './guardrails.ts';
import { nextText } from './plan.ts';
import { warningItem } from './warnings.ts';

/** What one fleet of a request comes to: by its plan, or why it has none. */
export interface FleetRow extends FleetResult {
  /** The begin of the fingerprint of its service; absent without a plan. */
  readonly service?: string;
  /** The highest of what the request causes; -1 for none. */
  readonly risk: number;
  /** What refuses it. */
  readonly refusals: readonly Item[];
}

/** The row of a fleet with its plan: the counts are those of what the request causes. */
export function plannedRow(name: string, view: PlanView): FleetRow {
  const { review, base, refusing, situation, inputs } = view;
  const caused = review.groups.find(({ group }) => group === 'branch');
  const risks = review.policies.flatMap((row) => (row.caused > 0 && row.risk ? [row.risk] : []));
  const refusals = [
    ...limitBlocks(view)
      .flatMap((each) => (each.is === 'section' ? each.blocks : []))
      .flatMap((each) => (each.is === 'list' ? each.items : []))
      .filter(({ mark }) => mark?.tone === 'bad'),
    ...refusing.map((finding) => warningItem([finding], view)),
  ].map(({ text, next }) => ({ text: say`${name}: ${text}`, ...(next && { next }) }));
  const row = rowOf(name, refusals.length > 0 ? EXIT.guardrail : findAllClear(situation).exit, [
    told((sink) => causedSentence(view, sink)),
    refusals.find(({ next }) => next)?.next ?? nextText(view),
  ]);
  return {
    ...row,
    blocks: [...row.blocks, ...settingBlocks(base)],
    service: inputs.service.fingerprint.slice(0, 16),
    situation: { ...situation, counts: addColumns(caused ? [caused] : []) },
    risk: Math.max(-1, ...risks.map((each) => RISKS.indexOf(each))),
    refusals,
  };
}

/** The row of a fleet whose plan was refused as a file, or cannot be shown. */
export function failedRow(name: string, error: unknown): FleetRow {
  const isKnown = error instanceof WorldError;
  const why = isKnown
    ? told((sink) => errorWords(error.code, error.params, sink).summary)
    : own('its plan cannot be shown');
  const next = own('see the checks of this request, then plan again');
  const row = rowOf(name, EXIT.error, [own('no plan'), next]);
  return { ...row, situation: undefined, risk: -1, refusals: [{ text: say`${name}: ${why}` }] };
}

function rowOf(name: string, outcome: number, [said, next]: readonly [Inlines, Inlines]) {
  const blocks: readonly Block[] = [
    // What such a section says stands before the sentence about a whole plan.
    { is: 'section', id: 'result', title: said, isPlain: true, blocks: [] },
    { is: 'next', text: next },
  ];
  return { name, folder: name, exit: outcome, outcome, text: '', blocks };
}

/** How many reasons of one fleet are named. */
const REFUSALS = 3;

/**
 * Several fleets of a request: one sentence, what is refused or failed, a row for each, the riskiest first, and the
 * next step. Where that has more than `limit` characters, sentences and next steps are left out of the rows, and what
 * refuses is cut; each of 256 fleets keeps its row.
 */
export function fleetsMarkdown(rows: readonly FleetRow[], limit: number): string {
  const fleets = rows.toSorted(byWeight);
  const worst = fleets.find((fleet) => nextOf(fleet).length > 0);
  const items = fleets.flatMap(({ refusals }) => refusals.slice(0, REFUSALS));
  const [whole = '', short = ''] = [false, true].map((isShort) => {
    const [title, ...others] = fleetsHead(
      { command: 'plan', fleets, uncovered: [], at: 0, isBased: true },
      isShort,
    );
    const blocks: readonly Block[] = [
      ...(title ? [title] : []),
      ...(items.length > 0
        ? [{ is: 'list', items, tone: 'wait', most: 12, noun: 'refusal' } as const]
        : []),
      ...others,
      {
        is: 'next',
        text: worst ? say`${worst.name}: ${nextOf(worst)}` : own('nothing to do'),
      },
    ];
    return [...printWithin(blocks, limit - 1), ''].join('\n');
  });
  return whole.length <= limit ? whole : short;
}

function byWeight(a: FleetRow, b: FleetRow): number {
  const [mine, others] = [a, b].map(({ situation, outcome, risk }) => {
    const { now = 0, running = 0, later = 0, person = 0 } = situation?.counts ?? {};
    const isStopped = outcome === EXIT.guardrail || outcome === EXIT.error;
    return [Number(isStopped), risk, now + running + later + person];
  });
  const found = mine?.map((each, n) => (others?.[n] ?? 0) - each).find((each) => each !== 0);
  return found ?? compareTexts(a.name, b.name);
}

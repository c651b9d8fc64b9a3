import type { Plan } from '../../model/plan/plan.ts';
import { writtenChange } from '../../model/plan/written.ts';
import { printWithin } from '../print/within.ts';
import { data, own, say, sentence, told, type Block } from '../tree.ts';
import type { DriftView } from '../view/drift-view.ts';
import type { PlanView } from '../view/view.ts';
import { isKnown, readingText } from '../words/reading-words.ts';
import { besideWords, doubtBesideWords } from '../words/report-words.ts';
import { driftTitle, notComparedWords } from '../words/review/all-clear.ts';
import { hintWords } from '../words/review/hint.ts';
import { changesListed, planTime } from '../words/review/review-words.ts';
import { classBlocks } from './classes.ts';

/** The first line of an issue about drift, which identifies the issue. */
export function driftMarker({ inputs }: Pick<PlanView, 'inputs'>): string {
  return `<!-- fleetform drift ${inputs.service.fingerprint.slice(0, 16)} -->`;
}

/** Drift: what is compared, each class of drifted devices, and a line about other due changes. */
export function driftBlocks(
  view: DriftView,
  { all = false }: { readonly all?: boolean },
): readonly Block[] {
  const { plan, drifted, inDoubt, beside, clear, situation } = view;
  const { service, snapshot, commit } = plan.inputs;
  const { coverage } = situation;
  const compared = notComparedWords(coverage);
  const how = readingText(snapshot);
  const read = isKnown(snapshot) ? own(how) : data(how);
  const from = commit === undefined ? own('no commit') : say`commit ${commit.slice(0, 12)}`;
  const title = told((sink) => `${driftTitle(view, sink)}.`);
  const next = told((sink) => hintWords(clear.next, { ...planTime(plan), sink }));
  const listed = `${changesListed(drifted)}. \`fleetform why DEVICE\` explains one device.`;
  const last = [doubtBesideWords(inDoubt), ...besideWords(beside), drifted === 0 ? '' : listed];
  return [
    { is: 'title', text: title, ...(drifted > 0 && { tone: 'wait' }) },
    sentence(
      say`${service.organization} at ${service.baseUrl}, read ${read}; documents of ${from}.`,
    ),
    ...(compared === '' ? [] : [sentence(own(compared))]),
    ...classBlocks(plan, { all }),
    ...last.filter((line) => line !== '').map((line) => sentence(own(line))),
    { is: 'next', text: next },
  ];
}

/** Drift as the text of an issue: at most `limit` characters, for any number of devices. */
export function driftMarkdown(view: DriftView, { limit }: { readonly limit: number }): string {
  const marker = driftMarker(view.plan);
  const lines = printWithin(driftBlocks(view, {}), limit - marker.length - 2);
  return `${[marker, ...lines].join('\n')}\n`;
}

/** Drift as data: each drifted device, and other changes counted by cause. */
export function driftJson(plan: Plan, { drifted, inDoubt, beside, clear }: DriftView): object {
  return {
    evaluatedAt: plan.evaluatedAt,
    inputs: plan.inputs,
    outcome: clear.exit,
    ...(plan.coverage && { coverage: plan.coverage }),
    drifted,
    inDoubt,
    beside,
    changes: [...plan.changes].filter(({ cause }) => cause === 'drift').map(writtenChange),
  };
}

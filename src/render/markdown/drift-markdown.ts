import type { DriftView } from '../view/drift-view.ts';
import { besideWords, doubtBesideWords } from '../words/report-words.ts';
import { driftTitle } from '../words/review/all-clear.ts';
import { classRows } from './markdown-classes.ts';
import { counted } from '../words/phrase.ts';
import { readingText } from '../words/reading-words.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import type { PlanView } from '../view/view.ts';
import { textLength } from './source-lines.ts';

const own = (text: string): MarkdownText => text as MarkdownText;

/** The first line of an issue about drift, which identifies the issue. */
export function driftMarker({ inputs }: Pick<PlanView, 'inputs'>): string {
  return `<!-- fleetform drift ${inputs.service.fingerprint.slice(0, 16)} -->`;
}

/** Drift as the text of an issue: at most `limit` characters, for any number of devices. */
export function driftMarkdown(view: DriftView, { limit }: { readonly limit: number }): string {
  const { plan, drifted, inDoubt, beside } = view;
  const { service, snapshot, commit } = plan.inputs;
  const from =
    commit === undefined ? own('no commit') : mark`commit ${markdown(commit.slice(0, 12))}`;
  const read = own(readingText(snapshot));
  const head = [
    own(driftMarker(plan)),
    own(`### ${driftTitle(view)}`),
    own(''),
    mark`${markdown(service.organization)} at ${markdown(service.baseUrl)}, read ${read}; documents of ${from}.`,
    own(''),
  ];
  const last = [
    ...[doubtBesideWords(inDoubt), ...besideWords(beside)].filter((line) => line !== '').map(own),
    own(
      `All ${counted(drifted, 'change')} are listed. \`fleetform why DEVICE\` explains one device.`,
    ),
  ];
  const space = limit - textLength([...head, ...last]) - 1;
  const rows = classRows(plan, space);
  return `${[...head, ...rows, ...last].join('\n')}\n`;
}

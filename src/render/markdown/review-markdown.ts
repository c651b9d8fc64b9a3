import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import { cutAddresses } from '../sinks/addresses.ts';
import { foldPolicies } from '../view/folded-policies.ts';
import type { PolicyRow } from '../view/review.ts';
import type { NeedGroup } from '../view/needs.ts';
import { fitLines, foldRuns, type PolicyRun, type RunLine } from '../view/runs.ts';
import type { PlanView } from '../view/view.ts';
import { counted, grouped } from '../words/phrase.ts';
import { passedText } from '../words/passed-words.ts';
import { reasonWords } from '../words/reasons.ts';
import { reasonLabel } from '../words/review/reason-labels.ts';
import {
  editWords,
  oldestWords,
  planClock,
  planTime,
  policyCells,
  policyColumns,
  startsTitle,
  sumRows,
  tallyTexts,
  whenWords,
  type PolicyColumn,
} from '../words/review/review-words.ts';
import { authorText, cutTo, own } from './source-lines.ts';

/** How many policies the table lists; the totals have all of them. */
const POLICIES = 20;

/** How many reasons are listed, and how many policies and devices of one. */
const NEEDS = 8;
const NAMED = 3;

/** How many lines of one policy are listed. */
const LINES = 12;

/** A line for each policy: what starts when, what needs a person, and who requested it. */
export function policyTable(view: PlanView): readonly MarkdownText[] {
  const { policies, totals } = view.review;
  if (policies.length === 0) return [];
  const columns = policyColumns(view.review);
  const list = foldPolicies(policies, POLICIES);
  const names = cutAddresses(
    list.listed.map(({ policy }) => policy),
    60,
  );
  const sums = sumRows(list, totals).map(
    ({ name, tally }): Readonly<Partial<Record<PolicyColumn, string>>> => ({
      policy: name,
      ...tallyTexts(tally),
    }),
  );
  return [
    own(`| ${columns.map(({ title }) => title).join(' | ')} |`),
    own(`| ${columns.map(({ isNumber }) => (isNumber ? '--:' : ':--')).join(' | ')} |`),
    ...list.listed.map((row, n) => policyRow(row, names[n] ?? row.policy, view)),
    ...sums.map((row) => own(`| ${columns.map(({ name }) => row[name] ?? '').join(' | ')} |`)),
    own(''),
  ];
}

function policyRow(row: PolicyRow, shown: string, view: PlanView): MarkdownText {
  const name = markdown(shown);
  const texts = Object.entries(policyCells(row, view));
  const cells: Readonly<Partial<Record<PolicyColumn, MarkdownText>>> = {
    ...Object.fromEntries(texts.map(([column, text]) => [column, own(text)])),
    policy: view.base && row.caused > 0 ? mark`**${name}**` : name,
    by: authorText(row, view, own(', '), 1),
  };
  return own(
    `| ${policyColumns(view.review)
      .map((column) => cells[column.name])
      .join(' | ')} |`,
  );
}

/** What needs a person: each reason with its policies and the next step. */
export function needsMarkdown(view: PlanView): readonly MarkdownText[] {
  const { needs, totals } = view.review;
  if (needs.length === 0) return [];
  const rest = needs.slice(NEEDS);
  const more = rest.reduce((sum, { count }) => sum + count, 0);
  return [
    own(`**Needs you: ${grouped(totals.person)}**`),
    own(''),
    ...needs.slice(0, NEEDS).map((need) => needLine(need, view)),
    ...(rest.length > 0
      ? [own(`- **${grouped(more)}** for ${counted(rest.length, 'other reason')}`)]
      : []),
    own(''),
  ];
}

function needLine(need: NeedGroup, view: PlanView): MarkdownText {
  const { reason, first, count, policies, sites, classes } = need;
  const { summary, next } = reasonWords(reason, { ...planTime(view), sink: shortly });
  const named = policies.slice(0, NAMED).map(({ policy, count: each }) => {
    const number = policies.length === 1 ? own('') : mark` ${own(grouped(each))}`;
    return mark`${markdown(cutTo(policy, 60))}${number}`;
  });
  const more = policies.length - named.length;
  const who = own([...named, ...(more > 0 ? [own(`${more} more`)] : [])].join(', '));
  const devices = classes.flatMap((each) => each.devices);
  const isNamed = count <= NAMED && devices.length === count;
  const where = isNamed
    ? own(devices.map(({ id, name }) => markdown(cutTo(name ?? id, 40))).join(', '))
    : own(counted(sites, 'site'));
  const oldest = own(oldestWords(need, view));
  const place = markdown(`${cutTo(first.at.file, 80)}:${first.at.line}`);
  return mark`- **${own(grouped(count))}** ${summary}${oldest} (${who}; ${where}; ${place}). **Next:** ${next}`;
}

/** Parameters of reasons before the folds, cut to a length that fits a line. */
function shortly(text: string): MarkdownText {
  return markdown(cutTo(text, 80));
}

/** What starts now and later: each policy, then its waves in order. */
export function runsMarkdown(view: PlanView): readonly MarkdownText[] {
  return foldRuns(view).flatMap((run) => runLines(run, view));
}

/** The title of the fold around `runsMarkdown`. */
export function runsTitle(view: PlanView): string {
  return `${startsTitle(view)} (times in ${planClock(view).zone})`;
}

function runLines(run: PolicyRun, view: PlanView): readonly MarkdownText[] {
  const { row, lines } = run;
  const { shown, more, changes } = fitLines(lines, LINES);
  const rest = more > 0 ? [own(`  - ${grouped(changes)} in ${counted(more, 'more line')}`)] : [];
  const edit = markdown(cutTo(editWords(run), 160));
  return [
    mark`- ${markdown(cutTo(row.policy, 80))}: ${edit}`,
    ...shown.map((line) => runLine(line, view)),
    ...rest,
  ];
}

function runLine(line: RunLine, view: PlanView): MarkdownText {
  const { wave, count, shut, devices } = line;
  const name = wave === undefined ? own('') : mark`${markdown(cutTo(wave, 40))} `;
  const when = own(whenWords(line, view, shortly));
  const passes = shut ? undefined : line.largest.passes;
  const passed = passes ? own(`, passes ${passedText(passes, shortly)}`) : own('');
  const why = shut ? own('') : mark`: ${whyText(line, view)}`;
  const named =
    count <= NAMED && devices.length === count
      ? mark` · ${own(devices.map((each) => markdown(cutTo(each.name ?? each.id, 40))).join(', '))}`
      : own('');
  return mark`  - ${name}**${own(grouped(count))}** ${when}${why}${named}${passed}`;
}

function whyText({ column, largest: { reason } }: RunLine, view: PlanView): MarkdownText {
  if (column === 'later') return own(reasonLabel(reason));
  return reasonWords(reason, { ...planTime(view), sink: shortly }).summary;
}

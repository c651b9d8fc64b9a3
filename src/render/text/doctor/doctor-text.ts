import type { Check, Checkup } from '../../../model/report/checkup.ts';
import type { PlanInputs } from '../../../model/plan/plan.ts';
import { tint, type Colour } from '../../sinks/paint.ts';
import { join, say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { pad } from '../../sinks/width.ts';
import { wrap } from '../../sinks/wrap.ts';
import { CHECK_LABELS, checkWords, STATE_MARKS } from '../../words/doctor/check-words.ts';
import {
  CHANGE_STATES,
  CHANGE_WORDS,
  DOCTOR_TITLES,
  presentWords,
  requestWords,
  resultWords,
} from '../../words/doctor/doctor-words.ts';
import { dialectYaml } from './dialect-yaml.ts';
import { findingLines, unreadLines } from './finding-lines.ts';

interface DoctorText {
  readonly checkup: Checkup;
  readonly service: Pick<PlanInputs['service'], 'baseUrl' | 'organization' | 'from'>;
  /** Shows each assumption, confirmed ones too. */
  readonly all: boolean;
}

/** The report of `doctor`: result, checks, what differs with its YAML, what is open, and the rest. */
export function* doctorText(
  { checkup, service, all }: DoctorText,
  style: TextStyle,
): Generator<TerminalText> {
  const { says, next } = resultWords(checkup);
  const from = service.from === 'document' ? '' : ` (from the ${service.from})`;
  const head = `Checkup of ${service.organization} at ${service.baseUrl}${from}`;
  yield* wrap(tint(style.paint, 'bold', terminal(head)), style.width, 2);
  yield* wrap(say`  ${terminal(requestWords(checkup))}`, style.width, 2);
  yield say``;
  yield* wrap(tint(style.paint, RESULT_COLOURS[checkup.result], terminal(says)), style.width);
  yield* wrap(nextText(next), style.width, 6);
  yield* yamlText(checkup, style);
  yield say``;
  yield terminal(DOCTOR_TITLES.checks);
  yield* checksText(checkup.checks, all, style);
  yield* unreadLines(checkup, style);
  if (all || isRead(checkup)) yield* findingLines(checkup, all, style);
  yield* changesText(checkup, all, style);
  if (!all && checkup.findings.length > 0) yield* ['', DOCTOR_TITLES.more].map(terminal);
}

/** Whether anything was read that an assumption could be compared with. */
function isRead({ findings }: Checkup): boolean {
  return findings.some(({ verdict }) => verdict === 'confirmed' || verdict === 'differs');
}

const RESULT_COLOURS = { fits: 'green', differs: 'yellow', unusable: 'red' } as const;
const STATE_COLOURS = { good: 'green', note: 'yellow', bad: 'red', unknown: 'dim' } as const;

function nextText(text: string): TerminalText {
  return say`${terminal(DOCTOR_TITLES.next)} ${terminal(text)}`;
}

function* yamlText({ dialect, findings, isWritten }: Checkup, style: TextStyle) {
  if (isWritten) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(DOCTOR_TITLES.write));
  const possible = findings.filter((each) => each.possible !== undefined && each.possible !== '');
  for (const line of dialectYaml(dialect, possible)) yield say`  ${terminal(line)}`;
}

/** The checks, those without a remark as one line unless `all` is set. */
function* checksText(
  checks: readonly Check[],
  all: boolean,
  style: TextStyle,
): Generator<TerminalText> {
  const isFolded = ({ state }: Check): boolean => !all && state === 'good';
  const good = checks.filter(isFolded).map(({ name }) => terminal(CHECK_LABELS[name]));
  if (good.length > 0) {
    const mark = tint(style.paint, STATE_COLOURS.good, pad(terminal(STATE_MARKS.good), MARK));
    yield* wrap(say`  ${mark}  ${join(good, ', ')}`, style.width, 2 + MARK + 2);
  }
  for (const check of checks) if (!isFolded(check)) yield* checkText(check, style);
}

const MARK = 4;
const LABEL = 13;

function* checkText(check: Check, { width, paint }: TextStyle): Generator<TerminalText> {
  const { says, next } = checkWords(check);
  const colour: Colour = STATE_COLOURS[check.state];
  const mark = tint(paint, colour, pad(terminal(STATE_MARKS[check.state]), MARK));
  const label = pad(terminal(CHECK_LABELS[check.name]), LABEL);
  const hang = 2 + MARK + 2 + LABEL + 2;
  const [first = say``, ...rest] = wrap(says, width - hang);
  yield say`  ${mark}  ${label}  ${first}`;
  for (const line of rest) yield say`${pad(say``, hang)}${line}`;
  if (next === undefined || check.state === 'good') return;
  for (const line of wrap(nextText(next), width - hang, 6)) yield say`${pad(say``, hang)}${line}`;
}

/** The dated changes; those that the service has as one line unless `all` is set. */
function* changesText({ changes }: Checkup, all: boolean, style: TextStyle) {
  if (changes.length === 0) return;
  const shown = all ? changes : changes.filter(({ state }) => state !== 'present');
  const folded = changes.length - shown.length;
  const title = tint(style.paint, 'bold', terminal(DOCTOR_TITLES.changes));
  yield say``;
  yield folded > 0 ? say`${title}: ${terminal(presentWords(folded))}` : title;
  for (const { date, change, state } of shown) {
    const { says, without } = CHANGE_WORDS[change];
    const text = state === 'lacking' ? `${says}; ${without}` : says;
    const head = say`  ${terminal(date)}  ${pad(terminal(CHANGE_STATES[state]), 7)}  `;
    yield* wrap(say`${head}${terminal(text)}`, style.width, 23);
  }
}

import {
  VERDICTS,
  type AssumptionFinding,
  type Checkup,
  type Verdict,
} from '../../../model/report/checkup.ts';
import { tint } from '../../sinks/paint.ts';
import { join, say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { pad } from '../../sinks/width.ts';
import { wrap } from '../../sinks/wrap.ts';
import { DOCTOR_TITLES } from '../../words/doctor/doctor-words.ts';
import { observedWords, TRY_WORDS, ASSUMPTION_GROUPS } from '../../words/doctor/finding-words.ts';
import { grouped } from '../../words/phrase.ts';
import { yamlValue } from './dialect-yaml.ts';

const INDENT = 2;
const DEEP = 6;

/**
 * The assumptions by verdict. What differs has lines of its own, what cannot be told says how to try
 * it; of the others, only their names are shown unless `all` is set.
 */
export function* findingLines(
  { findings }: Checkup,
  all: boolean,
  style: TextStyle,
): Generator<TerminalText> {
  for (const verdict of VERDICTS) {
    const group = findings.filter((each) => each.verdict === verdict);
    if (group.length === 0) continue;
    yield say``;
    const heading = `${ASSUMPTION_GROUPS[verdict]}: ${grouped(group.length)}`;
    yield tint(style.paint, 'bold', terminal(heading));
    if (all || verdict === 'differs') yield* group.flatMap((each) => [...oneFinding(each, style)]);
    else yield* shortGroup(verdict, group, style);
  }
}

/** The assumed value, the value to write, and what was observed; how to try it, where reads cannot show it. */
function* oneFinding(finding: AssumptionFinding, { width }: TextStyle): Generator<TerminalText> {
  const { key, assumed, suggested, possible, observed, verdict } = finding;
  const now = suggested === undefined ? say`` : say` -> ${terminal(yamlValue(suggested))}`;
  const maybe =
    possible === undefined
      ? say``
      : say` (${terminal(DOCTOR_TITLES.perhaps)} ${terminal(yamlValue(possible))})`;
  yield* wrap(say`  ${terminal(key)}: ${terminal(yamlValue(assumed))}${now}${maybe}`, width, DEEP);
  yield* wrap(say`      ${observedWords(observed)}`, width, DEEP);
  const hint = verdict === 'untellable' ? TRY_WORDS[key] : undefined;
  if (hint !== undefined)
    yield* wrap(say`      ${terminal(DOCTOR_TITLES.tryIt)} ${terminal(hint)}`, width, DEEP);
}

function* shortGroup(
  verdict: Verdict,
  group: readonly AssumptionFinding[],
  style: TextStyle,
): Generator<TerminalText> {
  if (verdict === 'confirmed') return yield* names(group.map(nameOnly), style, INDENT);
  if (verdict === 'untellable') return yield* hintGroups(group, style);
  for (const [observed, found] of groupBy(group, shortObserved)) {
    yield* wrap(say`  ${observed}:`, style.width, INDENT);
    yield* names(found.map(nameOnly), style, 2 * INDENT);
  }
}

/** Keys with their assumed values, and under them one way to try all of them. */
function* hintGroups(
  group: readonly AssumptionFinding[],
  style: TextStyle,
): Generator<TerminalText> {
  const hint = ({ key, observed }: AssumptionFinding): TerminalText =>
    observed.code === 'several' ? observedWords(observed) : terminal(TRY_WORDS[key] ?? '');
  for (const [text, found] of groupBy(group, hint)) {
    yield* names(found.map(nameAndValue), style, INDENT);
    if (text !== '')
      yield* wrap(say`      ${terminal(DOCTOR_TITLES.tryIt)} ${text}`, style.width, DEEP);
  }
}

function nameOnly({ key }: AssumptionFinding): TerminalText {
  return terminal(key);
}

function nameAndValue({ key, assumed, possible }: AssumptionFinding): TerminalText {
  const maybe = possible === undefined ? '' : ` (${DOCTOR_TITLES.perhaps} ${yamlValue(possible)})`;
  return say`${terminal(key)}: ${terminal(yamlValue(assumed))}${terminal(maybe)}`;
}

/** Without what differs from key to key: `--all` has it. */
function shortObserved({ observed: { code, params } }: AssumptionFinding): TerminalText {
  return observedWords({ code, params: { ...params, path: DOCTOR_TITLES.itsPath } });
}

function groupBy(
  findings: readonly AssumptionFinding[],
  textFor: (finding: AssumptionFinding) => TerminalText,
): ReadonlyMap<TerminalText, readonly AssumptionFinding[]> {
  const groups = new Map<TerminalText, readonly AssumptionFinding[]>();
  for (const finding of findings) {
    const text = textFor(finding);
    groups.set(text, [...(groups.get(text) ?? []), finding]);
  }
  return groups;
}

function* names(
  texts: readonly TerminalText[],
  { width }: TextStyle,
  indent: number,
): Generator<TerminalText> {
  yield* wrap(say`${pad(say``, indent)}${join(texts, ', ')}`, width, indent);
}

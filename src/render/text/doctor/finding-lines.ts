import { VERDICTS, type AssumptionFinding, type Checkup } from '../../../model/report/checkup.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { DOCTOR_TITLES } from '../../words/doctor/doctor-words.ts';
import {
  ASSUMPTION_GROUPS,
  FOLDED_GROUPS,
  observedWords,
  unreadWords,
  TRY_WORDS,
} from '../../words/doctor/finding-words.ts';
import { grouped } from '../../words/phrase.ts';
import { yamlValue } from './dialect-yaml.ts';

const INDENT = 2;
const DEEP = 6;

/**
 * The assumptions by verdict, one line for each; what differs, or suggests another value, always has lines of its
 * own, and with `all` each assumption has.
 */
export function* findingLines(
  { findings }: Checkup,
  all: boolean,
  style: TextStyle,
): Generator<TerminalText> {
  let isOpen = true;
  for (const verdict of VERDICTS) {
    const group = findings.filter((each) => each.verdict === verdict);
    if (group.length === 0) continue;
    const isShown = all || verdict === 'differs';
    if (isShown || isOpen) yield say``;
    isOpen = isShown || group.some(suggestsChange);
    const more = isShown ? '' : FOLDED_GROUPS[verdict];
    const heading = say`${terminal(`${ASSUMPTION_GROUPS[verdict]}: ${grouped(group.length)}${more}`)}`;
    yield* wrap(isShown ? tint(style.paint, 'bold', heading) : heading, style.width, INDENT);
    const listed = isShown ? group : group.filter(suggestsChange);
    yield* listed.flatMap((each) => [...oneFinding(each, style)]);
  }
}

/** Fields that no value of the dialect lets fleetform read. */
export function* unreadLines({ unread }: Checkup, style: TextStyle): Generator<TerminalText> {
  if (unread.length === 0) return;
  yield say``;
  const heading = `${DOCTOR_TITLES.unread}: ${grouped(unread.length)}`;
  yield tint(style.paint, 'bold', terminal(heading));
  const said = unread.map(unreadWords);
  for (const [index, { says, next }] of said.entries()) {
    yield* wrap(say`  ${says}`, style.width, DEEP);
    if (said[index + 1]?.next === next) continue;
    yield* wrap(say`      ${terminal(DOCTOR_TITLES.next)} ${next}`, style.width, DEEP + INDENT);
  }
}

/** What was observed that another value of the dialect would explain. */
const SUGGESTIVE: ReadonlySet<string> = new Set(['absent', 'several', 'otherKind', 'numericIds']);

function suggestsChange({ verdict, observed }: AssumptionFinding): boolean {
  return verdict !== 'confirmed' && SUGGESTIVE.has(observed.code);
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

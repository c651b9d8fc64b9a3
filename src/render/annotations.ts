import type { Place } from '../model/source.ts';
import { parseInstant } from '../model/time.ts';
import type { ChangeClass } from './classes.ts';
import { counted, fill, grouped } from './phrase.ts';
import { annotation, visible, type CiText } from './sinks.ts';
import type { PlanView } from './view.ts';
import {
  ACTION_WORDS,
  diagnosticWords,
  LIMIT_WORDS,
  reasonWords,
  RISK_WORDS,
  TASK_WORDS,
  WAY_OUT,
} from './words.ts';

/** GitHub shows as many annotations of one kind for a step, and drops the rest in silence. */
const OF_A_KIND = 10;

type Kind = 'error' | 'warning' | 'notice';

interface Note {
  readonly kind: Kind;
  readonly at?: Place;
  readonly title: string;
  readonly text: string;
}

/**
 * A plan as workflow commands that mark the lines of the documents: what a guardrail refuses as
 * errors, findings as warnings, what runs or waits as notices, riskiest first. At most ten of a
 * kind, the tenth saying how many there are beside it.
 */
export function planAnnotations(view: PlanView): readonly CiText[] {
  const now = parseInstant(view.evaluatedAt) ?? 0;
  const wanted = view.classes.filter(({ action }) => action === 'run' || action === 'wait');
  return [
    ...limited(view.verdicts.filter(({ passed }) => !passed).map(refusal)),
    ...limited(view.warnings.map(finding)),
    ...limited(wanted.map((theClass) => notice(theClass, now))),
  ].map(({ kind, at, title, text }) => annotation(kind, { ...at, title }, text));
}

function limited(notes: readonly Note[]): readonly Note[] {
  const last = notes[OF_A_KIND - 1];
  if (notes.length <= OF_A_KIND || !last) return notes;
  const more = `${last.text} And ${grouped(notes.length - OF_A_KIND)} more like it.`;
  return [...notes.slice(0, OF_A_KIND - 1), { ...last, text: more }];
}

function refusal(verdict: PlanView['verdicts'][number]): Note {
  const { limit, number, of, scope, allowed, guardrail, at } = verdict;
  const params = {
    number,
    allowed: grouped(allowed),
    limit,
    ...(of !== undefined && { of: grouped(of) }),
    ...(scope !== undefined && { scope }),
  };
  const [said, way] = [LIMIT_WORDS[limit], WAY_OUT].map((phrase) => fill(phrase, params, visible));
  return {
    kind: 'error',
    ...(at && { at }),
    title: `Refused by guardrail ${guardrail}`,
    text: `${said}; ${way}.`,
  };
}

function finding(diagnostic: PlanView['warnings'][number]): Note {
  const { summary, next } = diagnosticWords(diagnostic, visible);
  const { at, code } = diagnostic;
  return { kind: 'warning', ...(at && { at }), title: code, text: `${summary} ${next}` };
}

function notice(theClass: ChangeClass, now: number): Note {
  const { task, count, action, risk, at, reason } = theClass;
  const { summary, next } = reasonWords(reason, { now, sink: visible });
  return {
    kind: 'notice',
    at,
    title: `${TASK_WORDS[task]}, ${counted(count, 'device')}, ${RISK_WORDS[risk]}`,
    text: `${ACTION_WORDS[action]}: ${summary}${action === 'wait' ? `; ${next}` : ''}.`,
  };
}

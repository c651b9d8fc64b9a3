import type { ReasonCode } from '../../model/plan/reason.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { PlanScope } from '../../model/plan/scope.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { parseInstant } from '../../lib/time.ts';
import type { ChangeClass } from '../view/change-class.ts';
import { limitSentences } from '../words/terms.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { annotation, escapeInvisible, type CiText } from '../sinks/sinks.ts';
import type { PlanView } from '../view/view.ts';
import { ACTION_WORDS, BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { scopeFindings } from '../words/review/scope-words.ts';
import { diagnosticWords } from '../words/findings.ts';
import { reasonWords } from '../words/reasons.ts';
import { RISK_WORDS, TASK_WORDS } from '../words/terms.ts';

/**
 * GitHub shows this many annotations of one level per step and drops the rest without a message.
 */
const OF_A_KIND = 10;

type Kind = 'error' | 'warning' | 'notice';

interface Note {
  readonly kind: Kind;
  readonly at?: SourceLocation;
  readonly title: string;
  readonly text: string;
}

/**
 * A plan as workflow commands that annotate the lines of the documents. Guardrail refusals are
 * errors. With a base, changes that cannot be made are warnings, as are problems. Changes that run
 * or wait, and those removed from the plan, are notices, riskiest first. There are at most ten of a
 * level; the last one gives the number of the others.
 */
export function planAnnotations(view: PlanView): readonly CiText[] {
  const now = parseInstant(view.evaluatedAt) ?? 0;
  const marked = (kind: Kind): readonly Note[] =>
    view.classes
      .filter((theClass) => annotationKind(theClass) === kind)
      .map((theClass) => note(kind, theClass, now));
  return [
    ...limited([
      ...view.verdicts.filter(({ passed }) => !passed).map(refusal),
      ...scopeNotes(view.base?.scope),
    ]),
    ...limited([
      ...view.obstacles.map(finding),
      ...behindNotes(view),
      ...marked('warning'),
      ...view.warnings.map(finding),
    ]),
    ...limited(marked('notice')),
  ].map(annotated);
}

/**
 * The findings of documents that cannot be planned as workflow commands on their lines, at most ten
 * of a level. No value of a secret is in the words of a finding.
 */
export function findingAnnotations(diagnostics: readonly Diagnostic[]): readonly CiText[] {
  const notes = diagnostics.map(finding);
  return (['error', 'warning'] as const).flatMap((kind) =>
    limited(notes.filter((note) => note.kind === kind)).map(annotated),
  );
}

/** What is outside the scope of a request as workflow commands, without a plan. */
export function scopeAnnotations(scope: PlanScope): readonly CiText[] {
  return limited(scopeNotes(scope)).map(annotated);
}

function annotated({ kind, at, title, text }: Note): CiText {
  return annotation(kind, { ...at, title }, text);
}

function limited(notes: readonly Note[]): readonly Note[] {
  const last = notes[OF_A_KIND - 1];
  if (notes.length <= OF_A_KIND || !last) return notes;
  const more = `${last.text} And ${grouped(notes.length - OF_A_KIND)} more like it.`;
  return [...notes.slice(0, OF_A_KIND - 1), { ...last, text: more }];
}

function refusal(verdict: PlanView['verdicts'][number]): Note {
  const { guardrail, at } = verdict;
  const { said, way, params } = limitSentences(verdict);
  return {
    kind: 'error',
    ...(at && { at }),
    title: `Refused by guardrail ${guardrail}`,
    text: `${fill(said, params, escapeInvisible)}; ${fill(way, params, escapeInvisible)}.`,
  };
}

/** What is outside the scope of the commits has no line of its own. */
function scopeNotes(scope: PlanScope | undefined): readonly Note[] {
  if (!scope) return [];
  return scopeFindings(scope).map(({ said, way, params }) => ({
    kind: 'error',
    title: 'Not within the scope of this request',
    text: `${fill(said, params, escapeInvisible)}; ${fill(way, params, escapeInvisible)}.`,
  }));
}

/** Without a possible merge, a warning: the plan does not show the result of the merge. */
function behindNotes({ base }: PlanView): readonly Note[] {
  const params = base && behindParams(base);
  if (!base?.behind || !params || base.behind.is === 'merged') return [];
  const text = fill(BEHIND_WORDS[base.behind.is], params, escapeInvisible);
  return [{ kind: 'warning', title: 'behind the base', text }];
}

function finding(diagnostic: Diagnostic): Note {
  const { summary, next } = diagnosticWords(diagnostic, escapeInvisible);
  const { at, code, severity } = diagnostic;
  return { kind: severity, ...(at && { at }), title: code, text: `${summary} ${next}` };
}

/** Reasons of the service or a rule that time does not resolve, so the line has no effect. */
const IN_VAIN: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'blockedVendor',
  'notComparable',
  'siteWithoutZone',
  'unsupported',
]);

/**
 * The level of a class, if any; of the skipped changes only those caused since the base have one.
 */
function annotationKind({ action, group, reason }: ChangeClass): Kind | undefined {
  if (action === 'run' || action === 'wait') return 'notice';
  if (action !== 'skip' || (group !== 'branch' && group !== 'dropped')) return undefined;
  if (IN_VAIN.has(reason.code)) return 'warning';
  return group === 'dropped' ? 'notice' : undefined;
}

function note(kind: Kind, theClass: ChangeClass, now: number): Note {
  const { task, count, action, risk, at, reason, lastNext } = theClass;
  const { summary, next } = reasonWords(reason, { now, lastNext, sink: escapeInvisible });
  return {
    kind,
    at,
    title: `${TASK_WORDS[task]}, ${counted(count, 'device')}, ${RISK_WORDS[risk]}`,
    text: `${ACTION_WORDS[action]}: ${summary}${action === 'run' ? '' : `; ${next}`}.`,
  };
}

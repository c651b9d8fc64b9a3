import { sha256 } from '../../lib/canonical.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import type { PlanScope } from '../../model/plan/scope.ts';
import { annotation, ciLine, escapeInvisible, type CiText } from '../sinks/sinks.ts';
import type { ChangeClass } from '../view/classes.ts';
import type { PlanView } from '../view/view.ts';
import { diagnosticWords } from '../words/findings.ts';
import type { PageTime } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { reasonWords } from '../words/reasons.ts';
import { columnWord, planTime } from '../words/review/review-words.ts';
import { scopeFindings } from '../words/review/scope-words.ts';
import {
  BEHIND_WORDS,
  behindParams,
  limitSentences,
  RISK_WORDS,
  TASK_WORDS,
} from '../words/terms.ts';

/**
 * GitHub shows this many annotations of one level per step and drops the rest without a message.
 */
const OF_A_KIND = 10;

const KINDS = ['error', 'warning', 'notice'] as const;

type Kind = (typeof KINDS)[number];

export interface LineNote {
  readonly kind: Kind;
  readonly at?: SourceLocation;
  readonly title: string;
  readonly text: string;
}

/**
 * What a plan says about the lines of the documents. Guardrail refusals are errors. With a base,
 * changes that cannot be made are warnings, as are problems. Changes that run or wait, and those
 * removed from the plan, are notices, riskiest first.
 */
export function planNotes(view: PlanView): readonly LineNote[] {
  const page = planTime(view);
  const marked = (kind: Kind): readonly LineNote[] =>
    view.classes
      .filter((theClass) => annotationKind(theClass) === kind)
      .map((theClass) => note(kind, theClass, page));
  return [
    ...view.verdicts.filter(({ passed }) => !passed).map(refusal),
    ...scopeNotes(view.base?.scope),
    ...[...view.obstacles, ...view.refusing].map((each) => finding(each, page)),
    ...behindNotes(view),
    ...marked('warning'),
    ...view.warnings.map((each) => finding(each, page)),
    ...marked('notice'),
  ];
}

/** The findings of documents that cannot be planned. No value of a secret is in their words. */
export function findingNotes(diagnostics: readonly Diagnostic[]): readonly LineNote[] {
  return diagnostics.map((each) => finding(each));
}

/**
 * A plan as workflow commands that annotate the lines of the documents: at most ten of a level; the
 * last one gives the number of the others.
 */
export function planAnnotations(view: PlanView): readonly CiText[] {
  return limitedByKind(planNotes(view));
}

/**
 * The findings of documents that cannot be planned as workflow commands on their lines, at most ten
 * of a level.
 */
export function findingAnnotations(diagnostics: readonly Diagnostic[]): readonly CiText[] {
  return limitedByKind(findingNotes(diagnostics));
}

function limitedByKind(notes: readonly LineNote[]): readonly CiText[] {
  return KINDS.flatMap((kind) =>
    limited(notes.filter((each) => each.kind === kind)).map(annotated),
  );
}

/** What is outside the scope of a request, without a plan: as workflow commands of GitHub, else as lines of a log. */
export function scopeLines(scope: PlanScope, isGithub: boolean): readonly CiText[] {
  const notes = scopeNotes(scope);
  if (isGithub) return limited(notes).map(annotated);
  return notes.map(({ title, text }) => ciLine(`${title}: ${text}`));
}

function annotated({ kind, at, title, text }: LineNote): CiText {
  return annotation(kind, { ...at, title }, text);
}

function limited(notes: readonly LineNote[]): readonly LineNote[] {
  const last = notes[OF_A_KIND - 1];
  if (notes.length <= OF_A_KIND || !last) return notes;
  const more = `${last.text} And ${grouped(notes.length - OF_A_KIND)} more like it.`;
  return [...notes.slice(0, OF_A_KIND - 1), { ...last, text: more }];
}

function refusal(verdict: PlanView['verdicts'][number]): LineNote {
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
function scopeNotes(scope: PlanScope | undefined): readonly LineNote[] {
  if (!scope) return [];
  return scopeFindings(scope).map(({ said, way, params }) => ({
    kind: 'error',
    title: 'Not within the scope of this request',
    text: `${fill(said, params, escapeInvisible)}; ${fill(way, params, escapeInvisible)}.`,
  }));
}

/** Without a possible merge, a warning: the plan does not show the result of the merge. */
function behindNotes({ base }: PlanView): readonly LineNote[] {
  const params = base && behindParams(base);
  if (!base?.behind || !params || base.behind.is === 'merged') return [];
  const text = fill(BEHIND_WORDS[base.behind.is], params, escapeInvisible);
  return [{ kind: 'warning', title: 'behind the base', text }];
}

function finding(diagnostic: Diagnostic, page: PageTime = {}): LineNote {
  const { summary, next } = diagnosticWords(diagnostic, escapeInvisible, page);
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

function note(kind: Kind, theClass: ChangeClass, page: PageTime): LineNote {
  const { task, count, action, risk, at, reason, lastNext } = theClass;
  const { summary, next } = reasonWords(reason, { ...page, lastNext, sink: escapeInvisible });
  return {
    kind,
    at,
    title: `${TASK_WORDS[task]}, ${counted(count, 'device')}, ${RISK_WORDS[risk]}`,
    text: `${columnWord(theClass)}: ${summary}${action === 'run' ? '' : `; ${next}`}.`,
  };
}

/** GitLab's levels, from `info` to `blocker`. */
const SEVERITIES = { error: 'critical', warning: 'major', notice: 'info' } as const;

/**
 * Notes on lines as a report of code quality, which GitLab shows on a merge request and compares
 * with that of the target branch by fingerprint. A note without a line is left out, because GitLab
 * wants a place for each; the merge-request note has it.
 */
export function codeQualityJson(notes: readonly LineNote[]): string {
  const seen = new Map<string, number>();
  const issues = notes.flatMap(({ kind, at, title, text }) => {
    if (!at) return [];
    const path = at.file;
    const key = JSON.stringify([path, title, text]);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return [
      {
        description: escapeInvisible(`${title}: ${text}`),
        check_name: kind === 'notice' ? 'fleetform-plan' : 'fleetform',
        fingerprint: sha256(`${key} ${nth}`),
        severity: SEVERITIES[kind],
        location: { path, lines: { begin: at.line } },
      },
    ];
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

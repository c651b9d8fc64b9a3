import type { GuardrailVerdict, PlanBase } from '../../model/plan/plan.ts';
import {
  joined,
  own,
  phrase,
  place,
  say,
  sentence,
  told,
  type Block,
  type Inlines,
  type Item,
} from '../tree.ts';
import type { PlanView } from '../view/view.ts';
import { fill, grouped } from '../words/phrase.ts';
import {
  IN_SCOPE,
  inScopeParams,
  OUT_OF_SCOPE,
  scopeFindings,
} from '../words/review/scope-words.ts';
import { limitSentences } from '../words/terms.ts';

const REFUSED = { word: 'REFUSED', tone: 'bad' } as const;
const ALLOWED = { word: 'allowed', tone: 'wait' } as const;
const PASSED = { word: 'passed', tone: 'run' } as const;

/** How many refused or raised limits, and how many findings about the scope, are listed. */
const LISTED = 8;

/** What limits a plan: what refuses it, what an exception allowed, its scope, and what its request sets. */
export function limitBlocks({ verdicts, base }: Pick<PlanView, 'verdicts' | 'base'>) {
  return [...guardrailBlocks(verdicts), ...scopeBlocks(base), ...settingBlocks(base)];
}

/** What guardrails refuse, and what an exception allowed: the number, the limit, how to allow it. */
export function guardrailBlocks(verdicts: readonly GuardrailVerdict[]): readonly Block[] {
  const listed = verdicts.filter(needsAttention);
  if (listed.length === 0) return [];
  const tone = listed.some(({ passed }) => !passed) ? 'bad' : 'wait';
  const items = listed.map(verdictItem);
  const list = { is: 'list', items, most: LISTED, noun: 'limit' } as const;
  return [{ is: 'section', id: 'guardrails', title: own('Guardrails'), tone, blocks: [list] }];
}

function needsAttention({ passed, raisedBy }: GuardrailVerdict): boolean {
  return !passed || raisedBy !== undefined;
}

function verdictItem(verdict: GuardrailVerdict): Item {
  const { limit, guardrail, passed, at, raisedBy } = verdict;
  return {
    mark: passed ? (raisedBy ? ALLOWED : PASSED) : REFUSED,
    text: limitText(verdict, 'said'),
    lines: [
      say`limit: ${guardrail} ${own(limit)}  ${at ? place(at) : own('built in')}`,
      ...(raisedBy ? [say`raised by ${raisedBy.policy}  ${place(raisedBy)}`] : []),
    ],
    ...(!passed && { next: limitText(verdict, 'way') }),
  };
}

/** A sentence about a limit; its scope and its policies are data, and its counts are ours. */
function limitText(verdict: GuardrailVerdict, part: 'said' | 'way'): Inlines {
  const { params, [part]: words } = limitSentences(verdict);
  const names = [params['scope'], params['policies']];
  return told((sink) => fill(words, params, (text) => (names.includes(text) ? sink(text) : text)));
}

/** How many passed limits are listed, those closest to the limit first. */
const CLOSEST = 5;

/** The passed limits with their numbers: the closest to its limit, or with `all` each. */
export function passedBlocks(
  verdicts: readonly GuardrailVerdict[],
  { all = false }: { readonly all?: boolean },
): readonly Block[] {
  const passed = verdicts
    .filter((verdict) => !needsAttention(verdict) && verdict.number > 0)
    .toSorted((a, b) => b.number * a.allowed - a.number * b.allowed);
  const [closest] = passed;
  if (closest === undefined) return [];
  if (all) {
    const list = { is: 'list', items: passed.map(verdictItem) } as const;
    return [{ is: 'section', id: 'passed', title: own('Guardrails passed'), blocks: [list] }];
  }
  const others = [...new Set(passed.slice(1, CLOSEST).map(({ limit }) => limit))];
  const more = passed.length - CLOSEST;
  const rest = [...others, ...(more > 0 ? [`${grouped(more)} more`] : [])];
  const within = rest.length > 0 ? ` (also passed: ${rest.join(', ')})` : '';
  return [sentence(say`Guardrails passed: ${limitText(closest, 'said')}${own(within)}.`)];
}

/** Whether a request keeps to the scope that its commits name, and what is outside. */
function scopeBlocks(base: PlanBase | undefined): readonly Block[] {
  const scope = base?.scope;
  if (!scope) return [];
  const about = { is: 'section', id: 'scope', title: own('Scope') } as const;
  if (scope.passed) {
    const items = [{ mark: PASSED, text: phrase(IN_SCOPE, inScopeParams(scope)) }];
    return [{ ...about, blocks: [{ is: 'list', items }] }];
  }
  const items = scopeFindings(scope).map(({ said, way, params }) => ({
    mark: REFUSED,
    text: phrase(said, params),
    next: phrase(way, params),
  }));
  const list = { is: 'list', items, most: LISTED, noun: 'finding' } as const;
  const said = sentence(own(OUT_OF_SCOPE), 'bad');
  return [{ ...about, tone: 'bad', blocks: [said, list] }];
}

/** How many settings a terminal lists, and Markdown before a reader opens the others: all of what protects devices. */
const SETTINGS = 30;

/** What protects devices of all policies, or lets them pass. */
const PROTECTING = /^(?:exceptions|guardrails|budgets|freezes|groups|windows|sites|service)\b/;

/** A new limit only takes away. */
const LIMITING = /^(?:guardrails|budgets)\b/;

/** How many policies that use a window are named. */
const USERS = 3;

/**
 * Each limit that a request changes, and each variable that it newly reads (semantics G10): first what protects devices,
 * then fields of policies, and new limits last.
 */
export function settingBlocks(base: PlanBase | undefined): readonly Block[] {
  const items = (base?.settings ?? []).map(({ at, before, after = 'none', policies }) => {
    const isVariable = at.endsWith('.fromEnv');
    const text = isVariable
      ? say`${at.replace(/\.fromEnv$/, '')}: sends the variable ${after}`
      : say`${at}: ${before ?? 'none'} -> ${after}`;
    const lines = policies ? [usersLine(policies)] : [];
    const isLast = before === undefined && LIMITING.test(at);
    return { text, lines, rank: isLast ? 2 : Number(!PROTECTING.test(at)) };
  });
  const most = Math.max(SETTINGS, items.filter(({ rank }) => rank === 0).length);
  return settingsSection(
    items.toSorted((a, b) => a.rank - b.rank),
    most,
  );
}

function usersLine(policies: readonly string[]): Inlines {
  const named = policies.slice(0, USERS).map((policy) => say`${policy}`);
  const more = policies.length - named.length;
  return say`used by ${joined(named, ', ')}${own(more > 0 ? ` and ${grouped(more)} more` : '')}`;
}

/** The settings that requests change, of one fleet or of several. */
export function settingsSection(items: readonly Item[], most = SETTINGS): readonly Block[] {
  if (items.length === 0) return [];
  const title = own('Settings that this request changes');
  const list = { is: 'list', items, most, noun: 'setting' } as const;
  return [{ is: 'section', id: 'settings', title, count: items.length, blocks: [list] }];
}

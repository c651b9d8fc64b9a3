import { Bug } from '../../lib/bug.ts';
import { parseInstant } from '../../lib/time.ts';
import type { Allowed, Exception } from '../../model/documents/exception.ts';
import type { MeantFreeze } from '../../model/documents/meant.gen.ts';
import type { DeviceGroup, Receiver, ServiceSettings } from '../../model/documents/policy.ts';
import { STANDARD } from '../../model/documents/standard.gen.ts';
import {
  parseMonthDay,
  parseWall,
  type Edge,
  type Freeze,
  type FreezeTerm,
  type WindowSpec,
} from '../../model/documents/window.ts';
import type { WrittenDialect } from '../../model/fleet/dialect.ts';
import type { Authored, AuthoredEntry } from '../authored.ts';
import { known, meant, ms, parsedLimit, percent } from './read.ts';

/** The settings of the service. A ledger has its store alone filled in: a directory has no remote. */
export function service({ value }: AuthoredEntry<'service'>): ServiceSettings {
  const { baseUrl, organization, pace, needsYouAfter } = meant('service', value);
  const { ledger, approval, notifications, dialect } = value;
  return {
    baseUrl,
    organization,
    pace,
    ...(ledger && { ledger: { ...ledger, store: ledger.store ?? 'directory' } }),
    approval: approvalSettings(approval),
    ...(notifications && { notifications: receivers(notifications) }),
    needsYouAfter,
    dialect: { ...dialect } as WrittenDialect,
  };
}

const DAY = 86_400_000;

function receivers(
  written: NonNullable<Authored['service']['notifications']>,
): readonly Receiver[] {
  if ('webhook' in written) {
    const { url, secret } = written.webhook;
    return [{ kind: 'json', url, secret, remind: 'eachRun' }];
  }
  return written.map(({ kind, url, secret, remind }) => ({
    kind,
    url,
    ...(secret && { secret }),
    remind: remind === undefined ? DAY : ms(remind),
  }));
}

function approvalSettings(written: Authored['service']['approval']): ServiceSettings['approval'] {
  if (written === undefined || written === 'commit') return { is: 'commit' };
  const { expires } = typeof written === 'object' ? written : {};
  return { is: 'plan', expires: expires === undefined ? STANDARD.approvalExpires : ms(expires) };
}

/** A group, by rule or by list. */
export function group({ value }: AuthoredEntry<'groups'>): DeviceGroup {
  const { select, devices = [], redundancy } = meant('group', value);
  const members = select
    ? ({ is: 'select', select } as const)
    : ({ is: 'devices', devices } as const);
  return { ...members, ...(redundancy && { redundancy }) };
}

/** A window; `task` is written in the singular. */
export function window({ value }: AuthoredEntry<'windows'>): WindowSpec {
  const { task: tasks, cutoff, ...rest } = meant('window', value);
  return { ...rest, tasks, cutoff: cutoff === 'auto' ? 'auto' : ms(cutoff) };
}

/** A freeze, once or annual. */
export function freeze({ value }: AuthoredEntry<'freezes'>): Freeze {
  const { task: tasks, from = '', to = '', annual, ...rest } = meant('freeze', value);
  return {
    ...rest,
    tasks,
    term: annual ? annualTerm(annual) : { is: 'once', from: edge(from), to: edge(to) },
  };
}

function annualTerm({ from, to }: NonNullable<MeantFreeze['annual']>): FreezeTerm {
  return { is: 'annual', from: known(parseMonthDay(from), from), to: known(parseMonthDay(to), to) };
}

/** A local time may have fractional seconds, as an instant may. */
function edge(text: string): Edge {
  const [whole = '', fraction = '0'] = text.split('.');
  const wall = parseWall(whole);
  if (wall !== undefined && /^\d+$/.test(fraction))
    return { wall: wall + Math.floor(Number(`0.${fraction}`) * 1_000) };
  return { instant: known(parseInstant(text), text) };
}

/** An exception, with what its type needs and, for type `allow`, what it allows. */
export function exception(entry: AuthoredEntry<'exceptions'>): Exception {
  const {
    type,
    task: tasks,
    version,
    reasons = [],
    acceptsRisk,
    skipCanary,
    approvers,
    allow: _allow,
    ...rest
  } = meant('exception', entry.value);
  const base = { ...rest, tasks };
  switch (type) {
    case 'hold':
    case 'exclude':
      return { ...base, type };
    case 'acknowledge':
      return { ...base, type, reasons };
    case 'pin':
      return { ...base, type, version: known(version, entry.address), acceptsRisk };
    case 'expedite':
      return { ...base, type, skipCanary, approvers };
    case 'allow':
      return { ...base, type, ...allowed(entry) };
  }
}

/** `gate` is written as ROLLOUT/WAVE. */
function allowed({ value: { allow = {} }, address }: AuthoredEntry<'exceptions'>): Allowed {
  const { gate, singleton, skipCanary, guardrail, budget: raised, value } = allow;
  if (singleton) return { allow: 'singleton' };
  if (skipCanary) return { allow: 'skipCanary' };
  if (guardrail !== undefined && value !== undefined)
    return {
      allow: 'guardrail',
      guardrail,
      value: typeof value === 'number' ? value : percent(value),
    };
  if (raised !== undefined && value !== undefined)
    return { allow: 'budget', budget: raised, value: parsedLimit(value) };
  const [rollout, wave] = (gate ?? '').split('/');
  if (rollout === undefined || wave === undefined)
    throw new Bug(`${address} passed every rule and lacks what its type needs`);
  return { allow: 'gate', rollout, wave };
}

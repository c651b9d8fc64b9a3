import { shortId, startDigest } from '../lib/canonical.ts';
import type { Change } from '../model/plan/change.ts';
import { PLAN_VERSION } from '../model/plan/plan.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { compareTexts } from '../lib/text-order.ts';
import { approvedText } from './approved-fields.ts';

/** What a change is called: one task of one device. */
export function changeId(task: TaskType, deviceId: string): string {
  return `${task}/${deviceId}`;
}

/**
 * Hash of what a person approves: every wanted change, `run` or `wait`, with its outcome, at one service.
 * Nothing in it moves with the clock, with the order of files, or with what may start at this moment
 * (protocol X13). The service belongs to it: devices of a copy have the same ids.
 */
export function planId(changes: Iterable<Change>, fingerprint: string): string {
  const wanted: { readonly id: string; readonly outcome: string }[] = [];
  for (const change of changes)
    if (isWanted(change)) wanted.push({ id: change.id, outcome: approvedText(change) });
  wanted.sort((a, b) => compareTexts(a.id, b.id));
  const digest = startDigest();
  for (const { outcome } of wanted) digest.add(`${outcome}\n`);
  return shortId({ version: PLAN_VERSION, service: fingerprint, wanted: digest.hex() });
}

/** Wanted changes are what apply is to do, now or later; the rest is said and left. */
export function isWanted({ action }: Pick<Change, 'action'>): boolean {
  return action === 'run' || action === 'wait';
}

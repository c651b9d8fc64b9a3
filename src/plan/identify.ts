import { shortId, startDigest } from '../lib/canonical.ts';
import { type Change, isWanted } from '../model/plan/change.ts';
import { PLAN_VERSION } from '../model/plan/plan.ts';
import { compareTexts } from '../lib/text-order.ts';
import { approvedText } from './approved-fields.ts';

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

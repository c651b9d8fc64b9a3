import { shortId, startDigest } from '../lib/canonical.ts';
import { type Change, isWanted } from '../model/plan/change.ts';
import { PLAN_VERSION } from '../model/plan/plan.ts';
import { type FleetPart, toPartIds } from '../model/plan/part.ts';
import { compareTexts } from '../lib/text-order.ts';
import { approvedText } from './approved-fields.ts';

/**
 * Hash of what a person approves: every wanted change, `run` or `wait`, with its outcome, at one
 * service. Independent of the clock, of the order of files, and of which changes may start now
 * (protocol X13). The service is included, because devices of a copy have the same IDs, and so is the
 * part of the fleet (semantics N35).
 */
export function planId(changes: Iterable<Change>, fingerprint: string, part?: FleetPart): string {
  const wanted: { readonly id: string; readonly outcome: string }[] = [];
  for (const change of changes)
    if (isWanted(change)) wanted.push({ id: change.id, outcome: approvedText(change) });
  wanted.sort((a, b) => compareTexts(a.id, b.id));
  const digest = startDigest();
  for (const { outcome } of wanted) digest.add(`${outcome}\n`);
  return shortId({
    version: PLAN_VERSION,
    service: fingerprint,
    wanted: digest.hex(),
    ...(part && { part: { ...toPartIds(part) } }),
  });
}

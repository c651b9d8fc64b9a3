import { shortId, startDigest } from '../lib/canonical.ts';
import { internBy } from '../lib/intern.ts';
import { type Change, changeId, isWanted } from '../model/plan/change.ts';
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
  const wanted = collectWanted(changes);
  const digest = startDigest();
  for (const row of wanted.inOrder()) digest.add(`${wanted.text(row)}\n`);
  return shortId({
    version: PLAN_VERSION,
    service: fingerprint,
    wanted: digest.hex(),
    ...(part && { part: { ...toPartIds(part) } }),
  });
}

/** The wanted changes, in the order of their IDs. A million of them share few texts, so only these are kept. */
function collectWanted(changes: Iterable<Change>) {
  const devices: string[] = [];
  const tasks: string[] = [];
  const codes: number[] = [];
  const texts = internBy<readonly [string, string]>(['', ''], (parts) => parts.join('\n'));
  for (const change of changes) {
    if (!isWanted(change)) continue;
    devices.push(change.device.id);
    tasks.push(changeId(change.task, ''));
    codes.push(texts.codeOf(approvedText(change)));
  }
  const compare = (a: number, b: number): number =>
    compareTexts(tasks[a] ?? '', tasks[b] ?? '') ||
    compareTexts(devices[a] ?? '', devices[b] ?? '');
  return {
    inOrder: () => Uint32Array.from(devices, (_, row) => row).sort(compare),
    text(row: number): string {
      const [before, after] = texts.values[codes[row] ?? 0] ?? [];
      return `${before}${JSON.stringify(devices[row])}${after}`;
    },
  };
}

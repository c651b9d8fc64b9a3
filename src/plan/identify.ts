import { shortId, startDigest } from '../lib/canonical.ts';
import { type Change, changeId, isWanted } from '../model/plan/change.ts';
import { type MaybeColumns, rowsIn } from '../model/plan/change-rows.ts';
import { PLAN_VERSION } from '../model/plan/plan.ts';
import { type FleetPart, toPartIds } from '../model/plan/part.ts';
import { compareTexts } from '../lib/text-order.ts';
import { approvedText } from './approved-fields.ts';

/**
 * Hash of what a person approves: every due change, `run` or `wait`, with its outcome and what it passes, at one
 * service. But for what is passed it is independent of the clock, of the order of files, and of which changes may start now
 * (protocol X13). The service is included, because devices of a copy have the same IDs, and so is the
 * part of the fleet (semantics N35).
 */
export function planId(changes: MaybeColumns, fingerprint: string, part?: FleetPart): string {
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

/** The due changes, in the order of their IDs. A million of them share few texts, so only these are stored. */
function collectWanted(changes: MaybeColumns) {
  const devices: string[] = [];
  const kinds: number[] = [];
  const shared: (SharedText | undefined | 'unwanted')[] = [];
  for (const row of rowsIn(changes)) {
    const found = (shared[row.kind] ??= sharedText(row.change()));
    if (found === 'unwanted') continue;
    devices.push(row.deviceId);
    kinds.push(row.kind);
  }
  const textAt = (index: number): SharedText => {
    const found = shared[kinds[index] ?? 0];
    return found === undefined || found === 'unwanted' ? NO_TEXT : found;
  };
  const compare = (a: number, b: number): number =>
    compareTexts(textAt(a).task, textAt(b).task) ||
    compareTexts(devices[a] ?? '', devices[b] ?? '');
  return {
    inOrder: () => Uint32Array.from(devices, (_, index) => index).sort(compare),
    text(index: number): string {
      const { before, after } = textAt(index);
      return `${before}${JSON.stringify(devices[index])}${after}`;
    },
  };
}

/** The text of due changes of one kind in the ID of a plan, around the ID of their device. */
interface SharedText {
  readonly task: string;
  readonly before: string;
  readonly after: string;
}

const NO_TEXT: SharedText = { task: '', before: '', after: '' };

function sharedText(change: Change): SharedText | 'unwanted' {
  if (!isWanted(change)) return 'unwanted';
  const [before, after] = approvedText(change);
  return { task: changeId(change.task, ''), before, after };
}

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
  const digest = startDigest();
  for (const text of wantedTexts(changes)) digest.add(`${text}\n`);
  return shortId({
    version: PLAN_VERSION,
    service: fingerprint,
    wanted: digest.hex(),
    ...(part && { part: { ...toPartIds(part) } }),
  });
}

/** The due changes, in the order of their IDs. A million of them share few texts, so only these are stored. */
function* wantedTexts(changes: MaybeColumns): Generator<string> {
  const devices: string[] = [];
  const texts: SharedText[] = [];
  const shared: (SharedText | 'unwanted')[] = [];
  for (const row of rowsIn(changes)) {
    const text = (shared[row.kind] ??= sharedText(row.like));
    if (text === 'unwanted') continue;
    devices.push(row.deviceId);
    texts.push(text);
  }
  const compare = (a: number, b: number): number =>
    compareTexts(texts[a]?.task ?? '', texts[b]?.task ?? '') ||
    compareTexts(devices[a] ?? '', devices[b] ?? '');
  for (const index of Uint32Array.from(devices.keys()).sort(compare)) {
    const { before = '', after = '' } = texts[index] ?? {};
    yield `${before}${JSON.stringify(devices[index])}${after}`;
  }
}

/** The text of due changes of one kind in the ID of a plan, around the ID of their device. */
interface SharedText {
  readonly task: string;
  readonly before: string;
  readonly after: string;
}

function sharedText(change: Change): SharedText | 'unwanted' {
  if (!isWanted(change)) return 'unwanted';
  const [before, after] = approvedText(change);
  return { task: changeId(change.task, ''), before, after };
}

import { groupBy } from '../lib/group-by.ts';
import { compareTexts } from '../lib/text-order.ts';
import {
  LACKS,
  type AdoptNotice,
  type AdoptSubject,
  type UnrotatedWhy,
} from '../model/report/adoption.ts';
import { countLacks, type CredentialSpan } from './rotation-rules.ts';

export interface UnrotatedType {
  readonly what: AdoptSubject;
  readonly why: UnrotatedWhy;
  readonly deviceType: string;
  readonly devices: number;
  readonly dated: number;
}

/** Counts the dates of a type of device for which no rule fits, and says why none does. */
export function countUnrotated(
  what: AdoptSubject,
  deviceType: string,
  spans: readonly CredentialSpan[],
): UnrotatedType {
  const devices = spans.length;
  const dated = spans.filter(
    ({ changedAt, expiresAt }) => changedAt !== undefined || expiresAt !== undefined,
  ).length;
  const isIdle = spans.every(({ lack }) => lack !== undefined);
  const why = isIdle ? mostLacked(spans) : dated * 2 < devices ? 'undated' : 'due';
  return { what, why, deviceType, devices, dated };
}

function mostLacked(spans: readonly CredentialSpan[]): UnrotatedWhy {
  const lacks = countLacks(spans);
  return LACKS.toSorted((a, b) => lacks[b] - lacks[a])[0] ?? 'task';
}

/** One notice for each cause, with the devices and types of each credential. */
export function foldUnrotated(all: readonly UnrotatedType[]): readonly AdoptNotice[] {
  return [...groupBy(all, ({ why }) => why)].map(([why, caused]) => ({
    code: 'noRotation',
    why,
    credentials: [...groupBy(caused, ({ what }) => what)].map(([what, types]) => ({
      what,
      devices: types.reduce((sum, { devices }) => sum + devices, 0),
      dated: types.reduce((sum, { dated }) => sum + dated, 0),
      types: types
        .toSorted((a, b) => b.devices - a.devices || compareTexts(a.deviceType, b.deviceType))
        .map(({ deviceType }) => deviceType),
    })),
  }));
}

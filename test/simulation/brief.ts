import { PAYLOAD_SECRET } from '../support/canary.ts';
import { PAYLOAD_VARIABLE } from '../support/canary-run.ts';
import type { Feature } from './features.ts';

/** What documents are drafted from: the fleet as far as people know it when they begin. */
export interface Brief {
  readonly seed: number;
  readonly has: ReadonlySet<Feature>;
  readonly start: number;
  /** When phase one ends. */
  readonly end: number;
  readonly sites: readonly string[];
  readonly devices: readonly string[];
  readonly discovered: readonly string[];
}

export const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kolkata',
  'UTC',
] as const;

/** The secret that a payload refers to; it must never be seen anywhere but in a request. */
export const SECRET = { name: PAYLOAD_VARIABLE, value: PAYLOAD_SECRET } as const;

/** What decides where credentials go and what an approval is, as documents propose it. */
export const GROUND_SETTINGS = [
  'service',
  'organization',
  'ledger store',
  'ledger path',
  'ledger remote',
  'ledger branch',
  'approval',
  'notifications',
  'secrets',
] as const;
export type GroundSetting = (typeof GROUND_SETTINGS)[number];

/** One setting of the ground that a request changes; without a value where it has none. */
export interface GroundChange {
  readonly setting: GroundSetting;
  /** The folder of the documents, where a repository has several. */
  readonly folder?: string;
  readonly before?: string;
  readonly after?: string;
}

/** What a request changes besides the plan: by its commits, and not by what code of it says (protocol M5). */
export interface RequestChange {
  readonly ground: readonly GroundChange[];
  /** Files whose code makes plans. */
  readonly code: readonly string[];
  /** Why the ground is not compared, or not all of it. */
  readonly notCompared?: string;
}

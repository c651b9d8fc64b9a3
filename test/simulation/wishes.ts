/**
 * The documents of a simulated world, as they are written to YAML: what the loader reads, and what
 * the auditor judges by. Only the forms that the generator writes.
 */
export interface Wishes {
  readonly service: Fields;
  readonly sites: Record<string, { timeZone: string }>;
  readonly groups: Record<string, WishedGroup>;
  readonly windows: Record<string, WishedWindow>;
  readonly freezes: Record<string, WishedFreeze>;
  readonly rollouts: Record<string, Fields>;
  readonly budgets: Record<string, WishedBudget>;
  readonly firmware: Record<string, WishedPolicy>;
  readonly rotations: Record<string, WishedPolicy>;
  readonly onboarding: Record<string, WishedPolicy>;
  readonly restarts: Record<string, WishedPolicy>;
  readonly exceptions: Record<string, WishedException>;
  readonly guardrails: Record<string, Fields>;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Exact words only: no globs but `*` for every device. */
export interface WishedSelector {
  readonly device?: '*' | readonly string[];
  readonly deviceType?: string;
  readonly vendor?: string;
  readonly model?: string;
  readonly site?: string;
}

export interface WishedGroup {
  readonly devices?: readonly string[];
  readonly select?: WishedSelector;
  readonly redundancy: boolean;
}

/** Days are always written as a list; a cron is always `minute hour * * DAY`. */
export type WishedSpan =
  | { readonly days: readonly string[]; readonly from: string; readonly to: string }
  | { readonly cron: string; readonly duration: string };

export interface WishedWindow {
  readonly timeZone: string;
  readonly allow: readonly WishedSpan[];
  readonly deny: readonly WishedSpan[];
  readonly cutoff: string;
}

export interface WishedFreeze {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly select?: WishedSelector;
  readonly hard: boolean;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
}

export interface WishedBudget {
  readonly select?: WishedSelector;
  readonly per: 'site' | 'fleet' | 'redundancyGroup' | 'storageServer';
  readonly maxUnavailable?: number | string;
  readonly minAvailable?: number;
  readonly maxInFlight?: number;
}

export interface WishedPolicy {
  readonly windows: string | readonly string[];
  readonly task?: string;
  readonly select?: WishedSelector | Fields;
  readonly rollout?: string;
  readonly [key: string]: unknown;
}

export interface WishedException {
  readonly type: string;
  readonly task?: string;
  readonly select?: WishedSelector;
  readonly until: string;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
  readonly [key: string]: unknown;
}

/** Documents as text: JSON is YAML. Sections without entries are left out. */
export function textOf(wishes: Wishes): string {
  const sections = Object.entries(wishes).filter(
    ([, entries]) => Object.keys(entries as object).length > 0,
  );
  const lines = sections.map(([name, entries]) => `"${name}": ${JSON.stringify(entries)}`);
  return `{${lines.join(',\n')}}`;
}

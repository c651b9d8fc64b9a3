import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import { findSettings } from '../../src/plan/compare/changed-settings.ts';
import { settingTexts } from '../../src/render/words/review/setting-words.ts';

/** What a request changes, as its plan lists it. */
export function settingsBetween(
  before: Documents | undefined,
  after: Documents,
  snapshot?: Snapshot,
) {
  const base = before && { documents: before };
  return settingTexts(findSettings(base, after, snapshot)).settings ?? [];
}

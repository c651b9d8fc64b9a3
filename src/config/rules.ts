import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { AuthoredFleet, DocumentRule } from './authored.ts';
import { checkBroken } from './mend.ts';
import { ENTRY_RULES } from './rules/entries.ts';
import { NAME_RULES } from './rules/names.ts';
import { POLICY_RULES } from './rules/policies.ts';
import { ROLLOUT_RULES } from './rules/rollouts.ts';
import { noSecrets } from './rules/secrets.ts';
import { VALUE_RULES } from './rules/values.ts';
import { VERSION_RULES } from './rules/versions.ts';

/** Rules that a schema cannot express. Their order does not matter, since findings are sorted. */
const DOCUMENT_RULES: readonly DocumentRule[] = [
  ...NAME_RULES,
  ...VALUE_RULES,
  noSecrets,
  ...ENTRY_RULES,
  ...ROLLOUT_RULES,
  ...VERSION_RULES,
  ...POLICY_RULES,
];

/** Runs every rule, on entries with mistakes too, and returns all findings. */
export function checkRules(fleet: AuthoredFleet): readonly Diagnostic[] {
  return [
    ...DOCUMENT_RULES.flatMap((rule) => [...rule(fleet)]),
    ...checkBroken(fleet, DOCUMENT_RULES),
  ];
}

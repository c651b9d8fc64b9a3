import type { Json } from '../../lib/canonical.ts';
import { isObject } from '../../lib/objects.ts';
import { readableDuration } from '../../lib/time.ts';
import { leavesOf, meant, policyForm, writtenNumber } from '../../model/documents/written-form.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';

/** The fields that a policy omits, with their defaults as they are written in YAML. */
export function listDefaults({ value, places }: Sourced<Policy>): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [path, each] of leavesOf(meant(policyForm(value)))) {
    const text = writtenText(each, `${value.section}${path}`);
    if (text === '' || OURS.test(path) || places.has(path.replaceAll('.', '/'))) continue;
    const [, of = '', word] = /^\.(\w+)\.(per|within)$/.exec(path) ?? [];
    if (texts[of] === undefined) texts[path.slice(1)] = text;
    else texts[of] += ` ${word} ${text}`;
  }
  return { ...texts, ...usualSpread(value) };
}

/** What nobody writes, what the answer shows, and the devices. */
const OURS = /^\.(?:address|earlier|section|task|name|version|select|devices|windows)\b/;

function writtenText(value: Json, field: string): string {
  if (typeof value === 'number') return writtenNumber(value, field);
  return isObject(value) ? `${value['percent']}%` : [value].flat().join(', ');
}

/** Renewals without a spread are spread over a third of the time before the expiry. */
function usualSpread(policy: Policy): Readonly<Record<string, string>> {
  if (policy.section !== 'rotations' || 'spread' in policy.due) return {};
  const { due } = policy;
  if (due.is === 'renewShare') return { spread: 'a third of the time' };
  return due.is === 'renewBefore' ? { spread: readableDuration(due.before / 3) } : {};
}

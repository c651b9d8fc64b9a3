import type { Documents, EntriesByName, Policy } from '../../src/model/documents/policy.ts';
import { listPolicies } from '../../src/model/documents/policies.ts';
import { withRenames } from '../../src/model/ledger/renames.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { PlannerInput } from '../../src/plan/plan.ts';
import { underPresentNames } from '../../src/plan/present-names.ts';

/** What the new name of a policy has more than the old one. */
const MORE = /\b(firmware|rotations|onboarding|restarts)\.\d\d-/g;

/** Documents in which every policy that may be renamed is, into the reverse order of the alphabet. */
function renamedDocuments(documents: Documents): Documents {
  const { firmware, rotations, onboarding, restarts } = documents;
  return {
    ...documents,
    firmware: ordered(renamed(firmware), firmware),
    rotations: ordered(renamed(rotations), firmware),
    onboarding: renamed(onboarding),
    restarts: renamed(restarts),
  };
}

function renamed<P extends Policy>(policies: EntriesByName<P>): EntriesByName<P> {
  const names = [...policies.keys()].sort();
  return new Map(
    [...policies].map(([old, sourced]) => {
      const name = `${99 - names.indexOf(old)}-${old}`;
      const value = { ...sourced.value, address: `${sourced.value.section}.${name}` };
      return [name, { ...sourced, name, value }];
    }),
  );
}

/** The addresses in `after` are written anew, as a person does who renames a policy. */
function ordered<P extends Documents['firmware'] | Documents['rotations']>(
  policies: P,
  firmware: Documents['firmware'],
): P {
  const before = [...firmware.values()].map(({ value }) => value.address);
  const now = [...renamed(firmware).values()].map(({ value }) => value.address);
  const entries = [...policies].map(([name, sourced]) => {
    const after = sourced.value.after?.map((one) => {
      return { ...one, policy: now[before.indexOf(one.policy)] ?? one.policy };
    });
    return [name, after ? { ...sourced, value: { ...sourced.value, after } } : sourced] as const;
  });
  return new Map<string, unknown>(entries) as unknown as P;
}

/** What a plan decides about each device and task, with the old names of policies. */
export function decisionsIn({ changes, notes, waves, counts, hours }: Plan): readonly string[] {
  const lines = [...changes, ...notes, ...waves].map((each) => JSON.stringify(each));
  return [...lines, JSON.stringify([counts, hours])]
    .map((line) => line.replace(MORE, '$1.'))
    .sort();
}

/** The input after a rename of all policies that the ledger has on record. */
export function afterRename(input: PlannerInput): PlannerInput {
  const documents = renamedDocuments(input.documents);
  const [before, after] = [input.documents, documents].map((each) =>
    listPolicies(each).map(({ value }) => value.address),
  );
  const renames = (before ?? []).map((from, index) => ({ from, to: after?.[index] ?? from }));
  const moved = renames.filter(({ from, to }) => from !== to);
  return underPresentNames({ ...input, documents, memory: withRenames(input.memory, moved) });
}

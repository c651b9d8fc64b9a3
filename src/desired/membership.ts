import { matchesAny } from '../lib/glob.ts';
import type { Documents, Selector, SelectorKeys } from '../model/documents/policy.ts';
import type { Membership } from '../model/documents/selector.ts';
import { compileClauses, type DeviceColumns } from './clauses.ts';
import { deviceFacets, ungroupedFacets } from './facets.ts';
import { compile, type SelectionFleet } from './select.ts';

/**
 * Whether a selector selects the device of a row: yes, no or `maybe`, if it depends on a field that
 * was not understood (semantics D9). An undecided `not` excludes no device.
 */
export function compileMembership(
  selector: Selector,
  { documents, snapshot: { devices } }: SelectionFleet,
): (row: number) => Membership {
  const selects = compile(selector, deviceFacets(documents, devices));
  const { values, codes } = devices.unreadable;
  let judge: Judge | undefined;
  return (row) => {
    const code = codes[row] ?? 0;
    if (code === 0) return selects(row);
    judge ??= createJudge(selector, documents, devices);
    return judge({ row, unreadable: values[code] ?? [] });
  };
}

/** A device and its fields that were not understood. */
interface JudgedDevice {
  readonly row: number;
  readonly unreadable: readonly string[];
}

type Judge = (device: JudgedDevice) => Membership;

/** The fields that a key reads. A version range also needs the vendor, for the order. */
const FIELDS_OF_KEY: Readonly<Record<Exclude<keyof SelectorKeys, 'group'>, readonly string[]>> = {
  device: [],
  name: ['name'],
  vendor: ['vendor'],
  model: ['model'],
  deviceType: ['deviceType'],
  firmwareVersion: ['firmwareVersion', 'vendor'],
  site: ['sites'],
  source: ['sources'],
};

function createJudge(
  selector: Selector,
  { sites, groups }: Pick<Documents, 'sites' | 'groups'>,
  devices: DeviceColumns & { readonly rowOf: (id: string) => number | undefined },
): Judge {
  const facets = ungroupedFacets({ sites }, devices);
  const keysJudge = ({ group, ...keys }: SelectorKeys): Judge => {
    const judges = compileClauses(keys, facets).map(({ key, codes, holds }): Judge => {
      const fields = key === 'group' ? [] : FIELDS_OF_KEY[key];
      return ({ row, unreadable }) =>
        fields.some((field) => unreadable.includes(field)) ? 'maybe' : holds(codes[row] ?? 0);
    });
    if (group) judges.push(inGroup(group));
    return (device) => all(judges.map((judge) => judge(device)));
  };
  const judgeOf = ({ not: without, ...keys }: Selector): Judge => {
    const [wanted, unwanted] = [keysJudge(keys), without && keysJudge(without)];
    if (!unwanted) return wanted;
    return (device) => all([wanted(device), not(unwanted(device))]);
  };
  const inGroup = (globs: readonly string[]): Judge => {
    const meant = [...groups.values()].filter(({ name }) => matchesAny(globs, name));
    const judges = meant.map(({ value }): Judge => {
      if (value.is === 'select') return judgeOf(value.select);
      const rows = new Set(value.devices.map((id) => devices.rowOf(id)));
      return ({ row }) => rows.has(row);
    });
    return (device) => not(all(judges.map((judge) => not(judge(device)))));
  };
  return judgeOf(selector);
}

function all(answers: readonly Membership[]): Membership {
  if (answers.includes(false)) return false;
  return answers.includes('maybe') ? 'maybe' : true;
}

function not(answer: Membership): Membership {
  return answer === 'maybe' ? answer : !answer;
}

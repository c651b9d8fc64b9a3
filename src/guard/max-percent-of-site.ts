import { countAtPercent } from '../model/documents/guardrail.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { compareTexts } from '../lib/text-order.ts';
import { groupBy, groupByEach } from '../lib/group-by.ts';
import type { Limit, LimitResult } from './limit.ts';
import { countsBetween, isShare, managedDevices, type Recounted } from './recount.ts';
import { weigh } from './weigh.ts';

/**
 * Counts devices with a counted change, as a percentage of each site. Reports the sites over the
 * limit, or the fullest one if none is.
 */
export const maxPercentOfSite: Limit = {
  judge({ counted, limit, allowances, snapshot }) {
    const managed = counted.filter(({ row }) => row !== undefined);
    const sizes = countBySite(snapshot);
    const labelOf = siteLabels(snapshot);
    const findings = [...groupByEach(managed, ({ sites }) => sites)]
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([site, changes]): LimitResult => {
        const total = sizes.get(site) ?? 0;
        const units = groupBy(changes, ({ row }) => row).values();
        const weight = weigh({
          units,
          limit,
          allowances,
          allowed: (value) => countAtPercent(total, value),
        });
        return { ...weight, of: total, scope: labelOf(site) };
      });
    const failed = findings.filter(({ passed }) => !passed);
    return failed.length > 0 ? failed : fullest(findings, limit);
  },
  follows(verdict, { counted }) {
    const { scope, number, allowed, of: total, passed } = verdict;
    if (scope === undefined) return number === 0 && allowed === 0 && passed;
    return (
      total !== undefined &&
      number <= total &&
      isShare(verdict) &&
      countsBetween(verdict, ...devicesAt(scope, counted))
    );
  },
};

/** The number of devices at a site of a saved plan, minimum and maximum: it has only names, of which several sites may share one. */
function devicesAt(site: string, counted: Iterable<Recounted>): readonly [number, number] {
  const rows = [...counted];
  const alone = managedDevices(rows.filter(({ sites }) => sites.join(', ') === site));
  const among = managedDevices(rows.filter(({ sites }) => sites.includes(site)));
  const most = new Set([...alone, ...among]).size;
  return [site.includes(', ') ? 0 : alone.size, most > 0 ? most : managedDevices(rows).size];
}

function fullest(findings: readonly LimitResult[], limit: number): readonly LimitResult[] {
  const share = ({ number, of: total = 0 }: LimitResult): number =>
    total === 0 ? 0 : number / total;
  const [first, ...rest] = findings;
  if (!first) return [{ value: limit, number: 0, allowed: 0, passed: true }];
  return [rest.reduce((most, each) => (share(each) > share(most) ? each : most), first)];
}

function countBySite({ devices: { sites } }: Snapshot): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const code of sites.codes)
    for (const { id } of sites.values[code] ?? []) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  return sizes;
}

/** Finds the name of a site, with its ID if several sites have that name. */
function siteLabels({ sites }: Snapshot): (id: string) => string {
  const named = groupBy(sites, ({ name }) => name);
  const labels = new Map(
    sites.map(({ id, name }) => [
      id,
      (named.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name,
    ]),
  );
  return (id) => labels.get(id) ?? id;
}

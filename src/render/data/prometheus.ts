import { computeOnce } from '../../lib/compute-once.ts';
import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';

/**
 * Every series: its help, then its labels beside `organization`. The collector of a machine takes the files of several
 * organizations only where their help is equal.
 */
const FAMILIES = {
  run_end_timestamp_seconds: ['End of the last run', 'command'],
  run_duration_seconds: ['Duration of the last run', 'command'],
  run_exit_code: ['Exit code of the last run', 'command'],
  run_attempts: ['Task requests of the last run', 'command'],
  run_changes: ['Changes and other tasks of the last run by outcome', 'command', 'outcome'],
  run_requests: ['Requests of the last run by purpose', 'command', 'purpose'],
  devices: ['Devices by status', 'site', 'device_type', 'status'],
  policy_devices: ['Devices of a policy by column of the table', 'policy', 'state'],
  policy_overdue: ['Devices of a policy that are overdue', 'policy'],
  policy_in_doubt: ['Tasks of a policy in doubt', 'policy'],
  policy_quarantined: ['Devices of a policy that failed and have no retry left', 'policy'],
  waiting: ['Devices that are later or need you, by reason', 'reason'],
  paused: ['1 where a person or a rule pauses the policy or a part of it', 'policy', 'by'],
  rollout_wave: ['Number of the wave that a rollout has reached', 'policy', 'wave'],
  credential_age_max_seconds: ['Age of the oldest known credential', 'site', 'task'],
  expiry_min_timestamp_seconds: ['First known end of a credential', 'site', 'task'],
  firmware_devices: ['Devices by firmware version', 'vendor', 'model', 'version'],
} as const satisfies Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

type Name = keyof typeof FAMILIES;

/** A number, and the values of the labels of its series in their order. */
export type Sample = readonly [name: Name, value: number, ...labels: string[]];

/** The most values of a label: those of most devices. The rest is `other`. */
const MOST = { site: 500, policy: 500, others: 200 };

/**
 * Samples in the text format of Prometheus, all of them gauges. A family without samples is left out.
 * @param organization the label of every sample; undefined where it is not known
 * @param kept lines of an earlier text, as `linesOfOthers` gives them
 */
export function prometheusText(
  samples: readonly Sample[],
  organization: string | undefined,
  kept: readonly string[] = [],
): string {
  const families = groupBy(combined(samples), ({ name }) => name);
  const mostUsed = computeOnce((label: string): ReadonlySet<string> => {
    const counts = new Map<string, number>();
    for (const [name, series] of families) {
      const at = (FAMILIES[name] as readonly string[]).indexOf(label) - 1;
      for (const { texts, count } of at < 0 ? [] : series)
        counts.set(texts[at] ?? '', (counts.get(texts[at] ?? '') ?? 0) + count);
    }
    const order = [...counts].sort(([a, n], [b, m]) => m - n || compareTexts(a, b));
    const most = MOST[label as keyof typeof MOST] ?? MOST.others;
    return new Set(order.slice(0, most).map(([text]) => text));
  });
  const lines = (Object.keys(FAMILIES) as readonly Name[]).flatMap((name) => {
    const [help, ...labels] = FAMILIES[name];
    const series = new Map<string, number>();
    for (const { texts, value } of families.get(name) ?? []) {
      const pairs = labels.map((label, at) => {
        const text = texts[at] ?? '';
        return pair(label, mostUsed(label).has(text) ? text : 'other');
      });
      const key = `fleetform_${name}{${[...common(organization), ...pairs].join(',')}}`;
      series.set(key, series.has(key) ? fold(name, series.get(key) ?? 0, value) : value);
    }
    const own = [...series].map(([key, value]) => `${key} ${value}`);
    const all = [...own, ...kept.filter((line) => line.startsWith(`fleetform_${name}{`))];
    const head = [`# HELP fleetform_${name} ${help}`, `# TYPE fleetform_${name} gauge`];
    return all.length > 0 ? [...head, ...all] : [];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** A fleet has many samples and few series: one of each, with how many samples it had. */
function combined(samples: readonly Sample[]) {
  const alike = groupBy(samples, ([name, , ...labels]) => JSON.stringify([name, labels]));
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const [name, , ...labels] = first;
    const value = same.map((each) => each[1]).reduce((a, b) => fold(name, a, b));
    return { name, value, texts: labels.map(labelText), count: same.length };
  });
}

/** What two samples of one series come to. */
function fold(name: Name, a: number, b: number): number {
  if (name.includes('_min_')) return Math.min(a, b);
  return name === 'paused' || name.includes('_max_') ? Math.max(a, b) : a + b;
}

/** The lines of an earlier text about runs of other commands on the same organization. */
export function linesOfOthers(text: string, command: string, organization?: string): string[] {
  const own = [...common(organization), pair('command', command)].join(',');
  return text.split('\n').filter((line) => {
    const labels = /^fleetform_run_\w+\{(.*)\} [\d.e+-]+$/.exec(line)?.[1];
    return labels?.startsWith(own.slice(0, -command.length - 1)) && !labels.startsWith(own);
  });
}

function common(organization: string | undefined): readonly string[] {
  return organization === undefined ? [] : [pair('organization', labelText(organization))];
}

/** Names that would be alike in UTF-8 are one. */
function labelText(text: string): string {
  return text.slice(0, 200).replace(/\p{Surrogate}/gu, '\uFFFD');
}

function pair(label: string, text: string): string {
  return `${label}="${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

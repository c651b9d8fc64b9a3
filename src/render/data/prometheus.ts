import { getOrAdd } from '../../lib/maps.ts';
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
  const pairs = pairsOf(samples);
  const start = common(organization);
  const families = new Map<Name, Map<string, number>>();
  for (const [name, value, ...texts] of samples) {
    const series = getOrAdd(families, name, () => new Map<string, number>());
    const own = texts.map((text, at) => pairs.get(labelAt(name, at))?.get(text));
    const key = [...start, ...own].join(',');
    const before = series.get(key);
    series.set(key, before === undefined ? value : fold(name, before, value));
  }
  const lines = (Object.keys(FAMILIES) as readonly Name[]).flatMap((name) => {
    const full = `fleetform_${name}`;
    const own = [...(families.get(name) ?? [])].map(([key, value]) => `${full}{${key}} ${value}`);
    const all = [...own, ...kept.filter((line) => line.startsWith(`${full}{`))];
    const head = [`# HELP ${full} ${FAMILIES[name][0]}`, `# TYPE ${full} gauge`];
    return all.length > 0 ? [...head, ...all] : [];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** How each value of each label is written: as it is, or as `other`. */
function pairsOf(samples: readonly Sample[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const counts = new Map<string, Map<string, number>>();
  for (const [name, , ...texts] of samples)
    texts.forEach((text, at) => {
      const known = getOrAdd(counts, labelAt(name, at), () => new Map<string, number>());
      known.set(text, (known.get(text) ?? 0) + 1);
    });
  const written = [...counts].map(([label, known]) => {
    const order = [...known].sort(([a, n], [b, m]) => m - n || compareTexts(a, b));
    const most = MOST[label as keyof typeof MOST] ?? MOST.others;
    const pairs = order.map(
      ([text], at) => [text, pair(label, at < most ? text : 'other')] as const,
    );
    return [label, new Map(pairs)] as const;
  });
  return new Map(written);
}

function labelAt(name: Name, at: number): string {
  return (FAMILIES[name] as readonly string[])[at + 1] ?? '';
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
  return organization === undefined ? [] : [pair('organization', organization)];
}

/** A label with its value; names that would be alike in UTF-8 are one. */
function pair(label: string, text: string): string {
  const shown = text.slice(0, 200).replace(/\p{Surrogate}/gu, '\uFFFD');
  return `${label}="${shown.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

import type { Dialect } from '../../model/fleet/dialect.ts';
import { FILTERS } from '../../model/fleet/filters.ts';
import { ONBOARDING_STATUSES, PROBES, STATUSES } from '../../model/fleet/device.ts';
import { WorldError } from '../../model/error.ts';
import type { Collection, ServiceFilter } from '../../model/ports.ts';
import { AVAILABLE_TASKS, TASK_RESULTS } from '../../model/fleet/task.ts';
import { formatInstant, parseDateOrInstant } from '../../lib/time.ts';
import { nearest } from '../../lib/nearest-name.ts';

/** The type of a filter's value. A list contains the documented words. */
type FilterType = 'text' | 'flag' | 'whole' | 'instant' | readonly string[];

export interface KnownFilter {
  /** The name that users write: the service's own, or a synonym. */
  readonly name: string;
  /** The name that is sent. */
  readonly sent: string;
  readonly type: FilterType;
  /**
   * The dotted path where a row shows the filtered value; absent if the row does not show it in the
   * same form.
   */
  readonly shows?: string;
}

/** The lists that can be filtered. The list of a task consists of its device tasks. */
export type Filtered = Collection | 'task';

const PROBE_WORDS = ['up', 'down', 'unknown', 'unmonitored'];
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['1', '1'],
  ['true', '1'],
  ['0', '0'],
  ['false', '0'],
]);
const LIFE_CYCLE_WORDS = ['current_product', 'eol', 'eos', 'unknown'];
const TASK_WORDS = ['pending', 'running', 'completed'];

/** Every filter of a list, with the dialect's spelling. */
export function listFilters(list: Filtered, dialect: Dialect): readonly KnownFilter[] {
  switch (list) {
    case 'devices':
      return [...deviceFilters(dialect), ...taskFilters(dialect), ...laterFilters(dialect)];
    case 'sites':
      return [plain('name', 'text'), shown('status', STATUSES)];
    case 'deviceSources':
      return [plain('name', 'text')];
    case 'discoveredDevices':
      return [
        plain('deviceSources.id', 'whole'),
        shown('deviceType', 'text'),
        shown('vendor', 'text'),
        shown('onboardingStatus', ONBOARDING_STATUSES),
        plain('discoveredAfter', 'instant'),
        plain('discoveredBefore', 'instant'),
      ];
    case 'task':
      return [shown('status', TASK_WORDS), shown('result', TASK_RESULTS)];
  }
}

/**
 * Converts filters to query parameters. Only known names are allowed, because the service may
 * ignore a misspelled one and return every row. Booleans become 1 and 0, and dates have the form of
 * the dialect. Throws `filterUnknown` with a suggestion.
 */
export function buildQuery(
  list: Filtered,
  filter: ServiceFilter,
  dialect: Dialect,
): Readonly<Record<string, string>> {
  const known = listFilters(list, dialect);
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const found = known.find((each) => each.name === name);
      if (!found) throw unknown(list, name, known);
      return [found.sent, sentValue(found, String(value), { list, dialect })];
    }),
  );
}

function deviceFilters(dialect: Dialect): readonly KnownFilter[] {
  return [
    shown('status', STATUSES),
    ...PROBES.map((probe) => shown(`probe.${probe}`, PROBE_WORDS)),
    plain('isFirmwareVulnerable', 'flag'),
    plain('isFirmwareLatest', 'flag'),
    plain('isFirmwareUpgradeAvailable', 'flag'),
    shown('lifeCycleStatus', LIFE_CYCLE_WORDS, dialect.lifeCycleField),
    ...maintenanceFilter(dialect),
  ];
}

/**
 * Both spellings of the two uncertain filters are accepted. The dialect decides which one is sent.
 */
function taskFilters(dialect: Dialect): readonly KnownFilter[] {
  const password = dialect.filterRotatePassword;
  const certificate = dialect.filterRotateSslCertificate;
  const sent: Readonly<Record<string, string>> = {
    'availableTask.rotatePassword': password,
    'availableTask.passwordRotation': password,
    'availableTask.rotateSslCertificate': certificate,
    'availableTask.rotateSSLCertificate': certificate,
    [password]: password,
    [certificate]: certificate,
  };
  const names = new Set([
    ...AVAILABLE_TASKS.map((task) => `availableTask.${task}`),
    ...Object.keys(sent),
  ]);
  const named = [...names].filter((name) => name !== '' && sent[name] !== '');
  return named.map((name) => ({
    name,
    sent: sent[name] ?? name,
    type: 'flag',
    shows: shownBy(sent[name] ?? name, dialect),
  }));
}

/** A row shows the task type under the same name, whatever the filter is called. */
function shownBy(name: string, dialect: Dialect): string {
  if (name === dialect.filterRotatePassword) return 'availableTask.rotatePassword';
  const isCertificate = name === dialect.filterRotateSslCertificate;
  return isCertificate ? 'availableTask.rotateSslCertificate' : name;
}

function laterFilters(dialect: Dialect): readonly KnownFilter[] {
  return FILTERS.flatMap(({ key, type, field }) => {
    const name = dialect[key];
    if (name === '' || typeof field !== 'string') return [];
    if (type === 'before' || type === 'after') return [plain(name, 'instant')];
    const shows = dialect[field];
    return shows === '' ? [] : [shown(name, type === 'flag' ? 'flag' : 'text', shows)];
  });
}

/** Users write the name of the field, whatever the filter is called. */
function maintenanceFilter({ filterMaintenanceMode: sent }: Dialect): readonly KnownFilter[] {
  if (sent === '') return [];
  const names = [...new Set(['maintenanceMode', sent])];
  return names.map((name) => ({ name, sent, type: 'flag', shows: 'maintenanceMode' }));
}

function plain(name: string, type: FilterType): KnownFilter {
  return { name, sent: name, type };
}

function shown(name: string, type: FilterType, shows = name): KnownFilter {
  return { ...plain(name, type), shows };
}

/**
 * A value in the service's spelling. An impossible value is refused, because the service would
 * ignore the filter.
 */
function sentValue(
  { name, type }: KnownFilter,
  value: string,
  { list, dialect }: { readonly list: Filtered; readonly dialect: Dialect },
): string {
  const refuse = (meant: string): never => {
    throw new WorldError('filterUnknown', {
      collection: list,
      filter: `${name}=${value}`,
      suggestion: `${name}=${meant}`,
    });
  };
  if (type === 'text') return value;
  if (type === 'flag') return FLAGS.get(value) ?? refuse('1');
  if (type === 'whole') return /^\d{1,15}$/.test(value) ? value : refuse('1');
  if (type === 'instant') {
    const instant = parseDateOrInstant(value);
    if (instant === undefined) return refuse('2027-01-31T00:00:00Z');
    if (dialect.filterDateForm === 'iso') return formatInstant(instant);
    return String(dialect.filterDateForm === 'seconds' ? Math.floor(instant / 1_000) : instant);
  }
  return type.includes(value) ? value : refuse(nearest(value, type) ?? type.join('|'));
}

function unknown(list: Filtered, filter: string, known: readonly KnownFilter[]): WorldError {
  const names = known.map(({ name }) => name);
  const suggestion = nearest(filter, names);
  const params = { collection: list, filter, known: names.join(', ') };
  return new WorldError('filterUnknown', { ...params, ...(suggestion && { suggestion }) });
}

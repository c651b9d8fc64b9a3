/** What a service answers, as JSON. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;

interface Fields {
  readonly [name: string]: Json;
}

/** What a service answers in place of the twin, which speaks the dialect of the folder already. */
export type Answer = (value: Json, path: string) => Json;

/**
 * Services whose answers no dialect of the twin can express, by the folder in `test/doctor/dialects/`
 * that has the report about them.
 */
export const HOSTILE: Readonly<Record<string, Answer>> = {
  '15-seconds-beside-iso': dates(seconds, ({ name }) => name !== 'lastSeen'),
  '16-a-bare-array-of-paths': at(/firmwarePaths$/, (answer) => own(answer, 'firmwarePaths')),
  '17-totals-as-text': members(({ name, value }) => (name === 'total' ? String(value) : value)),
  '18-a-probe-that-is-unknown': devices(({ compliance, ...row }) => ({
    ...row,
    compliance: without(compliance, 'lifecycle'),
    probe: { agent: 'unknown' },
  })),
  '19-sources-in-a-wrapper': devices((row) => ({
    ...row,
    deviceSources: list(row['deviceSources']).map((source) => ({ source })),
  })),
  '21-dates-as-digits': dates((instant) => String(seconds(instant))),
  '22-milliseconds-beside-seconds': (answer, path) =>
    dates(path.endsWith('/passwords') ? milliseconds : seconds)(answer, path),
  '23-dates-without-a-zone': at(
    /passwords$/,
    dates((instant) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ')),
  ),
  '24-dates-twice': at(
    /passwords$/,
    dates((instant) => ({ utc: new Date(instant).toISOString(), epoch: instant })),
  ),
  '25-flags-in-words': members(({ value }) => (typeof value === 'boolean' ? String(value) : value)),
  '26-a-status-in-an-object': devices((row) => ({
    ...row,
    status: { value: row['status'] ?? null, since: 0 },
  })),
  '27-versions-as-numbers': devices((row) => ({
    ...row,
    firmwareVersion: Number.parseFloat(String(row['firmwareVersion'])) || 1,
  })),
  '28-paths-in-one-text': members(({ name, value }) =>
    name === 'path' ? list(value).join(' > ') : value,
  ),
  '29-targets-by-version': at(/targetFirmware$/, (answer) => ({
    targetFirmware: Object.fromEntries(
      list(own(answer, 'targetFirmware')).map((row) => [String(own(row, 'version')), row]),
    ),
  })),
  '30-sites-under-another-name': at(/sites$/, (answer) => ({
    items: own(answer, 'sites'),
    total: own(answer, 'total'),
  })),
  '31-an-odd-row': at(
    /devices$/,
    rows((row) => (row['id'] === 'dev-4' ? { ...row, lastSeen: 'never' } : row)),
  ),
  '32-discovered-without-an-id': at(
    /discoveredDevices$/,
    rows(({ id = null, serialNumber: _, ...row }) => ({ ...row, macAddress: id })),
  ),
  '33-sites-by-name': devices((row) => ({
    ...row,
    sites: list(row['sites']).map((site) => own(site, 'name')),
  })),
  '34-a-row-that-is-null': at(/devices$/, (answer) =>
    isFields(answer) ? { ...answer, devices: [null, ...list(answer['devices'])] } : answer,
  ),
};

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: Json | undefined, name: string): Json {
  return isFields(value) ? (value[name] ?? null) : null;
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function without(value: Json | undefined, name: string): Json {
  return isFields(value)
    ? Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
    : null;
}

function seconds(instant: number): number {
  return instant / 1_000;
}

function milliseconds(instant: number): number {
  return instant;
}

interface Member {
  readonly name: string;
  readonly value: Json;
}

/** Each member at any depth; what is changed is left as it then is. */
function members(change: (member: Member) => Json): Answer {
  const visit = (value: Json, name: string): Json => {
    const changed = change({ name, value });
    if (changed !== value) return changed;
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => visit(item, name));
    if (!isFields(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([inner, member]) => [inner, visit(member, inner)]),
    );
  };
  return (value) => visit(value, '');
}

/** Each date, or each that is chosen, in another form. */
function dates(
  form: (instant: number) => Json,
  isChosen: (member: Member) => boolean = () => true,
): Answer {
  return members((member) => {
    const { value } = member;
    const isDate = typeof value === 'string' && ISO.test(value) && isChosen(member);
    return isDate ? form(Date.parse(value)) : value;
  });
}

function at(path: RegExp, answer: Answer): Answer {
  return (value, asked) => (path.test(asked) ? answer(value, asked) : value);
}

/** Each object in a list of an answer. */
function rows(change: (row: Fields) => Json): Answer {
  return (value) =>
    isFields(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            name,
            Array.isArray(member)
              ? list(member).map((row) => (isFields(row) ? change(row) : row))
              : member,
          ]),
        )
      : value;
}

/** Each device, in its list and read by its ID. */
function devices(change: (row: Fields) => Json): Answer {
  return (value, path) => {
    if (path === '/v1/devices') return rows(change)(value, path);
    return /^\/v1\/devices\/[^/]+$/.test(path) && isFields(value) ? change(value) : value;
  };
}

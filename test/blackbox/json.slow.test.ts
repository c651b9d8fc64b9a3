import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printJson } from '../../src/shell/output.ts';
import { createProgram } from '../../src/cli/program/program.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { resolvedJson } from '../../src/render/outputs/decisions.ts';
import { createPlace, PATIENCE, type Env } from '../support/blackbox.ts';
import { committed } from '../support/blackbox-record.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const SCHEMAS = new URL('../../schemas/', import.meta.url);
const NAMES = readdirSync(new URL('output/', SCHEMAS)).map((file) => file.split('.')[0] ?? '');

/** Every JSON of a command, and the schema that it has to fit; those below `apply` come after a run. */
const LIFT = 'unpause fleet --reason bright --format json';

const PRINTED: readonly (readonly [args: string, schema: string])[] = [
  ['validate --format json', 'validate'],
  ['validate --fleet wrong --format json', 'validate'],
  ['validate --fleet fleet --fleet wrong --format json', 'fleets'],
  ['status --fleet fleet --fleet wrong --format json', 'fleets'],
  ['explain --format json', 'explain'],
  ['explain firmware.version --format json', 'explain'],
  ['plan --format json', 'plan'],
  ['plan --horizon 30d --format json', 'plan-horizon'],
  ['show plan.json --format json', 'show'],
  ['status --format json', 'status'],
  ['why dev-1 --format json', 'why'],
  ['why dev-11 --format json', 'why'],
  ['why fleet/policies/rotations.yaml:4 --format json', 'who'],
  ['drift --format json', 'drift'],
  ['doctor --format json', 'doctor'],
  ['report --format json', 'report'],
  ['report compliance --format json', 'report'],
  ['import --dry-run --format json', 'import'],
  ['rehearse --horizon 2d --runs 2 --format json', 'rehearse'],
  ['withdraw rotations.camera-passwords --reason wrong --format json', 'withdraw'],
  ['audit --format json', 'audit'],
  ['audit verify --format json', 'audit-verify'],
  ['recover --format json', 'apply'],
  ['unlock --reason stuck --by Ada --format json', 'unlock'],
  ['pause fleet --reason dark --until 2099-01-01T00:00:00Z --format json', 'pause'],
  [LIFT, 'apply'],
  ['init --fleet first --force --format json', 'init'],
  ['get devices -o json', 'get-list'],
  ['get sites -o json', 'get-list'],
  ['get device dev-11 -o json', 'get-item'],
  ['get certificates dev-11 -o json', 'get-item'],
  ['plan --fleet wrong --format json', 'error'],
  ['plan --fleet nowhere --format json', 'error'],
  ['plan --format json --bogus', 'error'],
  ['show none.json --format json', 'error'],
  ['show edited.json --format json', 'error'],
  ['apply edited.json --yes --format json', 'error'],
  ['apply plan.json --yes --approved another --format json', 'error'],
  ['resolve nobody --as done --reason looked --by Ada --format json', 'error'],
  ['pause rotations.nowhere --reason dark --by Ada --format json', 'error'],
  ['why nobody --format json', 'error'],
  ['get device nobody -o json', 'error'],
];

const ALL: readonly (readonly [args: string, schema: string])[] = [
  ['apply --yes --format json', 'apply'],
  ['apply plan.json --yes --format json', 'apply'],
  ['twin --format json', 'twin'],
  ...PRINTED,
];

const WRONG = `service: {baseUrl: https://api.example.com, organization: acme, pase: {}}
sites: {HQ: {timeZone: Europe/Berln}}
`;

describe('what commands print as JSON', PATIENCE, () => {
  const place = createPlace();
  const said = new Map<string, unknown>();
  let twin: TwinProcess;

  beforeAll(async () => {
    committed(place);
    twin = await startTwin(place, { devices: 30 });
    const env: Env = twin.as('admin');
    mkdirSync(place.path('wrong'));
    place.write('wrong/fleet.yaml', WRONG);
    const keep = async (args: string): Promise<void> => {
      // What names the service of one fleet is refused with several.
      const isSeveral = args.split('--fleet').length > 2;
      said.set(args, JSON.parse((await place.run(args, isSeveral ? {} : env)).out));
    };
    await place.run('plan -o plan.json', env);
    const plan = readFileSync(place.path('plan.json'), 'utf8');
    place.write('edited.json', plan.replace('"wait"', '"run"'));
    await keep('apply --yes --format json');
    // Its approved changes are done by now, or stale.
    await keep('apply plan.json --yes --format json');
    for (const [args] of PRINTED) await keep(args);
    said.set('twin --format json', twin.ready);
  }, PATIENCE.timeout);
  afterAll(() => place[Symbol.dispose]());

  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allErrors: true,
    allowUnionTypes: true,
  });
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8')) as object;
  ajv.addSchema(read('plan.schema.json'));
  ajv.addSchema(read('dialect.schema.json'));
  for (const name of NAMES) ajv.addSchema(read(`output/${name}.schema.json`));

  it.each(ALL)('%s fits the schema %s, with its version and RFC 3339 everywhere', (args, name) => {
    const printed = said.get(args);
    const check = ajv.getSchema(`https://schemas.fleetform.example/output/${name}.schema.json`);
    expect(check?.(printed), JSON.stringify(check?.errors)).toBe(true);
    expect(Object.keys(printed as object)[0]).toBe('version');
    expect(name.startsWith('get-') ? [] : [...strange(printed, '')]).toEqual([]);
  });

  it('unpause names what it lifted', () => {
    expect(said.get(LIFT)).toMatchObject({ lifted: [{ scope: 'fleet', what: 'pause' }] });
  });

  it.each([1, 2])('resolve of %s fits its schema', async (count) => {
    const intent = { id: 'i-1', task: 'restartDevice', device: 'dev-1', policy: 'restarts.dark' };
    const by = { resolution: 'notDone', who: 'Ada', why: 'looked' } as const;
    let out = '';
    const output = { write: (text: string) => (out += text), isTerminal: false, columns: 80 };
    const intents = Array.from(
      { length: count },
      () => ({ ...intent, task: 'restartDevice' }) as const,
    );
    await printJson(output, resolvedJson(intents, by));
    const check = ajv.getSchema('https://schemas.fleetform.example/output/resolve.schema.json');
    expect(check?.(JSON.parse(out)), JSON.stringify(check?.errors)).toBe(true);
  });

  it('every command that prints JSON has a schema, and every schema a command', () => {
    const commands = jsonCommands(
      createProgram({ out: {}, err: {} } as Shell, () => undefined),
      [],
    );
    const schemaOf = (name: string) => SEVERAL[name] ?? [name.replaceAll(' ', '-')];
    const wanted = commands.flatMap(schemaOf);
    expect(wanted.filter((name) => !NAMES.includes(name))).toEqual([]);
    // Not of one command as a whole: of all, of several fleets, of a flag, of a line of ndjson, of what is sent.
    const others = ['error', 'common', 'fleets', 'plan-horizon', 'event', 'notification'];
    const known = new Set([...wanted, ...others]);
    expect(NAMES.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Commands that print in one of several forms, or in that of another. */
const SEVERAL: Readonly<Record<string, readonly string[]>> = {
  get: ['get-list', 'get-item'],
  recover: ['apply'],
  unpause: ['apply'],
  why: ['why', 'who'],
  audit: ['audit', 'audit-verify'],
};

function jsonCommands(command: Command, names: readonly string[]): readonly string[] {
  const own = command.options.some(({ argChoices }) => argChoices?.includes('json'));
  return [
    ...(own ? [names.join(' ')] : []),
    ...command.commands.flatMap((each) => jsonCommands(each, [...names, each.name()])),
  ];
}

/** Instants that are no RFC 3339: numbers as high as milliseconds are, and dates in another form. */
function* strange(value: unknown, at: string): Generator<string> {
  // Examples of `explain` are values of documents, which have local times.
  if (at.endsWith('/examples')) return;
  // The list of changes of the service has days.
  if (/^\/changes\/\d+\/date$/.test(at)) return;
  if (typeof value === 'number' && value > 100_000_000_000) yield `${at} ${value}`;
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !RFC3339.test(value))
    yield `${at} ${value}`;
  if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* strange(member, `${at}/${key}`);
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

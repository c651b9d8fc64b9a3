import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { run } from '../../src/cli/program/run-command-line.ts';
import { quiet } from '../../src/rehearse/virtual-clock.ts';
import { createTwin } from '../../src/twin/twin.ts';
import type { WorldState } from '../../src/twin/world/state.ts';
import { SECRET } from '../simulation/brief.ts';
import { chanceOf } from '../simulation/chance.ts';
import { draft } from '../simulation/drafting.ts';
import { featuresOf } from '../simulation/features.ts';
import { CREDENTIALS } from '../simulation/process.ts';
import { HOUR, head, OURS, setScene } from '../simulation/scene.ts';
import { textOf, type Fields } from '../simulation/wishes.ts';
import { caseNight, dialectCases } from '../support/doctor-case.ts';
import { createNight, EVENING, type Night, type NightSettings } from '../support/night.ts';

interface Shapes {
  readonly SHAPES: Readonly<
    Record<'few' | 'wide', { readonly sites: number; readonly models: number }>
  >;
  readonly WANTED: string;
  readonly BEHIND: readonly string[];
  modelName(at: number): string;
  siteName(at: number): string;
  documentsText(shape: string, policies: number, url: string): string;
}

/** What the benches plan. */
const { SHAPES, WANTED, BEHIND, modelName, siteName, documentsText } = (await import(
  new URL('../bench/shapes.mjs', import.meta.url).href
)) as Shapes;

/** What runs a command line, and where each request to the service is noted. */
export interface Player {
  readonly run: typeof run;
  readonly requests: string[];
}

/** A fleet with documents, and the command lines that are tried on it; a number is time that passes. */
export interface Case {
  readonly name: string;
  readonly commands: readonly (string | number)[];
  night(player: Player): Night | Promise<Night>;
}

const DAY = [
  'plan --format json',
  'why dev-1 --format json',
  'apply --yes --format json',
  5 * HOUR,
  'apply --yes --wait 30m --format json',
  7 * HOUR,
  'apply --yes --format json',
  'status --format json',
  'plan --format json',
];
const WHOLE = ['validate --format json', ...DAY, 'drift --format json'];
const SIZE = {
  few: { devices: 120, policies: 60 },
  wide: { devices: 300, policies: 100 },
} as const;

/** So many random fleets, every fifteenth of a large shape, then the demo fleet and the dialects. */
export function casesOf(fleets: number, seed: number): readonly Case[] {
  const random = Array.from({ length: fleets }, (_, at) => {
    const own = seed + at;
    if (at % 45 === 3) return large(own, 'wide');
    return at % 15 === 3 ? large(own, 'few') : small(own);
  });
  return [...random, demo(), ...dialects()];
}

/** A fleet of the simulation with its first documents, without faults. */
function small(seed: number): Case {
  return {
    name: `fleet ${seed}`,
    commands: DAY,
    night(player) {
      const scene = setScene(seed);
      const { start } = scene.brief;
      const { state } = scene.twin.world;
      return written(textOf(head(scene).wishes), { world: state, start }, player);
    },
  };
}

/** A fleet of a shape of the bench: its globs, groups, tags and ranges beside the documents of a simulated fleet. */
function large(seed: number, shape: keyof typeof SIZE): Case {
  return {
    name: `fleet ${seed} (${shape})`,
    commands: WHOLE,
    night(player) {
      const world = worldOf(seed, shape);
      const { devices, sites, discovered } = world;
      const wishes = draft({
        seed,
        has: featuresOf(seed),
        start: EVENING,
        end: EVENING + 24 * HOUR,
        sites: sites.map(({ name }) => name),
        devices: devices.map(({ id }) => id),
        discovered: discovered.map(({ device }) => device.id),
      });
      const bench = parse(
        documentsText(shape, SIZE[shape].policies, 'https://twin.test'),
      ) as Record<string, Fields>;
      const both = (name: 'sites' | 'groups' | 'windows' | 'firmware'): Fields => ({
        ...bench[name],
        ...(name === 'sites' ? {} : wishes[name]),
      });
      const merged = Object.fromEntries(
        (['sites', 'groups', 'windows', 'firmware'] as const).map((name) => [name, both(name)]),
      );
      const text = textOf({ ...wishes, ...merged, service: bench['service'] ?? {} });
      return written(text, { world, start: EVENING }, player);
    },
  };
}

function worldOf(seed: number, shape: keyof typeof SIZE): WorldState {
  const { sites, models } = SHAPES[shape];
  const clock = { now: () => EVENING };
  const { state } = createTwin({
    clock,
    devices: SIZE[shape].devices,
    sites,
    seed,
    users: [{ userName: OURS, role: 'admin', ...CREDENTIALS }],
  }).world;
  const chance = chanceOf(seed, 'world');
  for (const [at, site] of state.sites.entries()) site.name = siteName(at);
  for (const [at, device] of state.devices.entries()) {
    if (device.deviceType !== 'camera') continue;
    const model = modelName(chance.int(0, models - 1));
    const firmwareVersion = chance.is(0.3) ? chance.pick(BEHIND) : WANTED;
    const name = `${chance.pick(['lobby-cam', 'gate', 'dock-cam'])}-${at}`;
    Object.assign(device, { vendor: 'Axis', model, firmwareVersion, name });
  }
  const line = {
    vendor: 'Axis',
    models: Array.from({ length: models }, (_, at) => modelName(at)),
    releases: [...BEHIND, WANTED],
    approved: [WANTED],
    waypoints: [],
    lifeCycle: 'current_product' as const,
    flaws: [],
  };
  return { ...state, lines: [line, ...state.lines] };
}

/** The documents of `fleetform twin --demo` and its fleet. */
function demo(): Case {
  return {
    name: 'demo',
    commands: WHOLE,
    night(player) {
      const night = createNight({ devices: 1000, sites: 12, ...playing(player) });
      const examples = fileURLToPath(new URL('../../fleet', import.meta.url));
      cpSync(examples, join(night.folder, 'fleet'), { recursive: true });
      return night;
    },
  };
}

function dialects(): readonly Case[] {
  return dialectCases().map((service) => ({
    name: `dialect ${service.name}`,
    commands: ['doctor --format json', 'import --dry-run --format json', 'plan --format json'],
    night: (player) => caseNight(service, playing(player)),
  }));
}

function written(text: string, settings: Partial<NightSettings>, player: Player): Night {
  const night = createNight({ devices: 0, sites: 0, ...settings, ...playing(player) });
  night.write('fleet/fleet.yaml', text);
  return night;
}

/**
 * Lets the build run every command, and notes all that it asks of the service. Requests are served one by one, each when
 * all else has come to rest, or no two runs would be alike.
 */
function playing({ run, requests }: Player): Pick<NightSettings, 'run' | 'through' | 'env'> {
  let before: Promise<unknown> = Promise.resolve();
  return {
    run,
    env: { [SECRET.name]: SECRET.value },
    through: async (request, handle) => {
      const { method, url } = request;
      const { pathname, search } = new URL(url);
      const body = method === 'POST' ? await request.clone().text() : '';
      requests.push(`${method} ${pathname}${search} ${body}`.trim());
      const answer = before.then(() => quiet()).then(() => handle(request));
      before = answer.catch(() => undefined);
      return answer;
    },
  };
}

import type { components } from '../../service.gen.ts';
import type { Flaw, ProductLine } from './state.ts';

type TargetFirmware = components['schemas']['TargetFirmware'];
type FirmwarePath = components['schemas']['FirmwarePath'];

/** Facts about one version of a model, shared by all devices that run it. */
export interface FirmwareFacts {
  /** Undefined for a model without a product line in the world. */
  readonly line: ProductLine | undefined;
  readonly flaws: readonly Flaw[];
  readonly worst: Flaw['severity'] | undefined;
  /** The first version without known vulnerabilities, if this one has some. */
  readonly patched: string | undefined;
  readonly targets: readonly (TargetFirmware & { version: string; path: readonly string[] })[];
  readonly isLatest: boolean;
}

export interface Firmware {
  facts(vendor: string, model: string, version: string): FirmwareFacts;
  paths(): readonly FirmwarePath[];
}

const SEVERITIES: readonly Flaw['severity'][] = ['critical', 'high', 'medium', 'low'];

export function createFirmware(lines: readonly ProductLine[]): Firmware {
  const lineByModel = new Map(
    lines.flatMap((line) => line.models.map((model) => [`${line.vendor}/${model}`, line])),
  );
  const known = new Map<string, FirmwareFacts>();
  return {
    facts(vendor, model, version) {
      const key = `${vendor}/${model}/${version}`;
      const facts = known.get(key) ?? computeFacts(lineByModel.get(`${vendor}/${model}`), version);
      known.set(key, facts);
      return facts;
    },
    paths: () => lines.flatMap(upgradePaths),
  };
}

function computeFacts(line: ProductLine | undefined, version: string): FirmwareFacts {
  if (line === undefined) {
    const nothing = { flaws: [], worst: undefined, patched: undefined, targets: [] };
    return { line, ...nothing, isLatest: true };
  }
  const at = line.releases.indexOf(version);
  const flaws = line.flaws.filter((flaw) => at < line.releases.indexOf(flaw.fixedIn));
  const fixes = flaws.map((flaw) => line.releases.indexOf(flaw.fixedIn));
  return {
    line,
    flaws,
    worst: SEVERITIES.find((severity) => flaws.some((flaw) => flaw.severity === severity)),
    patched: line.releases[Math.max(...fixes)],
    targets: targetsFrom(line, version),
    isLatest: at >= line.releases.indexOf(line.approved.at(-1) ?? ''),
  };
}

/** The targets of a version: given ones, else what is approved and newer. */
function targetsFrom(line: ProductLine, version: string): FirmwareFacts['targets'] {
  const given = line.targets?.find(({ from }) => from === version);
  if (given) return given.paths.map((path) => ({ version: path.at(-1) ?? '', path }));
  const at = line.releases.indexOf(version);
  return line.approved
    .filter((target) => line.releases.indexOf(target) > at)
    .map((target) => ({
      version: target,
      path: upgradePath(line, at, line.releases.indexOf(target)),
    }));
}

/** The waypoints strictly between two releases, then the target. */
function upgradePath(line: ProductLine, from: number, to: number): readonly string[] {
  return line.releases.filter(
    (release, index) =>
      index === to || (index > from && index < to && line.waypoints.includes(release)),
  );
}

function upgradePaths(line: ProductLine): readonly FirmwarePath[] {
  return line.models.flatMap((model) =>
    line.releases.flatMap((from) =>
      targetsFrom(line, from).map(({ version, path }) => {
        return { vendor: line.vendor, model, from, to: version, path };
      }),
    ),
  );
}

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Site } from '../model/fleet/device.ts';
import type { ForgeKind } from '../model/ports.ts';
import { jsonText } from '../lib/json-text.ts';

export interface RepositoryFacts {
  readonly baseUrl?: string;
  readonly organization?: string;
  /** The forge to write jobs for; absent: none is known, and none are written. */
  readonly ci?: ForgeKind;
  /** The host of GitHub, where it is a server of its own. */
  readonly host?: string;
  readonly branch: string;
  readonly isBranchNamed: boolean;
  /** Sites of the service; empty without access to it. */
  readonly sites: readonly Site[];
  /**
   * The folder in which fleetform is installed and run, from the repository root; empty for the
   * root.
   */
  readonly home: string;
  /** The folder of the documents, relative to `home`. */
  readonly fleet: string;
  /** Whether this is the repository of fleetform itself, which is built instead of installed. */
  readonly isOwn: boolean;
  /** The schema that editors read, relative to `home`. */
  readonly schema: string;
  /** What an approval is; absent: the commit. */
  readonly approval?: 'commit' | 'plan';
  readonly pins?: Pins;
  /** The team that reviews all that decides what runs; absent: a person fills it in. */
  readonly owners?: string;
  /** The time zone of every site; absent: a person fills it in. */
  readonly timeZone?: string;
}

/** What jobs pin of the ground (protocol M4): documents that differ stop them. */
export interface Pins {
  readonly organization?: string;
  readonly ledger: string;
  readonly approval: 'commit' | 'plan';
}

/** A file to write; the path starts at the repository root. */
export interface FirstFile {
  readonly path: string;
  readonly text: string;
}

/** The folder whose folders are fleets, where a repository has several. */
export const FLEETS = 'fleet';

/** The name of one fleet among several; undefined for the only fleet of a repository. */
export function fleetName({ fleet }: Pick<RepositoryFacts, 'fleet'>): string | undefined {
  const [name, folder] = fleet.split('/').reverse();
  return folder === FLEETS ? name : undefined;
}

/** Each of several fleets has a ledger of its own; its facts are on the branch beside it. */
export function ledgerBranch(name: string | undefined): string {
  return name === undefined ? 'fleetform-ledger' : `fleetform-${name}-ledger`;
}

/** The remote of a ledger that is one of several, for any name. */
export function ledgerPinOf(name: string | undefined): string {
  return `git:origin#${ledgerBranch(name)}`;
}

/** The variables of jobs that pin the ground of one fleet. */
export function pinVariables({ organization, ledger, approval }: Pins): Variables {
  return {
    ...(organization !== undefined && { FLEETFORM_ORGANIZATION: organization }),
    FLEETFORM_LEDGER: ledger,
    FLEETFORM_APPROVAL: approval,
  };
}

/**
 * The variables of jobs that are the same for each of several fleets: each pins the ledger that bears the name of
 * its fleet, unless this fleet has another one.
 */
export function sharedPins(
  { fleet, pins }: Pick<RepositoryFacts, 'fleet' | 'pins'>,
  name: string,
): Variables {
  return pins?.ledger === ledgerPinOf(fleetName({ fleet }))
    ? { FLEETFORM_LEDGER: ledgerPinOf(name) }
    : {};
}

type Variables = Readonly<Record<string, string>>;

export function variableLines(indent: string, variables: Variables): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${indent}${name}: ${jsonText(value, 0)}\n`,
  );
  return lines.join('');
}

/**
 * Who reviews what: pipelines stand at the top of a repository, documents and files of the tool in its home. What several
 * organizations share has owners of its own. The lines are comments until a team is named.
 */
export function ownersText(name: string, { home, fleet, owners }: RepositoryFacts): string {
  const isOfAll = fleetName({ fleet }) !== undefined;
  const documents = isOfAll ? posix.dirname(fleet) : fleet;
  const placed = readMarked(name, isOfAll).replaceAll(
    /(?<=^# )\/(?!\.git)(\S+)/gm,
    (_, path: string) => {
      return `/${posix.join(
        home,
        path.replace(/^fleet(?=\/)/, () => documents),
      )}`.replaceAll(' ', '\\ ');
    },
  );
  if (owners === undefined) return placed;
  return placed.replace(/^# FILL IN.*\n/, '').replace(/^# (\/.*) @\S+$/gm, `$1 ${owners}`);
}

const TEMPLATES = new URL('./templates/', import.meta.url);

const INSTALL = 'npm ci --ignore-scripts --no-audit --no-fund';

/** The commands of jobs that read the documents. */
const READING =
  /(?<=node "\$FLEETFORM" )(?:ci (?:plan(?! --find)|publish(?= --plan)|apply|drift|look|approve)|(?:un)?pause|ledger move)\b/g;

export function readTemplate(name: string): string {
  return readFileSync(new URL(name, TEMPLATES), 'utf8');
}

/**
 * A workflow for the only fleet of a repository, or for each of several. Lines of its template that begin with `1|` or
 * `n|` are of one of them alone, as is a text in `[n:]`; `@name` stands for the lines of that name in `parts.yml`.
 */
export function readWorkflow(name: string, isOfAll: boolean): string {
  const parts = new Map(
    [...readTemplate('workflows/parts.yml').matchAll(/^@(\w+)\n((?: .*\n)+)/gm)].map(
      ([, part = '', lines = '']) => [part, lines],
    ),
  );
  const filled = (text: string): string =>
    text.replaceAll(/^ +@(\w+)\n/gm, (_, part: string) => filled(parts.get(part) ?? ''));
  return filled(readMarked(`workflows/${name}.yml`, isOfAll));
}

/** A template for the only fleet, or for each of several: its lines and texts of the other are left out. */
export function readMarked(name: string, isOfAll: boolean): string {
  return readTemplate(name)
    .replaceAll(isOfAll ? /^1\|.*\n/gm : /^n\|.*\n/gm, '')
    .replaceAll(/^[1n]\|/gm, '')
    .replaceAll(/\[n:(.*?)\]/g, isOfAll ? '$1' : '');
}

/** Jobs that build the tool from the sources they check out, as this repository does. */
export function withOwnTool(text: string): string {
  return text
    .replaceAll('node_modules/fleetform/dist/main.js', 'dist/main.js')
    .replaceAll(INSTALL, `${INSTALL} && npm run build`);
}

/** Jobs whose commands read documents in the folder that the variable FLEET names. */
export function withFleetVariable(text: string): string {
  return text.replaceAll(READING, (command) => `${command} --fleet "$FLEET"`);
}

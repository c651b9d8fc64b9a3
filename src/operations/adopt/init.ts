import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { listPolicies } from '../../model/documents/policies.ts';
import type { DocumentFile, Documents, ServiceSettings } from '../../model/documents/policy.ts';
import type { Site } from '../../model/fleet/device.ts';
import { pathFrom, placeOf } from '../../config/fleet-place.ts';
import type { Loaded } from '../../config/load.ts';
import { DEFAULT_PACE, loadedDocuments, checkTimeZone, packageName, jsonFile } from './settings.ts';
import { replaceFile } from '../../store/local-file.ts';
import { leaveSchema, schemaOf } from './editor-schema.ts';
import { findHome, type Place } from './home-folder.ts';
import { withConnection } from '../connect.ts';
import { readSites } from '../intervene/pause.ts';
import { simulatorCredentials, simulatorHere } from '../simulator.ts';
import { ledgerPin } from '../ground/pins.ts';
import { resolveTarget } from '../target.ts';
import { firstFiles } from '../../init/first-files.ts';
import { readSigned, signed } from '../../init/signed-file.ts';
import {
  fleetName,
  ledgerPinOf,
  type FirstFile,
  type Pins,
  type RepositoryFacts,
} from '../../init/template.ts';
import { checkFleetName, checkLayout } from '../find-fleets.ts';
import { branchForJobs } from '../gate/default-branch.ts';
import { chooseForge, type ChosenForge } from '../gate/forge.ts';
import { missingCredentials } from '../../shell/credentials.ts';
import type { InitSummary } from '../../render/words/documents/init-words.ts';
import { requireFolder } from '../../store/files.ts';
import { firstText } from '../../git/first-parents.ts';
import { remoteGit } from '../../git/git.ts';
import { parseBase } from '../../api/base-url.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { pick } from '../../lib/objects.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { usage } from '../../model/error.ts';

/** Without `ci`: the forge that the repository shows, if any. */
interface InitFlags extends Partial<
  Pick<RepositoryFacts, 'organization' | 'timeZone' | 'branch' | 'ci' | 'owners' | 'approval'>
> {
  readonly fleet: string;
  readonly service?: string;
  readonly force?: boolean;
}

const IGNORE = '.gitignore';
const SERVICE = 'service.yaml';
const SITES = 'sites.yaml';
/** The local ledger, what npm installs, and files of plans and snapshots, which name devices. */
const IGNORED = [
  '.fleetform/',
  'node_modules/',
  '.env',
  '*.snapshot',
  'plan*.json',
  'fleetform-*.json',
  'fleetform-*.html',
];

/**
 * Writes a first fleet without any question, and its workflows where a forge is known. It takes values
 * from git, the environment and the service, and marks the rest in the files. Offline it leaves out
 * the sites. Files that exist are kept; `force` replaces those that an earlier `init` wrote and nobody edited since. `--service` changes
 * the address in a document that has one, and `--organization` beside it the organization, which unedited jobs pin.
 */
export async function initFleet(shell: Shell, flags: InitFlags): Promise<InitSummary> {
  const place = findHome(shell);
  const chosen = await chooseForge(shell, place.root, flags.ci);
  checkOwners(flags.owners, chosen);
  checkGate(flags.approval, chosen);
  const there = await loadedDocuments(flags, shell);
  const service = there?.documents?.service ?? there?.service;
  const facts = await findOut(flags, shell, { ...place, chosen, service });
  const edits = editsOf(flags, service);
  const pins = pinsFor(facts, service, edits);
  checkNames({ ...pins }, chosen);
  const found = facts.isOwn ? facts : { ...facts, pins };
  const files = await placeFiles([...firstFiles(found), ...ignoreFile(shell)], shell, {
    ...place,
    there,
  });
  const replaces = ({ path }: Placed): boolean =>
    flags.force === true ||
    (path.endsWith('.yml') && edits.some(([field]) => field === 'organization'));
  const existing = await findKept(files, replaces, shell, place);
  const written = files.map(({ path }) => path).filter((path) => !existing.includes(path));
  for (const file of files) if (!existing.includes(file.path)) await write(file, replaces(file));
  const schema = await leaveSchema(place.home);
  const changed = editService(fleetFolder(shell, flags.fleet), service, edits);
  const described = changed.length > 0 ? describing(there?.documents) : [];
  return {
    written: schema === undefined ? written : [...written, relative(place.folder, schema)],
    changed,
    existing: existing.filter(
      (path) => ![...changed, ...described].includes(path.replaceAll(sep, '/')),
    ),
    described,
    ...findUnknown(found, shell, { ...flags, documented: service?.value.approval.is }, existing),
    isPinned: isPinned(place),
    ...forgeFound(chosen),
    fillIn: PLACEHOLDERS.filter(([, ...mark]) => isMarked(files, ...mark)).map(([field]) => field),
    next: nextStep(there?.documents, files, written),
  };
}

function forgeFound(chosen: ChosenForge | undefined) {
  if (!chosen) return {};
  const { kind: ci, from: ciFrom, server } = chosen;
  return { ci, ciFrom, ...(server && { server }) };
}

/** The sites that were written, the values that were missing to read them, and the flags that were for a file that was kept. */
function findUnknown(
  found: RepositoryFacts,
  { env }: Shell,
  flags: GivenFlags,
  existing: readonly string[],
) {
  const remains = (name: string): boolean => existing.some((path) => path.endsWith(name));
  const sites = remains(SITES) ? 0 : found.sites.length;
  const name = fleetName(found);
  return {
    sites,
    unasked: remains(SITES) || sites > 0 ? [] : missingToAsk(found, env),
    unused: unusedFlags(flags, remains),
    ...(name !== undefined && { organization: name }),
  };
}

/** A file to write, with its path relative to the working directory. */
interface Placed extends FirstFile {
  readonly full: string;
}

async function findOut(
  flags: InitFlags,
  shell: Shell,
  place: Place & {
    readonly chosen: ChosenForge | undefined;
    readonly service: Documents['service'] | undefined;
  },
): Promise<RepositoryFacts> {
  const found = await findService(flags, shell, place.service);
  const { baseUrl, organization } = found;
  if (baseUrl !== undefined) await checkAddress(baseUrl);
  await checkTimeZone(flags.timeZone);
  const sites =
    baseUrl === undefined || organization === undefined
      ? []
      : await sitesAt({ baseUrl, organization }, flags, shell);
  const { chosen } = place;
  const names = await findNames(flags, shell, place);
  checkLayout(shell, flags.fleet, fleetName(names) !== undefined);
  checkNames(names, chosen);
  const own = fleetName(names);
  if (own !== undefined) checkFleetName(names.fleet, own);
  return {
    ...found,
    sites,
    ...names,
    ...(chosen && { ci: chosen.kind }),
    ...(chosen?.server && { host: chosen.server.host }),
    isBranchNamed: flags.branch !== undefined,
    isOwn: packageName(place.home) === 'fleetform',
    schema: schemaOf(place.home),
    approval: isGated(flags, place.service) ? 'plan' : 'commit',
    ...pick(flags, 'timeZone', 'owners'),
  };
}

/** Whether changes need an approval of their plan, and so a gate: documents that are there may say it as well as the flag. */
function isGated({ approval }: InitFlags, service: Documents['service'] | undefined): boolean {
  return approval === 'plan' || service?.value.approval.is === 'plan';
}

/** What flags and environment name, with credentials also documents, else the simulator of this directory. */
async function findService(
  { service, organization }: InitFlags,
  shell: Shell,
  documented: Documents['service'] | undefined,
): Promise<Pick<RepositoryFacts, 'baseUrl' | 'organization'>> {
  const { env } = shell;
  const asks = missingCredentials(env).length === 0;
  const address =
    service ?? (env['FLEETFORM_BASE_URL'] || (asks ? documented?.value.baseUrl : undefined));
  const simulator = address === undefined ? await simulatorHere(shell) : undefined;
  const baseUrl = address ?? simulator?.url;
  const named =
    organization ??
    (env['FLEETFORM_ORGANIZATION'] || simulator?.organization || documented?.value.organization);
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(named !== undefined && { organization: named }),
  };
}

/** Throws `usage` for a name that would be an expression in a job. */
function checkNames(
  names: Readonly<Record<string, string>>,
  chosen: ChosenForge | undefined,
): void {
  const expression = chosen?.kind === 'gitlab' ? '$' : '${{';
  for (const name of Object.values(names))
    if (name.includes(expression)) throw usage(`"${name}" cannot be part of a workflow`);
}

/** Throws `usage` for owners that no forge could read, or that no file would name. */
function checkOwners(owners: string | undefined, chosen: ChosenForge | undefined): void {
  if (owners === undefined) return;
  if (!/^(?:@[\w.-]+(?:\/[\w.-]+)*|[^\s@#]+@[\w.-]+)$/.test(owners))
    throw usage(`"${owners}" is no owner; write @TEAM, @ORGANIZATION/TEAM or an email address`);
  if (!chosen) throw usage('--owners needs a forge; add `--ci github` or `--ci gitlab`');
}

/** Throws `usage` for a gate that nobody could pass. */
function checkGate(approval: InitFlags['approval'], chosen: ChosenForge | undefined): void {
  const { host, product } = chosen?.server ?? {};
  if (approval === 'plan' && product === 'Gitea or Forgejo')
    throw usage(`--approval plan: nobody reviews on ${host} (${product}); use another gate`);
}

/** What jobs name: a branch and folders. */
async function findNames(
  flags: InitFlags,
  shell: Shell,
  { root, folder, home, chosen }: Place & { readonly chosen: ChosenForge | undefined },
) {
  const fleet = join(folder, relative(shell.cwd, fleetFolder(shell, flags.fleet)));
  return {
    // GitLab names it to its jobs.
    branch: flags.branch ?? (chosen?.kind === 'github' ? await branchForJobs(shell, root) : 'main'),
    home: pathFrom(root, home),
    fleet: pathFrom(home, fleet),
  };
}

/**
 * Throws `baseUrlUnsafe` for an address that no other command would accept, before it is written
 * into a document.
 */
async function checkAddress(baseUrl: string): Promise<void> {
  resolveTarget({ baseUrl, organization: '' }, undefined, {});
  parseBase(baseUrl);
}

/** The sites that the service shows; none without credentials. */
async function sitesAt(
  at: { readonly baseUrl: string; readonly organization: string },
  flags: InitFlags,
  shell: Shell,
): Promise<readonly Site[]> {
  const isOwn = (await simulatorCredentials(shell, at.baseUrl)) !== undefined;
  if (!isOwn && missingToAsk(at, shell.env).length > 0) return [];
  const settings = { ...at, pace: DEFAULT_PACE, dialect: {} };
  const options = { fleet: flags.fleet, readOnly: true, isLedgerless: true };
  return withConnection(shell, settings, options, readSites);
}

/** The values that are missing to read the service, by the names that a user sets. */
function missingToAsk(
  { baseUrl, organization }: Pick<RepositoryFacts, 'baseUrl' | 'organization'>,
  env: Shell['env'],
): readonly string[] {
  return [
    ...(baseUrl === undefined ? ['--service'] : []),
    ...(organization === undefined ? ['--organization'] : []),
    ...missingCredentials(env),
  ];
}

const NO_SITES = /^sites: \{\}/m;

/** The files with their places, without documents that are not there and repeat an entry of one that is. */
async function placeFiles(
  files: readonly FirstFile[],
  { cwd }: Shell,
  { root, folder, there }: Place & { readonly there: Loaded | undefined },
): Promise<readonly Placed[]> {
  const repeats = await findRepeats(there?.files ?? []);
  const hasService = (there?.documents ?? there)?.service !== undefined;
  const hasSites = (there?.documents?.sites.size ?? 0) > 0;
  return files
    .map((file) => {
      const full = file.path === IGNORE ? join(cwd, IGNORE) : join(root, file.path);
      return { ...file, path: relative(folder, full), full };
    })
    .filter((file) => {
      const isSecond =
        (hasService && file.path.endsWith(SERVICE)) ||
        (hasSites && NO_SITES.test(file.text)) ||
        repeats(file);
      return existsSync(file.full) || !isSecond;
    });
}

/** Whether a document has an entry that one of these has already: an entry stands in one document alone. */
async function findRepeats(
  files: readonly DocumentFile[],
): Promise<(file: Pick<FirstFile, 'path' | 'text'>) => boolean> {
  const { loadTexts } = await import('../../config/load.ts');
  return ({ path, text }) =>
    /^(?!.*(?:^|\/)\.).*\.yaml$/.test(path) &&
    loadTexts([...files, { path, text }]).diagnostics.some(({ code }) => code === 'duplicateName');
}

/** What jobs pin: what documents that are there say, else what the first ones will. */
function pinsFor(
  facts: RepositoryFacts,
  service: Documents['service'] | undefined,
  edits: readonly Edit[],
): Pins {
  const { approval = 'commit', ...named } = facts;
  const { organization } = { ...(service?.value ?? named), ...Object.fromEntries(edits) };
  return {
    ...(organization !== undefined && { organization }),
    ledger: service ? ledgerPin(service.value.ledger) : ledgerPinOf(fleetName(facts)),
    approval: service?.value.approval.is ?? approval,
  };
}

/** The ignore file with the lines that it lacks; none if it lacks none. */
function ignoreFile(shell: Shell): readonly FirstFile[] {
  const path = join(shell.cwd, IGNORE);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const present = new Set(text.split('\n').map(plainPattern));
  const missing = IGNORED.filter((line) => !present.has(plainPattern(line)));
  if (missing.length === 0) return [];
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return [{ path: IGNORE, text: `${text}${end}${missing.join('\n')}\n` }];
}

/** A pattern without the slashes that anchor it or limit it to directories. */
function plainPattern(line: string): string {
  return line.trim().replace(/^\/|\/$/g, '');
}

/** Whether a file exists; the ignore file is only added to. */
function isTaken({ path, full }: Placed): boolean {
  return path !== IGNORE && existsSync(full);
}

/** The files that stay as they are. */
async function findKept(
  files: readonly Placed[],
  replaces: (file: Placed) => boolean,
  shell: Shell,
  place: Place,
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const file of files.filter(isTaken))
    if (!replaces(file) || !(await isUnedited(file, shell, place))) kept.push(file.path);
  return kept;
}

/** Whether nobody edited a file since `init` wrote it: by its last line, or where an earlier version wrote none, by git. */
async function isUnedited({ full }: Placed, { env }: Shell, { root }: Place): Promise<boolean> {
  const text = readFileSync(full, 'utf8');
  const found = readSigned(text);
  if (found !== 'unsigned') return found === 'asWritten';
  const git = remoteGit(root, env, { silence: 30_000 });
  return (await firstText(git, pathFrom(root, full))) === text;
}

/** A file that appeared since the check is not replaced either. */
async function write({ path, text, full }: Placed, replaces: boolean): Promise<void> {
  await requireFolder(dirname(full));
  // A link of that name goes, and what it leads to stays.
  if (path === IGNORE) await replaceFile(full, signed(text));
  else writeFileSync(full, signed(text), { flag: replaces ? 'w' : 'wx' });
}

/** The flags, and the approval that documents have. */
interface GivenFlags extends InitFlags {
  readonly documented: ServiceSettings['approval']['is'] | undefined;
}

/** The flags given that changed nothing, because the document that they are for exists and was kept. */
function unusedFlags(flags: GivenFlags, remains: (name: string) => boolean): readonly string[] {
  const given = (names: readonly [string, unknown][]): readonly string[] =>
    names.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const { organization, approval, documented, timeZone, owners, service, force } = flags;
  return [
    ...(remains('CODEOWNERS') ? given([['--owners', owners]]) : []),
    ...(remains(SERVICE)
      ? given([
          // Beside `--service` it is written into the document.
          ['--organization', service === undefined || force === true ? organization : undefined],
          // The command line gives `commit` by default.
          ['--approval', approval === 'commit' || approval === documented ? undefined : approval],
        ])
      : []),
    ...(remains(SITES) ? given([['--time-zone', timeZone]]) : []),
  ];
}

/** What marks each field in the files that only a person can fill in. */
const PLACEHOLDERS: readonly (readonly [field: string, name: string, mark: RegExp])[] = [
  ['service.baseUrl', SERVICE, /^\s*baseUrl:.*# FILL IN\b/m],
  ['service.organization', SERVICE, /^\s*organization:.*# FILL IN\b/m],
  ['sites.*.timeZone', SITES, /# FILL IN\b/],
];

/** Whether a file on disk has a mark for a person. */
function isMarked(files: readonly Placed[], name: string, mark: RegExp): boolean {
  return files.some(({ full }) => full.endsWith(name) && mark.test(readFileSync(full, 'utf8')));
}

function nextStep(
  documents: Documents | undefined,
  files: readonly Placed[],
  written: readonly string[],
): InitSummary['next'] {
  if (documents && listPolicies(documents).length > 0)
    return written.length > 0 ? 'commit' : 'plan';
  return isMarked(files, SITES, /^ .*# check$/m) ? 'check' : 'import';
}

/** The documents that describe one fleet, by its sites or what they select or except. */
function describing(documents: Documents | undefined): readonly string[] {
  if (!documents) return [];
  const { sites, groups, exceptions } = documents;
  const named = [sites, groups, exceptions].flatMap((entries) => [...entries.values()]);
  const entries = [...named, ...listPolicies(documents)];
  return [...new Set(entries.map(({ at }) => at.file))].sort();
}

/**
 * Whether the lock file of the repository pins the tool and its digest, which the workflows install: from a registry, or
 * from a file that a clone has, too.
 */
function isPinned({ home }: Place): boolean {
  const lock = jsonFile(join(home, 'package-lock.json')) as Lock | undefined;
  const found = lock?.packages?.['node_modules/fleetform'];
  return (
    found !== undefined && found.link !== true && !/^file:(?:\.\.|\/)/.test(found.resolved ?? '')
  );
}

interface Lock {
  readonly packages?: Readonly<
    Record<string, { readonly resolved?: string; readonly link?: boolean }>
  >;
}

/** A quoted or a plain scalar at the start of a text. */
const SCALAR = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,}\]]+)/;

/** A field of `service` and its new value. */
type Edit = readonly [field: 'baseUrl' | 'organization', value: string];

/** What `--service`, and `--organization` beside it, change in documents. */
function editsOf(
  { service: baseUrl, organization, force }: InitFlags,
  service: Sourced<ServiceSettings> | undefined,
) {
  if (baseUrl === undefined || !service || force === true) return [];
  const edits: readonly (readonly [Edit[0], string | undefined])[] = [
    ['baseUrl', baseUrl],
    ['organization', organization],
  ];
  return edits.flatMap(([field, to]): readonly Edit[] =>
    to === undefined || to === service.value[field] ? [] : [[field, to]],
  );
}

/**
 * Writes values into the document that has `service`, with the mark of `init` gone from their lines, and changes nothing
 * else. Returns what it changed. Throws `usage` where the place of an old value is not understood.
 */
function editService(
  folder: string,
  service: Sourced<ServiceSettings> | undefined,
  edits: readonly Edit[],
): readonly string[] {
  if (!service || edits.length === 0) return [];
  for (const [field, to] of edits) {
    const { file, line, column } = locateValue(service, `/${field}`);
    const path = join(placeOf(folder).root, file);
    const lines = readFileSync(path, 'utf8').split('\n');
    const text = lines[line - 1] ?? '';
    const [before, rest] = [text.slice(0, column - 1), text.slice(column - 1)];
    const [old = ''] = SCALAR.exec(rest) ?? [];
    if (!new RegExp(`${field}["']?\\s*:\\s*$`).test(before) || !old.includes(service.value[field]))
      throw usage(`cannot change \`${field}\` in ${file}:${line}; write ${to} there`);
    const after = rest.slice(old.length).replace('# FILL IN; ', '# ').replace(' # FILL IN', '');
    lines[line - 1] = `${before}${JSON.stringify(to)}${after}`;
    writeFileSync(path, lines.join('\n'));
  }
  return [service.at.file];
}

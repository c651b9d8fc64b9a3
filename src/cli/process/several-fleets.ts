import pLimit from 'p-limit';
import { shareRemotes } from '../../git/git.ts';
import { usage, WorldError } from '../../model/error.ts';
import { findAllClear, type Situation } from '../../model/report/all-clear.ts';
import { weightiest } from '../../model/report/exit.ts';
import { chooseFleets, removedFleets, type Fleet } from '../../operations/find-fleets.ts';
import { fleetsBlocks, type FleetResult, type FleetResults } from '../../render/outputs/fleets.ts';
import type { Block } from '../../render/tree.ts';
import { credentialsOf, withOwnNames } from '../../shell/credentials.ts';
import { reportThrown } from '../../shell/failure.ts';
import { OUTPUT_VERSION, print, printBlocks, textStyle } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { longName, type AnyCommand } from '../program/command.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Runs a command once for each of several fleets, four at a time, each as if it were alone and with credentials of its
 * own; those at one service keep to its pace together. Prints their results together, and returns the one exit code of all. Throws `usage`, before anything is read, for
 * flags and variables that are about one fleet, and as `chooseFleets`.
 * @param values those of all flags but the paths
 */
export async function runSeveral(
  declared: AnyCommand,
  paths: readonly string[],
  values: Values,
  shell: Shell,
): Promise<number> {
  const [one] = ofOneFleet(declared, values, shell.env);
  if (one !== undefined) throw usage(`${one} is for one fleet: leave it out, or name one fleet`);
  const named = chooseFleets(shell, paths);
  const base = values['base'];
  const removed = typeof base === 'string' ? await removedFleets(shell, named, base) : [];
  const all = new Map([...named, ...removed].map((each) => [each.folder, each]));
  const folders = [...all.values()];
  const sharing = { ...shell, lanes: new Map() };
  const chosen = folders.flatMap((fleet) => (fleet.why ? [] : [shellOf(fleet, sharing)]));
  shareRemotes(chosen.map(({ env }) => env));
  const turn = pLimit(4);
  const fleets = await Promise.all(chosen.map((own) => turn(() => runOne(declared, values, own))));
  const uncovered = folders.filter(({ why }) => why);
  const isBased = base !== undefined;
  const results = { command: declared.name, fleets, uncovered, at: shell.clock.now(), isBased };
  await printResults(results, values, shell);
  return weightiest(fleets.map(({ exit }) => exit));
}

/** Runs a command for one fleet of several with its own credentials alone (protocol M14). Throws as `chooseFleets`. */
export function runNamed(run: (own: Shell) => Promise<number>, path: string, shell: Shell) {
  const fleet = chooseFleets(shell, [path]).find(({ why }) => !why)?.name ?? '';
  const own = { ...shell, fleet, env: credentialsOf(fleet, shell.env) };
  return run(own).catch((error: unknown) => Promise.reject(withOwnNames(error, fleet)));
}

/** What of a command line is about one fleet, since a file would be that of each; and the pins of a job. */
function ofOneFleet({ flags }: AnyCommand, values: Values, env: Shell['env']): readonly string[] {
  const isGiven = (key: string): boolean => values[key] !== flags[key]?.default;
  const files = Object.keys(flags).filter((key) => /^(FILE|URL)$/.test(flags[key]?.value ?? ''));
  const format = String(values['format']);
  return [
    ...files.filter(isGiven).map(longName),
    ...Object.keys(env).filter((name) => env[name] && PIN.test(name)),
    ...(/^(text|table|json|csv|html)$/.test(format) ? [] : [`--format ${format}`]),
  ];
}

const PIN = /^FLEETFORM_(ORGANIZATION|LEDGER|APPROVAL|BRANCH|BASE_URL)$/;

/** The shell of one fleet: its own environment, no questions, and its name before each line on stderr. */
function shellOf(fleet: Fleet, shell: Shell) {
  const columns = textStyle(shell.err, shell.env).width - fleet.name.length - 2;
  const write = (text: string) => shell.err.write(text.replace(/^(?=.)/gm, `${fleet.name}: `));
  const env = { ...credentialsOf(fleet.name, shell.env), COLUMNS: String(columns) };
  return { ...shell, fleet, env, ask: undefined, err: { isTerminal: false, columns, write } };
}

async function runOne(
  { name: command, flags, run }: AnyCommand,
  given: Values,
  { fleet: { name, folder }, ...shell }: ReturnType<typeof shellOf>,
): Promise<FleetResult> {
  // A page is made of what each prints for people.
  const format = given['format'] === 'html' ? flags['format']?.default : given['format'];
  const json = format === 'json';
  const blocks: Block[] = [];
  const take = (some: readonly Block[]): void => void blocks.push(...some);
  const taking = json || format === 'csv' ? {} : { take };
  let text = '';
  let situation = undefined as Situation | undefined;
  const own: Shell = {
    ...shell,
    fleet: name,
    out: { isTerminal: false, columns: 80, write: (more) => void (text += more), ...taking },
    err: { ...shell.err, ...taking },
    judged: (found) => void (situation = found),
  };
  let exit;
  try {
    if (shell.stop.requested !== 'no') throw new WorldError('stopped', { cause: 'cancelled' });
    exit = await run({ ...given, format, fleet: folder } as never, own);
  } catch (error) {
    text = '';
    exit = await reportThrown(withOwnNames(error, name), { json, reading: command }, own);
  }
  const outcome = weightiest([exit, situation ? findAllClear(situation).exit : exit]);
  return { name, folder, exit, outcome, situation, blocks, text };
}

async function printResults(results: FleetResults, { format, all }: Values, shell: Shell) {
  const { command, fleets } = results;
  if (format === 'json') return print(shell.out, severalJson(results));
  if (format === 'csv') {
    // The names of the columns stand once.
    const texts = fleets.flatMap(({ text }) => (text === '' ? [] : [text]));
    return print(
      shell.out,
      texts.map((text, n) => (n > 0 ? text.replace(/^[^\n]*\n/, '') : text)),
    );
  }
  if (format === 'html') {
    const { fleetsHtml } = await import('../../render/html/pages.ts');
    return print(shell.out, fleetsHtml(results));
  }
  // The problems of documents are the result of `validate`, not only why it failed.
  const wholes = fleets.filter(({ exit }) => all || (command === 'validate' && exit !== 0));
  return printBlocks(shell, fleetsBlocks(results, wholes), all === true ? all : undefined);
}

/** One document in pieces; what the command prints of each fleet stands in it as it is. */
function* severalJson({ command, fleets, uncovered }: FleetResults): Generator<string> {
  yield `{"version": ${OUTPUT_VERSION}, "command": ${JSON.stringify(command)}, "fleets": [`;
  for (const [n, { name, folder, exit, outcome, situation, text }] of fleets.entries()) {
    const own = { name, folder, exit, outcome, columns: situation?.counts };
    const head = JSON.stringify(own).slice(0, -1);
    yield* [`${n > 0 ? ',' : ''}${head},"result":`, text, '}'];
  }
  yield `], "uncovered": ${JSON.stringify(uncovered.map(({ folder, why }) => ({ folder, why })))}}`;
}

import { audit as auditCommand } from '../cli/commands/audit.ts';
import { auditVerify as auditVerifyCommand } from '../cli/commands/audit-verify.ts';
import { drift as driftCommand } from '../cli/commands/drift.ts';
import { explain as explainCommand } from '../cli/commands/explain.ts';
import { get as getCommand } from '../cli/commands/get.ts';
import { initIncident as initIncidentCommand } from '../cli/commands/init-incident.ts';
import { init as initCommand } from '../cli/commands/init.ts';
import { ledgerMove as ledgerMoveCommand } from '../cli/commands/ledger-move.ts';
import { pause as pauseCommand } from '../cli/commands/pause.ts';
import { recover as recoverCommand } from '../cli/commands/recover.ts';
import { resolve as resolveCommand } from '../cli/commands/resolve.ts';
import { printPlan, show as showCommand } from '../cli/commands/show.ts';
import { unlock as unlockCommand } from '../cli/commands/unlock.ts';
import { unpause as unpauseCommand } from '../cli/commands/unpause.ts';
import { why as whyCommand } from '../cli/commands/why.ts';
import { withdraw as withdrawCommand } from '../cli/commands/withdraw.ts';
import type { Command, Flag, Flags } from '../cli/program/command.ts';
import { usage } from '../model/error.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Shell } from '../shell/shell.ts';
import { createFleetShell, type FleetOptions } from './fleet-shell.ts';
import type * as Told from './outputs.gen.ts';

/** What a command of this name prints as JSON, and its exit code. */
export interface CommandDone<T> {
  readonly exit: number;
  /** As its schema in `schemas/output` says; with a `format` that is not JSON, the text. */
  readonly output: T;
}

type Given<F> =
  F extends Flag<infer T>
    ? NonNullable<T> extends boolean
      ? boolean
      : string | number | readonly string[]
    : never;

/** The flags and arguments of a command by their names in camel case, as they are typed: `maxAge: '7d'`. */
export type CommandOptions<F> = Omit<FleetOptions, keyof F> & {
  readonly [K in keyof F]?: Given<F[K]>;
};

type Operation<F, T> = (options?: CommandOptions<F>) => Promise<CommandDone<T>>;

/** Which devices are no longer as `apply` left them. */
export const drift = operation(driftCommand).as<Told.DriftOutput>();
/** Every decision about a device (`name`), or the devices that a line applies to (`name: 'FILE:LINE'`). */
export const why = operation(whyCommand).as<Told.WhyOutput | Told.WhoOutput>();
/** What a `field` of the documents means. */
export const explain = operation(explainCommand).as<Told.ExplainOutput>();
/** Rows of the service: `resource`, `filter`, `select`, `snapshot`. */
export const get = operation(getCommand).as<Told.GetListOutput | Told.GetItemOutput>();
/** Holds a `scope`, or a `site`, with a `reason`. */
export const pause = operation(pauseCommand).as<Told.PauseOutput>();
/** Lifts a `scope`, and finishes what earlier runs started. */
export const unpause = operation(unpauseCommand).as<Told.ApplyOutput>();
/** Finishes what earlier runs started. */
export const recover = operation(recoverCommand).as<Told.ApplyOutput>();
/** Records the outcome of an `intent` in doubt. */
export const resolve = operation(resolveCommand).as<Told.ResolveOutput>();
/** Ends the lock of a run that is gone. */
export const unlock = operation(unlockCommand).as<Told.UnlockOutput>();
/** Takes an approval back. */
export const withdraw = operation(withdrawCommand).as<Told.WithdrawOutput>();
/** The chain from a document to a verified device. */
export const audit = operation(auditCommand).as<Told.AuditOutput>();
/** Whether ledger, notes and documents agree, without the service. */
export const auditVerify = operation(auditVerifyCommand).as<Told.AuditVerifyOutput>();
/** Shows the move of a ledger or a service; with `reason` and `yes`, records it. Its output is text. */
export const ledgerMove = operation(ledgerMoveCommand).as<string>();
/** Writes a first `fleet/`. */
export const init = operation(initCommand).as<Told.InitOutput>();
/** Writes one entry of `incidents`. */
export const initIncident = operation(initIncidentCommand).as<Told.InitOutput>();
/** A saved plan (`file`) in a `format`. */
export const show = operation(showCommand).as<Plan | string>();

/** A plan as `show --format` prints it: text, json, md, html, or ci for the annotations of a job. */
export async function renderPlan(
  plan: Plan,
  format: Parameters<typeof printPlan>[2]['format'],
  options: FleetOptions = {},
): Promise<string> {
  const { shell, printed } = listening(options);
  await printPlan(shell, plan, { format });
  return printed();
}

/**
 * A command of the command line as a function: the same checks, the same effects. Throws what it throws, and `usage` for an
 * option that it cannot read.
 */
function operation<F extends Flags, S extends Flags>(declared: Command<F, S>) {
  const flags: Flags = { ...declared.shared, ...declared.flags };
  const call = async (options: FleetOptions = {}): Promise<CommandDone<unknown>> => {
    const { shell, printed } = listening(options);
    const read = readOptions(flags, options) as Parameters<typeof declared.run>[0];
    const exit = await declared.run(read, shell);
    const isJson = (read as { format?: string }).format === 'json';
    const text = printed();
    return { exit, output: isJson && text !== '' ? JSON.parse(text) : text };
  };
  return { as: <T>() => call as Operation<F & S, T> };
}

function listening(options: FleetOptions): { shell: Shell; printed: () => string } {
  const pieces: string[] = [];
  const shell = createFleetShell(options);
  const out = { ...shell.out, write: (piece: string) => void pieces.push(piece) };
  return { shell: { ...shell, out }, printed: () => pieces.join('') };
}

/** What a command gets of options; JSON where it has that format and none is named. */
function readOptions(flags: Flags, options: object): object {
  const given = new Map(Object.entries({ format: 'json', ...options }));
  const read = Object.entries(flags).map(([name, flag]) => {
    const value: unknown = given.get(name);
    const isMissing = flag.must === true || (flag.isArgument && !flag.value?.startsWith('['));
    if (value === undefined && isMissing) throw usage(`Option "${name}" is required`);
    return [name, value === undefined ? flag.default : readOption(name, flag, value)];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as object;
}

function readOption(name: string, { parse, choices }: Flag, value: unknown): unknown {
  const texts = [value].flat().map(String);
  const wrong = texts.find((text) => choices && !choices.includes(text));
  if (wrong !== undefined)
    throw usage(`Option "${name}" is "${wrong}"; write one of ${choices?.join(', ')}`);
  const read = parse ? parsed(name, parse, texts) : value;
  if (texts.length > 1 && !(parse && Array.isArray(read)))
    throw usage(`Option "${name}" has ${texts.length} values, and takes one`);
  return read;
}

function parsed(
  name: string,
  parse: NonNullable<Flag['parse']>,
  texts: readonly string[],
): unknown {
  try {
    return texts.reduce<unknown>((before, text) => parse(text, before), undefined);
  } catch (error) {
    throw usage(`Option "${name}" is "${texts.join(', ')}". ${(error as Error).message}`);
  }
}

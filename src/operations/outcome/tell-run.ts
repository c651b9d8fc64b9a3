import { WorldError } from '../../model/error.ts';
import { exitOfThrown } from '../../shell/exit.ts';
import { printMessages } from '../../shell/messages.ts';
import { RunEvents, type OnEvent } from '../../shell/run-events.ts';
import type { Output, Shell } from '../../shell/shell.ts';
import type { Here } from '../here.ts';
import { readCommit } from '../repository.ts';

/** A command whose run is told, and who hears it. */
interface Told {
  readonly command: string;
  readonly receive: OnEvent;
  /** Called once, when everything is taken, or is given up. */
  readonly atEnd?: (isTaken: boolean, exit: number) => Promise<void>;
}

/**
 * Runs, and tells a receiver what happens: `run.started` first, `run.ended` last, however it ends. Returns the exit code
 * of the run, or throws what the run threw, whatever the receiver does.
 */
export async function tellRun(
  shell: Shell,
  { command, receive, atEnd }: Told,
  run: (shell: Shell) => Promise<number>,
): Promise<number> {
  const events = new RunEvents(receive, shell.clock, command);
  const end = async (exit: number, next?: string): Promise<void> => {
    const isTaken = await events.end(exit, next);
    await atEnd?.(isTaken, exit);
  };
  try {
    const exit = await run({ ...shell, events });
    await end(exit);
    return exit;
  } catch (error) {
    const { errorWords } = await import('../../render/words/errors.ts');
    const { withOwnNames } = await import('../../shell/credentials.ts');
    const own = withOwnNames(error, shell.fleet);
    const next = own instanceof WorldError && errorWords(own.code, own.params, String).next;
    await end(exitOfThrown(error), next || undefined);
    throw error;
  }
}

/** The same with the events as lines of JSON on stdout, whose reader may leave. What is lost on a disk is said. */
export async function printRun(
  shell: Shell,
  command: string,
  run: (shell: Shell) => Promise<number>,
): Promise<number> {
  const { out } = shell;
  out.free?.();
  const atEnd = async (isTaken: boolean, exit: number): Promise<void> => {
    const lost = isTaken ? await out.lost?.() : UNREAD;
    if (lost === undefined) return;
    out.abandon?.();
    const { eventsLostWords } = await import('../../render/words/last-words.ts');
    printMessages(shell, [eventsLostWords(lost, exit)]);
  };
  return tellRun(shell, { command, receive: lineTo(out), atEnd }, run);
}

const UNREAD = 'the reader does not read';

/** Comes back when the reader has taken the line, or has gone. */
function lineTo(out: Output): OnEvent {
  return (event) => {
    if (out.isUnread === true) return undefined;
    out.write(`${JSON.stringify(event)}\n`);
    return out.lost?.();
  };
}

/** Tells which documents a run is about, as soon as they are read. */
export async function tellStart(here: Here): Promise<void> {
  const { events } = here.shell;
  if (!events) return;
  const head = await readCommit(here).catch(() => undefined);
  events.start(here.documents.service.value.organization, head?.commit);
}

import type { JsonObject } from '../../../lib/canonical.ts';
import type { Lease } from '../../../model/ledger/memory.ts';
import { formatInstant } from '../../../lib/time.ts';
import { moment } from '../../words/moment.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { tint } from '../../sinks/paint.ts';
import { wrap } from '../../sinks/wrap.ts';
import { FOLLOWED_WORDS, UNLOCKED_WORDS } from '../../words/commands.ts';

type Held = Pick<Lease, 'label' | 'host' | 'pid' | 'takenAt' | 'epoch'>;

/** The earlier run that ended without releasing the lock, which this run replaces. */
export function* followedText(lease: Held, { width }: TextStyle): Generator<TerminalText> {
  yield* wrap(say`${terminal(FOLLOWED_WORDS)} ${holder(lease)}`, width, 2);
}

/** The result of `unlock`: whose lock was released, and in whose name; or that there was none. */
export function* unlockedText(
  lease: Held | undefined,
  author: { readonly who: string; readonly why: string },
  style: TextStyle,
): Generator<TerminalText> {
  if (!lease) {
    yield* wrap(say`${terminal(UNLOCKED_WORDS.none)}`, style.width, 2);
    return;
  }
  yield* wrap(say`${terminal(UNLOCKED_WORDS.says)} ${holder(lease)}`, style.width, 2);
  yield* wrap(say`  by ${terminal(author.who)}: ${terminal(author.why)}`, style.width, 4);
  const hint = wrap(say`  next: ${terminal(UNLOCKED_WORDS.next)}`, style.width, 8);
  yield* hint.map((line) => tint(style.paint, 'cyan', line));
}

/** The same as data. */
export function unlockedJson(
  lease: Held | undefined,
  author: { readonly who: string; readonly why: string },
): JsonObject {
  if (!lease) return { unlocked: false };
  const { label, host, pid, epoch } = lease;
  const held = { label, host, pid, epoch, since: formatInstant(lease.takenAt) };
  return { unlocked: true, held, ...author, next: UNLOCKED_WORDS.next };
}

function holder({ label, host, pid, takenAt }: Held): TerminalText {
  const since = terminal(moment(takenAt));
  return say`${terminal(label)} on ${terminal(host)}, process ${terminal(String(pid))}, since ${since}.`;
}

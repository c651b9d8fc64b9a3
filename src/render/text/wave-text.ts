import type { PlanWave } from '../../model/plan/plan.ts';
import { momentOf } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { PLAN_WAVE_WORDS } from '../words/report-words.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { Look } from '../sinks/snippet.ts';
import { wrap } from '../sinks/width.ts';
import { wordOf } from '../words/entry.ts';

/**
 * The waves of each policy that has more than one to go, or whose only one is not open: how many
 * changes each has, when it may open, and how long it soaks. Empty where there is nothing to tell.
 */
export function* waveLines(waves: readonly PlanWave[], look: Look): Generator<TerminalText> {
  const policies = [...new Set(waves.map(({ policy }) => policy))];
  const told = policies
    .map((policy) => waves.filter((wave) => wave.policy === policy))
    .filter((of) => of.length > 1 || of.some(isShut));
  if (told.length === 0) return;
  yield say``;
  yield tint(look.paint, 'bold', terminal(`Waves: ${grouped(told.flat().length)}`));
  for (const of of told) {
    yield say``;
    yield say`  ${tint(look.paint, 'bold', terminal(of[0]?.policy ?? ''))}`;
    const room = Math.max(...of.map(({ name }) => name.length));
    for (const wave of of) yield* waveText(wave, room, look);
  }
}

function isShut({ after, approval, stopped }: PlanWave): boolean {
  return [after, approval, stopped].some((each) => each !== undefined);
}

function waveText(wave: PlanWave, room: number, look: Look): readonly TerminalText[] {
  const { name, changes, soak, after, opens, approval, stopped } = wave;
  const state = stopped ?? (after === undefined ? 'open' : 'shut');
  const params = {
    changes: counted(changes, 'change'),
    state,
    ...(after !== undefined && { after }),
    ...(opens !== undefined && { opens: momentOf(opens) }),
    ...(approval !== undefined && { approval }),
    ...(soak !== undefined && { soak }),
  };
  const words = fill(
    wordOf(PLAN_WAVE_WORDS, state) ?? '{changes}, {state}',
    params,
    terminal,
  ) as TerminalText;
  const head = terminal(name.padEnd(room));
  return wrap(say`    ${head}  ${words}`, look.width, room + 6);
}

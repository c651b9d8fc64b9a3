import type { Passed } from '../../model/plan/change.ts';
import type { Instant } from '../../lib/time.ts';
import type { ChangeClass, ClassDevice } from '../view/change-class.ts';
import type { PageTime } from '../words/moment.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { passedText } from '../words/passed-words.ts';
import { reasonWords } from '../words/reasons.ts';

/** A device by its name and ID; by its ID alone if it has no name. */
export function deviceText(device: Pick<ClassDevice, 'id' | 'name'>): TerminalText {
  if (device.name === undefined || device.name === device.id) return terminal(device.id);
  return say`${terminal(device.name)} (${terminal(device.id)})`;
}

/** A reason with its start, as one sentence, and how to continue. */
export function reasonText(
  reason: ChangeClass['reason'],
  options: PageTime & {
    readonly sinceDiffers?: boolean;
    readonly lastNext?: Instant | undefined;
  },
): { readonly why: TerminalText; readonly next: TerminalText } {
  const { summary, detail, next } = reasonWords(reason, options);
  if (detail === undefined) return { why: summary, next };
  const first = options.sinceDiffers === true ? say`, the first ` : say` `;
  return { why: say`${summary}${first}${detail}`, next };
}

/** What a change passes, each with its rule. */
export function passesText(passes: readonly Passed[]): TerminalText {
  return passedText(passes, terminal) as TerminalText;
}

export function locatedText(device: Pick<ClassDevice, 'id' | 'name' | 'site'>): TerminalText {
  const site = device.site === undefined ? say`` : say` at ${terminal(device.site)}`;
  return say`${deviceText(device)}${site}`;
}

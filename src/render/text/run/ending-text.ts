import type { EndingGroup } from '../../view/endings.ts';
import { join, say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import { isNotSent } from '../../../model/ledger/run-report.ts';
import { detailText } from '../../words/ending-words.ts';
import { OUTCOME_WORDS } from '../../words/outcomes.ts';
import type { PageTime } from '../../words/moment.ts';
import { reasonText } from '../class-text.ts';

/** What several endings share that says why they ended so. */
type EndingCause = Pick<
  EndingGroup,
  'outcome' | 'reason' | 'detail' | 'sinceDiffers' | 'lastNext'
> & { readonly resultOnly?: boolean };

/** Why changes ended as they did: the step that failed, what was unclear, or the reason. */
export function endingWhy(cause: EndingCause, page: PageTime): TerminalText {
  const { outcome, reason, detail, sinceDiffers, resultOnly } = cause;
  if (outcome === 'verified' && resultOnly)
    return say`result only: the service does not show the effect on the device`;
  const said = detail === undefined ? undefined : detailText(outcome, detail).says;
  if (outcome === 'atWork') {
    const running = terminal(OUTCOME_WORDS[outcome].says);
    return said === undefined ? running : say`${running}; ${said}`;
  }
  const isReasonSaid = said !== undefined && reason?.code === outcome;
  const because =
    reason === undefined || reason.code === 'act' || isReasonSaid
      ? undefined
      : reasonText(reason, { ...page, sinceDiffers }).why;
  const parts = [said, because].filter((part) => part !== undefined);
  return parts.length === 0 ? terminal(OUTCOME_WORDS[outcome].says) : join(parts, '; ');
}

/** The next step: of changes that were not sent by their reason, of others by their outcome. */
export function endingNext(cause: EndingCause, page: PageTime): TerminalText {
  const { outcome, reason, detail, lastNext } = cause;
  if (isNotSent(cause) && reason) return reasonText(reason, { ...page, lastNext }).next;
  const better = detail === undefined ? undefined : detailText(outcome, detail).next;
  return better ?? terminal(OUTCOME_WORDS[outcome].next);
}

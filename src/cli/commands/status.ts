import { parseInstant } from '../../lib/time.ts';
import { exitOfReading, findAllClear } from '../../model/report/all-clear.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import { applyAfter } from '../process/apply-line.ts';
import { command } from '../program/command.ts';
import {
  CONNECTION,
  format,
  on,
  PART,
  reading,
  SERVICE_VARIABLES,
  snapshot,
} from '../program/flags.ts';

/** Shows the state of each rollout, from the fleet, the documents and the ledger. Read-only. */
export const status = command({
  name: 'status',
  summary: 'Show rollouts, overdue work, pauses and tasks in doubt',
  examples: ['status', 'status --only firmware.*'],
  environment: SERVICE_VARIABLES,
  flags: {
    ...CONNECTION,
    ...reading(),
    ...PART,
    all: on('List policies with nothing to do, too'),
    snapshot: snapshot(),
    format,
  },
  async run(flags, shell) {
    const { loadDocuments } = await import('../../operations/documents.ts');
    const { surveyOrRecall } = await import('../../operations/recall.ts');
    const { readStatus } = await import('../../operations/status.ts');
    const { partResolver } = await import('../../operations/survey.ts');
    const { documents } = await loadDocuments(shell, flags.fleet);
    const parts = { documents, commit: undefined, expiresAfter: 0 };
    const resolvePart = await partResolver(flags);
    const limited = { ...(resolvePart && { resolvePart }), isShown: true };
    const { surveyed } = await surveyOrRecall(shell, flags, parts, limited);
    const { statusText } = await import('../../render/text/status-text.ts');
    const { statusJson } = await import('../../render/data/report-json.ts');
    const { statusSituation } = await import('../../render/view/situations.ts');
    const readAt = parseInstant(surveyed.plan.inputs.snapshot.takenAt);
    const isSaved = flags.snapshot !== undefined && readAt !== undefined;
    const current = await readStatus({ documents, shell }, surveyed);
    const shown = { ...current, ...(isSaved && { readAt }) };
    const next = { command: applyAfter(flags), all: flags.all === true };
    if (flags.format === 'json') await printJson(shell.out, statusJson(shown));
    else print(shell.out, statusText(shown, { ...textStyle(shell.out, shell.env), ...next }));
    return exitOfReading(findAllClear(statusSituation(shown)));
  },
});

import type { Mutant } from './mutant.ts';

const RUN = 'src/operations/outcome/notify-run.ts';
const TEST = { test: 'test/unit/operations/outcome/notify-run.test.ts' };

/** Who hears of a run, and that no receiver changes its end. */
export const NOTIFYING: readonly Mutant[] = [
  {
    id: '130-a-run-without-news-is-told',
    killer: TEST,
    patches: [{ file: RUN, find: 'return !quiet.includes(exit);', replace: 'return true;' }],
  },
  {
    id: '131-a-run-that-changed-devices-is-not-told',
    killer: TEST,
    patches: [{ file: RUN, find: 'report.attempts > 0 || ', replace: '' }],
  },
  {
    id: '132-a-failed-delivery-is-silent',
    killer: TEST,
    patches: [
      {
        file: RUN,
        find: 'if (failure) printMessages(',
        replace: 'if (!failure) printMessages(',
      },
    ],
  },
  {
    id: '133-a-notifier-that-throws-ends-the-run',
    killer: TEST,
    patches: [
      {
        file: RUN,
        find: 'printMessages(shell, [notifierFailedWords(name, error, shell.env)]);',
        replace: 'throw error;',
      },
    ],
  },
  {
    id: '134-a-rehearsal-tells-the-webhook',
    killer: TEST,
    patches: [{ file: RUN, find: 'parts.inMemory || isNoNews(ended)', replace: 'isNoNews(ended)' }],
  },
  {
    id: '135-a-message-is-signed-with-nothing',
    killer: { test: 'test/unit/notify/webhook.test.ts' },
    patches: [
      {
        file: 'src/notify/webhook.ts',
        find: "createHmac('sha256', secret)",
        replace: "createHmac('sha256', '')",
      },
    ],
  },
  {
    id: '136-every-answer-is-tried-again',
    killer: { test: 'test/unit/notify/webhook.test.ts' },
    patches: [
      {
        file: 'src/notify/webhook.ts',
        find: 'failure.status === 429 || failure.status >= 500',
        replace: 'failure.status >= 400',
      },
    ],
  },
];

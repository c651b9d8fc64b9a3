/**
 * Loads what a run of apply loads when it needs it: reading a module takes time that a virtual clock
 * does not see, and would pass while the run waits for it.
 */
export async function loadModules(): Promise<void> {
  await Promise.all([
    import('../../apply/run/execute.ts'),
    import('../../apply/stop.ts'),
    import('../../desired/select.ts'),
    import('../../facts/belief.ts'),
    import('../../facts/fact-lines.ts'),
    import('../../facts/fact.ts'),
    import('../../facts/read-choice.ts'),
    import('../../facts/known-facts.ts'),
    import('../../facts/reading-list.ts'),
    import('../../guard/guard.ts'),
    import('../../live/facts.ts'),
    import('../../live/read-fleet.ts'),
    import('../../live/recorded.ts'),
    import('../../live/snapshot-lines.ts'),
    import('../../plan/admit/batch.ts'),
    import('../../plan/known-devices.ts'),
    import('../../plan/needed-reads.ts'),
    import('../../plan/plan.ts'),
    import('../../plan/preapproval.ts'),
    import('../../render/text/ledger/lease-text.ts'),
    import('../../render/words/commands.ts'),
    import('../../store/journal.ts'),
    import('../../store/store.ts'),
    import('../facts/fact-book.ts'),
    import('../facts/record-facts.ts'),
    import('../survey.ts'),
  ]);
}

import { dueGround } from '../../ledger/ground-due.ts';
import { isSamePlace, type GroundTerms } from '../../model/ledger/ground.ts';
import type { GroundKeeping } from '../../store/journal.ts';
import { findAuthor } from '../intervene/author.ts';
import { documentsAt } from '../repository.ts';
import { resolveTarget } from '../target.ts';
import { placedElsewhere, type StoodGround } from './ground.ts';
import { isExplicit, serviceOf, type GroundParts } from './parts.ts';
import { findPlace, ledgerKey, recordedPlace } from './places.ts';
import { isRenamed } from './left-ledgers.ts';
import { gateKind } from '../gate/forge.ts';

/** The ground that a command proposes, apart from who says so. */
export type ProposedGround = Omit<GroundTerms, 'who' | 'why'>;

/** What the documents, the flags and the job of a command propose. */
export async function proposeGround(
  stood: GroundParts & Pick<StoodGround, 'git' | 'place' | 'line'>,
): Promise<ProposedGround> {
  const { shell, folder, settings, target, place, line, git } = stood;
  const head = line ? line.tip : (await git.git('rev-parse', '--verify', '--quiet', 'HEAD')).out;
  return {
    service: serviceOf(target),
    ledger: await recordedPlace(place),
    approval: settings.approval?.is ?? 'commit',
    gate: await gateKind(shell, folder),
    commit: head.trim(),
  };
}

/**
 * What a journal keeps of the ground: the record that is due before its first append, and the refusal of a
 * ledger that has moved away meanwhile (protocol M2, M9, M13).
 */
export async function keepGround(stood: StoodGround): Promise<GroundKeeping> {
  const { shell, place, renamed } = stood;
  stood.forget();
  const proposed = await proposeGround(stood);
  const who = await findAuthor(shell);
  const isKnown = !stood.line || (await isAsPlanned(stood));
  const accepted = renamed ? [proposed.ledger, renamed.ledger] : [proposed.ledger];
  return {
    due: (memory) => dueGround(memory, { ...proposed, who }, isKnown),
    check: ({ ground }) => {
      if (!ground || accepted.some((one) => isSamePlace(ground.ledger, one))) return;
      throw placedElsewhere(ground, proposed.ledger);
    },
    ...(renamed && {
      confirm: async () => {
        const isOne = await isRenamed(stood, stood.git, { ground: renamed, place });
        if (!isOne) throw placedElsewhere(renamed, proposed.ledger);
      },
    }),
  };
}

/**
 * Whether a ledger without GROUND may get one: its last PLAN names a commit whose documents had this ground. An
 * approval by plan may have come since.
 */
async function isAsPlanned({
  shell,
  folder,
  settings,
  target,
  place,
  git,
  planned,
}: StoodGround): Promise<boolean> {
  if (!planned) return false;
  const loaded = await documentsAt({ shell, documents: { folder } }, planned.commit);
  const before = (loaded.documents?.service ?? loaded.service)?.value;
  if (!before) return false;
  const then = resolveTarget(before, isExplicit(target) ? target.baseUrl : undefined, shell.env);
  return (
    then.fingerprint === target.fingerprint &&
    ledgerKey(await findPlace(git, before.ledger, then.fingerprint)) === ledgerKey(place) &&
    // Where outcomes were approved since, the documents between may have asked for it.
    (settings.approval?.is === 'plan' ||
      (before.approval.is === 'commit' && !planned.isApprovedSince))
  );
}

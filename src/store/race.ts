import { WorldError } from '../model/error.ts';
import type { LedgerRemote } from '../model/ledger/ledger-remote.ts';
import type { Random } from '../model/ports.ts';
import { randomText } from './locking.ts';

/** How often a race that nobody won is run again. */
const ROUNDS = 3;

type Answer = Awaited<ReturnType<LedgerRemote['move']>>;

/**
 * Shows that a remote moves a branch for exactly one of two writers (protocol J7, A1): two
 * children of one commit are pushed at once to a branch of its own, which is deleted afterwards
 * where the remote allows that. Only a race can provoke the refusal of a stale write. Throws
 * `ledgerUnfit` where both win, none does, or what won is not what is read.
 */
export async function probeRemote(ledger: LedgerRemote, random: Random): Promise<void> {
  const scratch = ledger.beside(`-probe-${randomText(random, 8)}`);
  const commit = (parent: string) => {
    const files = { 'probe.json': `"${randomText(random, 8)}"\n` };
    return scratch.commit({ parent, files, message: 'fleetform probe' });
  };
  let at = await commit('');
  if ((await scratch.move('', at)) !== 'moved') throw unfit(ledger, 'create');
  try {
    for (let round = 1; ; round += 1) {
      const children = [await commit(at), await commit(at)] as const;
      const answers = await Promise.all(children.map((child) => scratch.move(at, child)));
      const tip = await scratch.tip();
      const why = faultIn(answers, children.indexOf(tip), tip === at);
      at = tip;
      if (why === undefined) return;
      if (why !== 'noneWon' || round === ROUNDS) throw unfit(ledger, why);
    }
  } finally {
    await scratch.remove(at);
  }
}

/** What had no clear answer counts by where the branch is: the other one is refused by then. */
function faultIn(answers: readonly Answer[], winner: number, isUnmoved: boolean) {
  if (answers.every((answer) => answer === 'moved')) return 'bothWon';
  if (winner === -1) return isUnmoved && !answers.includes('moved') ? 'noneWon' : 'readBack';
  const isSaid = answers[winner] !== 'elsewhere' && answers[1 - winner] !== 'moved';
  return isSaid ? undefined : 'readBack';
}

function unfit({ place }: LedgerRemote, why: string): WorldError {
  return new WorldError('ledgerUnfit', { place, why });
}

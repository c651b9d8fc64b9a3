import { describe, expect, test } from 'vitest';
import type { LedgerRemote } from '../../../src/model/ledger/ledger-remote.ts';
import { probeRemote } from '../../../src/store/git-store.ts';
import { chance } from '../../support/store-double.ts';
import { failsWith } from '../../support/store-rig.ts';

type Answer = 'moved' | 'elsewhere' | 'unclear';

/** What two pushes at once are answered, and where the branch is afterwards; empty: where it was. */
type Judge = (moves: readonly string[]) => {
  readonly answers: readonly Answer[];
  readonly tip: string;
};

/** A remote whose pushes are answered by a script, whatever happens to the branch. */
class Scripted implements LedgerRemote {
  readonly place = 'scripted';
  readonly removed: string[] = [];
  #tip = '';
  #commits = 0;
  readonly #judge: Judge;
  #racing: { to: string; resolve: (answer: Answer) => void }[] = [];

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  tip = () => Promise.resolve(this.#tip);
  commits = () => Promise.resolve([]);
  commit = () => Promise.resolve(`c${(this.#commits += 1)}`);
  beside = () => this;

  move(from: string, to: string): Promise<Answer> {
    if (from === '') {
      this.#tip = to;
      return Promise.resolve('moved');
    }
    return new Promise((resolve) => {
      this.#racing.push({ to, resolve });
      if (this.#racing.length < 2) return;
      const moves = this.#racing.splice(0);
      const { answers, tip } = this.#judge(moves.map((move) => move.to));
      this.#tip = tip === '' ? this.#tip : tip;
      for (const [n, move] of moves.entries()) move.resolve(answers[n] ?? 'unclear');
    });
  }

  remove(at: string) {
    this.removed.push(at);
    return Promise.resolve(true);
  }
}

describe('two writers at once on a remote', () => {
  test.each([
    ['the first', ['moved', 'elsewhere'] as const, 0],
    ['the second', ['elsewhere', 'moved'] as const, 1],
    ['one whose answer was lost', ['unclear', 'elsewhere'] as const, 0],
    ['one, and both answers were lost', ['unclear', 'unclear'] as const, 1],
  ])('%s wins: it is fit, and the branch is deleted', async (_, answers, winner) => {
    const remote = new Scripted((moves) => ({ answers, tip: moves[winner] ?? '' }));
    await probeRemote(remote, chance(1));
    expect(remote.removed).toEqual([winner === 0 ? 'c2' : 'c3']);
  });

  test.each([
    ['both win', ['moved', 'moved'] as const, 1, 'bothWon'],
    ['none wins', ['elsewhere', 'unclear'] as const, -1, 'noneWon'],
    ['the loser is there', ['moved', 'elsewhere'] as const, 1, 'readBack'],
    ['the winner is not there', ['moved', 'elsewhere'] as const, -1, 'readBack'],
    ['the one there was said to have lost', ['unclear', 'elsewhere'] as const, 1, 'readBack'],
  ])('%s: it is unfit, and the branch is deleted', async (_, answers, winner, why) => {
    const remote = new Scripted((moves) => ({ answers, tip: moves[winner] ?? '' }));
    await expect(probeRemote(remote, chance(1))).rejects.toThrow(failsWith('ledgerUnfit', { why }));
    expect(remote.removed).toHaveLength(1);
  });

  test('none wins once: it is run again', async () => {
    let rounds = 0;
    const remote = new Scripted((moves) => {
      rounds += 1;
      return rounds === 1
        ? { answers: ['unclear', 'elsewhere'], tip: '' }
        : { answers: ['moved', 'elsewhere'], tip: moves[0] ?? '' };
    });
    await probeRemote(remote, chance(1));
    expect(rounds).toBe(2);
  });
});

import type { GroundGate } from '../../model/ledger/ground.ts';
import type { Shell } from '../../shell/shell.ts';

/**
 * Whose gate approves: that of the forge whose job this is; elsewhere that of the forge whose jobs the repository
 * has.
 */
export async function gateKind({ env }: Pick<Shell, 'env'>, folder: string): Promise<GroundGate> {
  if (env['GITHUB_ACTIONS'] === 'true') return 'github';
  if (env['GITLAB_CI'] === 'true') return 'gitlab';
  const { gateOfRepository } = await import('../gate/forge.ts');
  return (await gateOfRepository({ env }, folder)) ?? 'none';
}

import type { ForgeKind } from '../model/ports.ts';
import { readTemplate } from './template.ts';

/** A fleet to set up: its name, and the branches of its ledger and of its facts where they are in this repository. */
export interface FleetToSetUp {
  readonly name: string;
  readonly ledger?: string;
  readonly facts?: string;
}

/** The commands that set up a forge for these fleets, as a script that asks for each value. Nothing here runs them. */
export function setupCommands(forge: ForgeKind, fleets: readonly FleetToSetUp[]): string {
  const [head, each = '', ofLedger = '', end] = readTemplate(`setup/${forge}.sh`).split('---\n');
  const blocks = fleets.map(({ name, ledger, facts = '' }) => {
    const text = ledger === undefined ? each : each + ofLedger;
    return text.replace(/\b(?:NAME|LEDGER|FACTS)\b/g, (word) => {
      return word === 'NAME' ? name : word === 'FACTS' ? facts : (ledger ?? '');
    });
  });
  return [head, ...blocks, end].join('');
}

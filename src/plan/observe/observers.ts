import { absences, returns } from '../decide/absence.ts';
import { adoptions } from '../decide/adoption.ts';
import { approvals } from './approvals.ts';
import { listings } from './listings.ts';
import type { Observer } from '../observer.ts';
import { onlineAgain } from './online-again.ts';
import { symptoms } from './symptoms.ts';

/** Everything that apply looks out for at each reading of the fleet (protocol J14). */
export const OBSERVERS: readonly Observer[] = [
  adoptions,
  approvals,
  listings,
  symptoms,
  absences,
  returns,
  onlineAgain,
];

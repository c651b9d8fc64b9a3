import type { ServiceSettings } from '../../model/documents/policy.ts';
import type { GroundTerms } from '../../model/ledger/ground.ts';
import type { Shell } from '../../shell/shell.ts';
import { type ServiceTarget, originOf } from '../target.ts';

/**
 * The service that a command is to use. `ledger` and `approval` are those of documents: without
 * `approval`, flags and the environment name the service, and no document does.
 */
export type ChosenService = Pick<ServiceSettings, 'baseUrl' | 'organization'> &
  Partial<Pick<ServiceSettings, 'ledger' | 'approval'>>;

export interface GroundParts {
  readonly shell: Shell;
  readonly folder: string;
  readonly settings: ChosenService;
  readonly target: ServiceTarget;
}

/** A command line or a job names the URL itself: the documents do not choose it (protocol M3). */
export function isExplicit({ from }: Pick<ServiceTarget, 'from'>): boolean {
  return from !== 'document';
}

export type NamedService = GroundTerms['service'];

/** The service that a command speaks to, as a record names it. */
export function serviceOf({
  baseUrl,
  organization,
}: Pick<ServiceTarget, 'baseUrl' | 'organization'>): NamedService {
  return { origin: originOf(baseUrl), organization };
}

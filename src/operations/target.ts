import { isWeb, readAddress } from '../lib/address.ts';
import { WorldError } from '../model/error.ts';
import type { PlanInputs } from '../model/plan/plan.ts';
import type { ServiceSettings } from '../model/documents/policy.ts';
import { digest } from '../lib/canonical.ts';
import type { Shell } from '../cli/shell/shell.ts';

/** Which service a command speaks to, and who said so. */
export type ServiceTarget = PlanInputs['service'];

/**
 * The service of a command: `--service` beats `FLEETFORM_BASE_URL`, which beats the document. Throws `baseUrlUnsafe`
 * for an address that is not one.
 */
export function targetOf(
  service: Pick<ServiceSettings, 'baseUrl' | 'organization'>,
  flag: string | undefined,
  env: Shell['env'],
): ServiceTarget {
  const override = env['FLEETFORM_BASE_URL'] || undefined;
  const baseUrl = flag ?? override ?? service.baseUrl;
  const from = flag ? 'flag' : override ? 'environment' : 'document';
  return {
    baseUrl,
    organization: service.organization,
    from,
    fingerprint: digest([originOf(baseUrl), service.organization]),
  };
}

/** An opaque origin, as of `file:`, is that of every such address: it names no service. */
function originOf(baseUrl: string): string {
  const url = readAddress(baseUrl);
  if (url && isWeb(url)) return url.origin;
  const why = url ? 'notHttps' : 'unreadable';
  throw new WorldError('baseUrlUnsafe', { why, ...shown(baseUrl) });
}

/** What may hold a password is not repeated. */
function shown(baseUrl: string): { readonly baseUrl?: string } {
  return baseUrl.includes('@') ? {} : { baseUrl };
}

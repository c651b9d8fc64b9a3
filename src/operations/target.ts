import { isWeb, readAddress } from '../lib/address.ts';
import { WorldError } from '../model/error.ts';
import type { PlanInputs } from '../model/plan/plan.ts';
import type { ServiceSettings } from '../model/documents/policy.ts';
import { tenantFingerprint } from '../ledger/ground-due.ts';
import type { Shell } from '../shell/shell.ts';

/** The service of a command, and where its URL comes from. */
export type ServiceTarget = PlanInputs['service'];

/**
 * Returns the service of a command: `--service` overrides `FLEETFORM_BASE_URL`, which overrides the
 * document. Throws `baseUrlUnsafe` for an invalid URL.
 */
export function resolveTarget(
  service: Pick<ServiceSettings, 'baseUrl' | 'organization'>,
  flag: string | undefined,
  env: Shell['env'],
): ServiceTarget {
  const override = env['FLEETFORM_BASE_URL'] || undefined;
  const baseUrl = flag ?? override ?? service.baseUrl;
  const from = flag ? 'flag' : override ? 'environment' : 'document';
  const isOther = normalizedUrl({ baseUrl }) !== normalizedUrl(service) && !isExample(service);
  return {
    baseUrl,
    organization: service.organization,
    from,
    ...(isOther && { documents: service.baseUrl }),
    fingerprint: fingerprintOf({ baseUrl, organization: service.organization }),
  };
}

/** An address of examples, which is no service: documents with it rely on the environment. */
function isExample({ baseUrl }: Pick<ServiceTarget, 'baseUrl'>): boolean {
  return /(^|\.)example\.com$/.test(readAddress(baseUrl)?.hostname ?? '');
}

/** The origin of a URL, which may be invalid. */
export function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}

function fingerprintOf({ baseUrl, organization }: Tenant): string {
  return tenantFingerprint({ origin: readOrigin(baseUrl), organization });
}

/** Whether the parts of a service belong together: an edited URL has another fingerprint. */
export function isConsistent(service: ServiceTarget): boolean {
  const { baseUrl, fingerprint } = service;
  const url = readAddress(baseUrl);
  return url !== undefined && isWeb(url) && fingerprintOf(service) === fingerprint;
}

type Tenant = Pick<ServiceTarget, 'baseUrl' | 'organization'>;

/** Whether two commands speak to one service: the same URL, up to a final slash, and organization. */
export function isSameService(a: Tenant, b: Tenant): boolean {
  return a.organization === b.organization && normalizedUrl(a) === normalizedUrl(b);
}

function normalizedUrl({ baseUrl }: Pick<ServiceTarget, 'baseUrl'>): string | undefined {
  return readAddress(baseUrl)?.href.replace(/\/+$/, '');
}

/** The opaque origin of a URL such as `file:` is the same for all of them and names no service. */
function readOrigin(baseUrl: string): string {
  const url = readAddress(baseUrl);
  if (url && isWeb(url)) return url.origin;
  const why = url ? 'notHttps' : 'unreadable';
  // A URL that may contain a password is left out.
  throw new WorldError('baseUrlUnsafe', { why, ...(!baseUrl.includes('@') && { baseUrl }) });
}

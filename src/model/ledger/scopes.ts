import type { Snapshot } from '../fleet/snapshot.ts';
import { computeOnce } from '../../lib/compute-once.ts';

/** The scope of all rollouts in STOP and LIFT records. */
export const FLEET = 'fleet';

/**
 * The scope of one site or model of a rollout; the scope of the whole rollout is the address of its
 * policy.
 */
export function stopScope(
  policy: string,
  part: { readonly site: string } | { readonly model: string },
): string {
  return 'site' in part ? `${policy}/site=${part.site}` : `${policy}/model=${part.model}`;
}

/** Every scope that contains an intent: a stop of one of them blocks it. */
export function stopScopes(intent: {
  readonly policy: string;
  readonly sites: readonly string[];
  readonly model?: string | undefined;
}): readonly string[] {
  const { policy, sites, model } = intent;
  return [
    FLEET,
    policy,
    ...sites.flatMap((site) => [stopScope(FLEET, { site }), stopScope(policy, { site })]),
    ...(model === undefined ? [] : [stopScope(policy, { model })]),
  ];
}

/** The ID of the site that a scope is limited to. */
export function siteOfScope(scope: string): string | undefined {
  return /^[^/]*\/site=(.*)$/.exec(scope)?.[1];
}

/** The site or model that a scope is limited to and a reading does not show: nobody knows what it covers (semantics N66). */
export type LostPlace = (scope: string) => { goneSite: string } | { goneModel: string } | undefined;

export function lostPlaces({ sites, devices }: Pick<Snapshot, 'sites' | 'devices'>): LostPlace {
  return computeOnce((scope) => {
    const [, kind, id = ''] = /^[^/]*\/(site|model)=(.*)$/.exec(scope) ?? [];
    if (kind === 'model')
      return devices.text.model.values.includes(id) ? undefined : { goneModel: id };
    const shown = [...sites, ...devices.sites.values.flat()];
    return kind && !shown.some((site) => site.id === id) ? { goneSite: id } : undefined;
  });
}

/** The policy's address in a scope; for the whole fleet, `FLEET`. */
export function policyOfScope(scope: string): string {
  return scope.split('/', 1)[0] ?? '';
}

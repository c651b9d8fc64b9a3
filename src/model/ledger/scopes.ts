/** What STOP and LIFT records call all rollouts together. */
export const FLEET = 'fleet';

/** What they call a site or a model of a rollout, which by itself is called by the address of its policy. */
export function stopScope(
  policy: string,
  part: { readonly site: string } | { readonly model: string },
): string {
  return 'site' in part ? `${policy}/site=${part.site}` : `${policy}/model=${part.model}`;
}

/** Every scope that holds an intent: a stop of one of them stops it. */
export function stopScopes(intent: {
  readonly policy: string;
  readonly sites: readonly string[];
  readonly model?: string;
}): readonly string[] {
  const { policy, sites, model } = intent;
  return [
    FLEET,
    policy,
    ...sites.map((site) => stopScope(policy, { site })),
    ...(model === undefined ? [] : [stopScope(policy, { model })]),
  ];
}

/** The address in a scope; of the whole fleet its own word. */
export function policyOfScope(scope: string): string {
  return scope.split('/', 1)[0] ?? '';
}

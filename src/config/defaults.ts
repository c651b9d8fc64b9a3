/** What an absent key means, as an author would write it (semantics 4.3). */
export const DEFAULTS = {
  priority: 500,
  requestsPerSecond: 1,
  tokenRequestsPerMinute: 5,
  pollEvery: '30s',
  passwordMaxAge: '180d',
  headStart: '21d',
  generation: 1,
  maxPerDay: 25,
  onDuplicate: 'error',
  heldFor: '20m',
  cooldown: '6h',
  maxPerDevice: { count: 2, per: '7d' },
  notice: '14d',
  maxInFlight: 20,
  batch: 10,
  downgrade: 'forbid',
} as const;

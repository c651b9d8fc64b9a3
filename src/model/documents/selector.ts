/** A glob over a whole string: `*` and `?`, nothing else. */
export type Glob = string;

/** Which sites: globs over names and ids, tags from `sites`; keys AND, lists OR. */
export interface SiteClause {
  readonly name?: readonly Glob[];
  readonly tag?: readonly Glob[];
}

/** Keys AND, lists OR. A field that the device does not have never matches, under `not` either way. */
export interface SelectorKeys {
  readonly device?: readonly Glob[];
  readonly name?: readonly Glob[];
  readonly vendor?: readonly Glob[];
  readonly model?: readonly Glob[];
  readonly deviceType?: readonly Glob[];
  /** A glob, or a range (`">=11.5 <12"`) that starts with `<` or `>`. */
  readonly firmwareVersion?: readonly string[];
  readonly site?: SiteClause;
  readonly source?: readonly Glob[];
  readonly group?: readonly Glob[];
}
export interface Selector extends SelectorKeys {
  readonly not?: SelectorKeys;
}

/**
 * Whether something selects a device. `maybe`: a field that decides could not be read, or a version cannot be compared.
 * Such a device counts where one more is the safe answer, and does not count where it would start something or open a
 * limit (semantics M20).
 */
export type Membership = boolean | 'maybe';

/** Why that is unclear: a field that could not be read, or a version, and what it cannot be compared with. */
export type UnclearBy =
  { readonly field: string } | { readonly version: string; readonly other: string };

import { sha256 } from '../../lib/canonical.ts';

const MARKED = 'mark:';

/**
 * Tells whether the credential of a device is the same or another, and not what it is (semantics N2). A marker
 * and its mark in the place of one give the same; a credential without a marker has none.
 */
export function toMark(deviceId: string, marker: string): string {
  if (marker.startsWith(MARKED)) return marker.slice(MARKED.length);
  return marker === '' ? '' : sha256(`${deviceId} ${marker}`).slice(0, 16);
}

/** A mark in the place of a marker that no read of this run has shown. */
export function markAsMarker(mark: string | undefined): string {
  return mark === undefined || mark === '' ? '' : `${MARKED}${mark}`;
}

const UNDATED = 'undated:';

/** The marker of password metadata without any entry. */
export const NO_PASSWORD = `${UNDATED}none`;

/**
 * The marker of password metadata without the time of a change. It is comparable only with another such marker:
 * metadata whose time disappears differs, and shows no change.
 */
export function undatedMarker(digest: string): string {
  return `${UNDATED}${digest}`;
}

/** Whether this is the marker of metadata without a time of change. */
export function isUndated(marker: string): boolean {
  return marker.startsWith(UNDATED);
}

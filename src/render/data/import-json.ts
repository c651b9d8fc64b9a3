import type { JsonObject } from '../../lib/canonical.ts';
import { shownQuote } from '../../model/documents/quoted.ts';
import type { Adoption } from '../../model/report/adoption.ts';
import { adoptNoticeWords } from '../words/documents/import-words.ts';

/** An import with its documents, differences and findings; each finding also in words. */
export function importJson(adoption: Adoption, folder: string): JsonObject {
  const { organization, devices, sites, files, isWritten, differences, notices } = adoption;
  const { entries, next } = adoption;
  return {
    organization,
    devices,
    sites,
    files: files.map((file) => ({ ...file })),
    isWritten,
    entries: { ...entries },
    differences: differences.map(({ section, name, at, before, after }) => ({
      section,
      name,
      ...(at && { at: { ...at } }),
      ...(before !== undefined && { before: shownQuote(before) }),
      ...(after !== undefined && { after: shownQuote(after) }),
    })),
    findings: notices.map((notice) => {
      const { code, ...params } = notice;
      const { says, next: step } = adoptNoticeWords(notice, folder);
      return {
        code,
        params: { ...params } as JsonObject,
        says,
        ...(step !== undefined && { next: step }),
      };
    }),
    next: { ...next },
  };
}

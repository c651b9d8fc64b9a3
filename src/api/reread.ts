import { WorldError } from '../model/error.ts';
import { bodyBytes } from '../model/http.ts';
import type { HttpAnswer } from '../model/ports.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { UnreadField } from '../model/report/checkup.ts';
import { createDecoders } from './decode/decode.ts';
import { createFactReaders } from './decode/facts.ts';
import { Fault } from './decode/fault.ts';
import { part } from './decode/fields.ts';
import { parseAnswerJson } from './decode/parse-json.ts';
import { createReads } from './reads.ts';
import { SINGLE_READS, UnreadTally } from './unread.ts';
import { listField, PATHS } from './wire.ts';
import { objectsIn } from '../lib/objects.ts';

/** A successful answer to a read, kept to be read again. */
export interface KeptAnswer {
  readonly path: string;
  readonly answer: HttpAnswer;
}

/**
 * Reads answers again in a dialect, by the code that reads them for every command. Returns what it
 * does not understand: each field once, and each answer that it refuses as a whole. Never throws for
 * what an answer holds.
 */
export async function rereadAnswers(
  answers: readonly KeptAnswer[],
  dialect: Dialect,
): Promise<readonly UnreadField[]> {
  const tally = new UnreadTally(dialect);
  const parts = { dialect, decoders: createDecoders(dialect), facts: createFactReaders(dialect) };
  for (const list of LISTS)
    for (const answer of at(list, answers)) {
      const refused = await refusal(list, answer, parts);
      if (refused) tally.refuse(list, refused);
      else tally.seeRows(list, objectsIn(part(listField(list, dialect))(valueIn(answer))));
    }
  for (const read of SINGLE_READS)
    for (const answer of at(read, answers)) tally.seeAnswer(read, answer.path, valueIn(answer));
  return tally.fields();
}

const LISTS = ['sites', 'deviceSources', 'devices', 'discoveredDevices', 'firmwarePaths'] as const;
type List = (typeof LISTS)[number];

function at(endpoint: keyof typeof PATHS, answers: readonly KeptAnswer[]): readonly KeptAnswer[] {
  const pattern = new RegExp(`^${PATHS[endpoint].replace('{id}', '[^/]+')}$`);
  return answers.filter(({ path }) => pattern.test(path));
}

/** Why a whole page is refused; undefined if it is read. */
async function refusal(
  list: List,
  { answer }: KeptAnswer,
  parts: Omit<Parameters<typeof createReads>[0], 'read'>,
): Promise<Fault | undefined> {
  const reads = createReads({ read: () => Promise.resolve(answer), ...parts });
  try {
    await (list === 'firmwarePaths' ? reads.firmwarePaths() : reads.list(list).next());
    return undefined;
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const { at: place = '$', key } = error.params;
    return new Fault(String(place), key === undefined ? [] : [key as DialectKey]);
  }
}

function valueIn({ answer }: KeptAnswer): unknown {
  const parsed = parseAnswerJson(bodyBytes(answer));
  return 'problem' in parsed ? undefined : parsed.value;
}

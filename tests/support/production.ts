import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const example = new URL('../../deploy/italk.env.example', import.meta.url);

/**
 * Fills the blanks in `deploy/italk.env.example` with secrets and this machine's values; undefined removes a variable.
 */
export function productionEnvironment(
  changes: Record<string, string | undefined> = {},
): Record<string, string> {
  const filled: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(parseEnv(readFileSync(example, 'utf8'))))
    filled[name] =
      value === '' || value?.endsWith(':') ? value + randomBytes(32).toString('base64url') : value;
  const entries = Object.entries({ ...filled, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

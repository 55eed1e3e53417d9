import { z } from 'zod';
import { isLoopback } from './config-safety.ts';
import { StartError } from './start-error.ts';

/** Fields of sign-in providers of any protocol. */
export const named = {
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,30}$/, 'use lowercase letters, digits and hyphens')
    .refine((id) => id !== 'web3', 'web3 means wallets'),
  label: z.string().trim().min(1).max(40),
};

export const domains = z.array(
  z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'write domains such as church.example'),
);

/** Parses a variable's JSON list. Throws a StartError that repeats no secret. */
export function providerList<Schema extends z.ZodType>(
  variable: string,
  schema: Schema,
  { text, example }: { text: string | undefined; example: string },
): z.output<Schema>[] {
  if (!text?.trim()) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new StartError(`${variable} isn’t JSON. Set it to [${example}].`);
  }
  const parsed = z.array(schema).safeParse(list);
  if (parsed.success) return parsed.data;
  const [fault] = parsed.error.issues;
  const where = fault!.path.map((part, depth) =>
    typeof part === 'number' ? `${depth === 0 ? 'provider' : 'number'} ${part + 1}` : String(part),
  );
  throw new StartError(`${variable} can’t be used: ${[...where, fault!.message].join(', ')}.`);
}

/** Requires TLS, except for loopback providers of a demo (`loopback`). */
export function requireTls(
  variable: string,
  { id, url, loopback }: { id: string; url: string; loopback: boolean },
): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !(loopback && isLoopback(hostname)))
    throw new StartError(`${variable} has a provider without https: ${id}. Use its https address.`);
}

export function requireDistinct<Key extends string>(
  variable: string,
  list: readonly Readonly<Record<Key, string>>[],
  keys: readonly Key[],
): void {
  for (const key of keys)
    if (new Set(list.map((one) => one[key])).size < list.length)
      throw new StartError(`${variable} has two providers with the same ${key}.`);
}

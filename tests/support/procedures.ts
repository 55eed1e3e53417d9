import { z } from 'zod';
import { contract } from '#/app/contract.ts';
import type { Access, procedure } from '#/features/access/contract.ts';
import type { Scope } from '#/kernel/actor.ts';
import type { Cast, Sent } from './server.ts';

export interface Procedure {
  /** Position in the contract, such as `appointments.book`. */
  name: string;
  method: 'GET' | 'POST';
  /** With its parameters in braces. */
  path: string;
  access: Access;
  /** What an API token needs to call it; null for none may. */
  scope: Scope | null;
  example: Meta['example'];
  /** Audit actions logged on success. */
  writes: readonly string[];
  unlogged: Meta['unlogged'];
  input: z.ZodObject | null;
}

type Meta = (typeof procedure)['~orpc']['meta'];
type Sample = Parameters<NonNullable<Meta['example']>>[0];

type Contract = { readonly [key: string]: unknown };

interface Definition {
  meta: Meta;
  route: { method: 'GET' | 'POST'; path: string };
  inputSchema?: unknown;
}

/** Every procedure in the contract. */
export const procedures: readonly Procedure[] = walk(contract, []);

function walk(node: Contract, trail: readonly string[]): Procedure[] {
  const definition = node['~orpc'] as Definition | undefined;
  if (!definition) {
    return Object.entries(node).flatMap(([key, child]) => walk(child as Contract, [...trail, key]));
  }
  const { meta, route, inputSchema } = definition;
  const input = inputSchema instanceof z.ZodObject ? inputSchema : null;
  const { access = 'undeclared', scope = null, example, writes = [], unlogged } = meta;
  return [{ name: trail.join('.'), ...route, access, scope, example, writes, unlogged, input }];
}

/** Builds a procedure's request: parameters in the path, remaining input in the query or body. */
export function requestOf(
  { method, path, input: shape }: Procedure,
  input: Readonly<Record<string, unknown>>,
): [method: string, path: string, sent: Sent] {
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(textOf(value));
  });
  if (method !== 'GET') return [method, `/api${filled}`, shape ? { body: rest } : {}];
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined) query.append(name, textOf(value));
  return [method, `/api${filled}?${query.toString()}`, {}];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns each procedure's example input, filled with the cast's ids, by name. */
export function acceptedInputs(cast: Cast): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const sample = sampleOf(cast);
  return Object.fromEntries(procedures.map(({ name, example }) => [name, example?.(sample) ?? {}]));
}

function sampleOf({ appointmentId, clientId, providerId, serviceId, freeStart: startsAt }: Cast): Sample {
  const endsAt = Temporal.Instant.from(startsAt)
    .add({ hours: 24 * 7 })
    .toString();
  return { id: appointmentId, appointmentId, clientId, providerId, serviceId, startsAt, endsAt };
}

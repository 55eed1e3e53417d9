import { oc } from '@orpc/contract';
import { z } from 'zod';
import { oneLine, severalLines } from '#/kernel/text.ts';

/** Every capability of the client spec, section 6. */
export type Capability =
  | 'manage_users'
  | 'manage_providers'
  | 'manage_services'
  | 'manage_settings'
  | 'view_analytics'
  | 'manage_roles'
  | 'access_admin_panel'
  | 'moderate_content'
  | 'manage_appointments'
  | 'send_messages'
  | 'view_all_data'
  | 'manage_own_appointments'
  | 'manage_own_availability'
  | 'view_own_clients'
  | 'manage_own_profile'
  | 'create_content'
  | 'view_own_analytics'
  | 'book_appointments'
  | 'view_own_appointments'
  | 'view_content';

/**
 * Who may call a procedure: anyone, anyone signed in, or who has one of these capabilities.
 * `undeclared` is refused, so a procedure that forgot to say it serves nobody.
 */
export type Access = 'undeclared' | 'public' | 'signed_in' | readonly Capability[];

/**
 * Why the log has nothing of a procedure that isn't asked by GET: it only asks, by what belongs in no address (`asks`); or
 * what it keeps is nobody's matter but the person's, such as what they read or have begun to write (`own_matter`).
 */
type Unlogged = 'asks' | 'own_matter';

/** Ids and times for examples; tests create what they belong to. */
interface Sample {
  /** A valid id that belongs to no row. */
  id: string;
  /** A session of the client and the provider. */
  appointmentId: string;
  clientId: string;
  providerId: string;
  serviceId: string;
  /** A free start of the provider. */
  startsAt: string;
  /** A week after `startsAt`. */
  endsAt: string;
}

interface Meta {
  access?: Access;
  /** Input that the procedure's shape accepts. A function, so that it stays out of the pages. */
  example?: (sample: Sample) => Readonly<Record<string, unknown>>;
  /** What a success leaves in the log, in this order: each entry's action, its category, and the kind of what it is about. */
  writes?: readonly string[];
  unlogged?: Unlogged;
}

/**
 * The start of every procedure's contract. Later calls of `.meta` add to earlier ones. One that takes input has an
 * `example`, and one that isn't asked by GET says what it `writes` or why it is `unlogged`: `npm run check` sees to it.
 */
export const procedure = oc.$meta<Meta>({ access: 'undeclared' });

/** One line that a person types; each place says how long it may be. */
export const line = z.string().trim().regex(oneLine);

/** Several lines that a person types; each place says how long they may be. */
export const lines = z.string().trim().regex(severalLines);

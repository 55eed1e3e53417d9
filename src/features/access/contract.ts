import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { Scope } from '#/kernel/actor.ts';
import { noDirectionControls, oneLine, severalLines } from '#/kernel/text.ts';

/** Capabilities (client spec, section 6). */
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

/** Callers admitted to a procedure. Defaults to `undeclared`, which refuses everyone. */
export type Access = 'undeclared' | 'public' | 'signed_in' | readonly Capability[];

/**
 * Why a non-GET procedure writes no log entry: it only reads, with input unsuitable for URLs (`asks`), or its data is
 * private, such as reading history and drafts (`own_matter`).
 */
type Unlogged = 'asks' | 'own_matter';

/** Example values; tests create the matching rows. */
interface Sample {
  /** A valid id matching no row. */
  id: string;
  appointmentId: string;
  clientId: string;
  providerId: string;
  serviceId: string;
  startsAt: string;
  /** One week after `startsAt`. */
  endsAt: string;
}

interface Meta {
  access?: Access;
  /** API tokens need this scope to call it. Without a scope, no token can. */
  scope?: Scope;
  /** A function: keeps examples out of browser bundles. */
  example?: (sample: Sample) => Readonly<Record<string, unknown>>;
  /** Log entries after success, in order: action, category and subject kind. */
  writes?: readonly string[];
  unlogged?: Unlogged;
}

/**
 * Base of every procedure contract; later `.meta` calls merge. Procedures with input need an `example`, non-GET ones
 * `writes` or `unlogged`: `npm run check` enforces both.
 */
export const procedure = oc.$meta<Meta>({ access: 'undeclared' });

/** Some programs write ids in upper case. */
// oxlint-disable-next-line no-restricted-properties
export const uuid = z.uuid().toLowerCase();

/** Single-line text; callers set the length limit. */
export const line = z.string().trim().regex(oneLine).regex(noDirectionControls);

/** At most 254 characters (RFC 5321, section 4.5.3.1.3). */
export const emailAddress = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email())
  .transform((text) => text.toLowerCase());

export const personName = line.min(1).max(200);

/** Multi-line text; callers set the length limit. */
export const lines = z.string().trim().regex(severalLines);

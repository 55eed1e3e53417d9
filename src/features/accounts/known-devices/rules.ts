import type { Role } from '#/kernel/actor.ts';

/** Days without a second step on a trusted device. */
export const trustDays = 30;

/** Administrators pass both steps every time. */
export function mayTrustDevices({ role }: { role: Role }): boolean {
  return role !== 'super_admin';
}

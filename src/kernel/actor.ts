/** Who acts. Jobs and the system use the same commands as people, and the audit log names them. */
export type Actor =
  | { kind: 'person'; id: string; role: Role; sessionId: string }
  | { kind: 'guest' }
  | { kind: 'job'; name: string }
  | { kind: 'system' };

/** The four roles of the client spec, section 6. */
export const roles = ['super_admin', 'doctor', 'pastor', 'client'] as const;

export type Role = (typeof roles)[number];

/** Whether a role is a provider's: a doctor or a pastor. */
export function isProvider(role: Role | null | undefined): role is 'doctor' | 'pastor' {
  return role === 'doctor' || role === 'pastor';
}

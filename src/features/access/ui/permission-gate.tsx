import type { ReactNode } from 'react';
import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import { gateRefusal, type GateRefusal, type GateRequirement } from '../rules.ts';

/** Renders children for permitted roles, otherwise the fallback or a notice. Cosmetic: the server enforces access. */
export function PermissionGate({
  role,
  fallback,
  children,
  ...requirement
}: GateRequirement & { role: Role | null; fallback?: ReactNode; children: ReactNode }) {
  const refusal = gateRefusal(role, requirement);
  if (!refusal) return children;
  if (fallback !== undefined) return fallback;
  return <Notice tone="destructive">{refusalText(refusal)}</Notice>;
}

function refusalText(refusal: GateRefusal): string {
  switch (refusal.kind) {
    case 'role':
      return m.access_denied_role();
    case 'capability':
      return m.access_denied_capability({ capability: refusal.capability });
    case 'capabilities':
      return m.access_denied_capabilities({ list: refusal.capabilities.join(', ') });
  }
}

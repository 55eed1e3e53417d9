import type { ReactNode } from 'react';
import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import { gateRefusal, type GateRefusal, type GateRequirement } from '../rules.ts';

/** Shows its children to who may see them; else why not, in the client spec's words, or the fallback. The server decides again. */
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

/** Why a gate stays shut, in the client spec's three texts (section 6). */
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

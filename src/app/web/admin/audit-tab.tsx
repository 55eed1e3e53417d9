import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.ts';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';

const AuditLog = lazyPart(async () => (await import('#/features/audit/ui/audit-log.tsx')).AuditLog);

export function AuditTab() {
  return (
    <LazyBoundary fallback={<Spinner label={m.audit_loading()} className="py-16" />}>
      <AuditLog title={m.admin_tab_audit()} />
    </LazyBoundary>
  );
}

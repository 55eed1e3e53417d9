import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';

const AuditLog = lazyPart(
  async () => (await import('#/features/audit/ui/audit-log.tsx')).AuditLog,
  () => <Spinner label={m.audit_loading()} className="py-16" />,
);

export function AuditTab() {
  return <AuditLog title={m.admin_tab_audit()} />;
}

-- When an administrator revoked a specialist's approval, and why; both null while it holds.
alter table providers add approval_revoked_at timestamptz;
alter table providers add approval_revoked_reason text;
alter table providers add constraint providers_revoked_with_reason
  check ((approval_revoked_at is null) = (approval_revoked_reason is null));

-- When an address of ADMIN_EMAILS got its role: once, so that a role which was removed by hand isn't restored by itself.
alter table profiles add column administration_granted_at timestamptz;
update profiles set administration_granted_at = now() where role = 'super_admin';

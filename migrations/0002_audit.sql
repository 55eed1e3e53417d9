create table audit_entries (
  id uuid primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'guest', 'job', 'system')),
  actor_id uuid,
  actor_name text,
  action text not null,
  category text not null check (category in
    ('user_management', 'provider_approval', 'system_settings', 'security', 'service_management')),
  subject_kind text,
  subject_id uuid,
  details jsonb not null default '{}',
  address text,
  request_id text not null,
  success boolean not null
);
create index audit_entries_at on audit_entries (at desc);
create index audit_entries_subject on audit_entries (subject_id);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only';
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function audit_is_append_only();

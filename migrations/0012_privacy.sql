-- An archive with everything that an account holds, prepared by a job and kept for some days.
create table exports (
  id uuid primary key,
  person_id uuid not null references users on delete cascade,
  state text not null check (state in ('waiting', 'running', 'ready', 'failed', 'expired')),
  -- Percent of its parts that are in the archive.
  progress smallint not null default 0 check (progress between 0 and 100),
  -- The archive's file, while it is there.
  file_id uuid unique references files on delete cascade,
  requested_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  check ((state = 'ready') = (file_id is not null))
);
-- One at a time for each person.
create unique index exports_under_way on exports (person_id) where state in ('waiting', 'running');
create index exports_person on exports (person_id, requested_at desc);
create index exports_expiry on exports (expires_at) where state = 'ready';

-- When an account that its person deletes is erased; until then it can be kept after all.
alter table profiles
  add column delete_after timestamptz,
  add column erased_at timestamptz;
create index profiles_delete_after on profiles (delete_after) where delete_after is not null;

-- Whether a specialist stood in the directory before they asked for their account's deletion; null without one.
alter table providers add column listed_before_deletion boolean;

-- By these everything that names a person is found.
create index audit_entries_actor on audit_entries (actor_id);
create index appointments_cancelled_by on appointments (cancelled_by) where cancelled_by is not null;
create index verifications_value on verifications (value);
create index mails_recipient on mails (lower(recipient));
-- The key of a mail to a person ends with their number, also once the mail was sent.
create index mails_person on mails (right(key, 37));

-- Entries stay as they are, but for the network address, which goes with the account of whom it shows.
create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.address is null and to_jsonb(new) - 'address' = to_jsonb(old) - 'address' then
    return new;
  end if;
  raise exception 'audit entries are append-only';
end $$;

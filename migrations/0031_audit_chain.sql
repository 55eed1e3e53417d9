-- Where people were, beside the entries: an erased account takes it along, and the chain over the entries stays whole.
create table audit_personal (
  entry_id uuid primary key references audit_entries,
  address text not null
);
insert into audit_personal (entry_id, address)
  select id, address from audit_entries where address is not null;
alter table audit_entries drop column address;

create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only';
end $$;
create trigger audit_entries_kept before truncate on audit_entries
  for each statement execute function audit_is_append_only();

-- What is said in an entry but for ids, dates and numbers: there are few of it, and the log is searched by it.
alter table audit_entries add column kind text not null generated always as (
  actor_kind || ' ' || coalesce(actor_name, '') || ' ' || action || ' ' || coalesce(subject_kind, '') || ' ' || regexp_replace(details::text,
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9][0-9.:TZ+-]*', '', 'g')) stored;

drop index audit_entries_at, audit_entries_actor, audit_entries_subject;
create index audit_entries_newest on audit_entries (at desc, id desc);
create index audit_entries_kind on audit_entries (kind, at desc, id desc);
create index audit_entries_actor on audit_entries (actor_id, at desc, id desc) where actor_id is not null;
create index audit_entries_subject on audit_entries (subject_id, at desc, id desc) where subject_id is not null;

-- The hash chain over the entries, in the order in which they were sealed.
create table audit_seals (
  seq bigint primary key check (seq > 0),
  -- Refers to nothing: a seal outlives whatever is done to its entry.
  entry_id uuid not null unique,
  -- SHA-256 of the entry's canonical form.
  digest bytea not null check (length(digest) = 32),
  -- SHA-256 of the seal before, this one's number and its digest.
  hash bytea not null check (length(hash) = 32),
  -- The hash, sealed with a key that the database doesn't have; the last seal always has one.
  anchor text
);
create trigger audit_seals_append_only before update or delete on audit_seals
  for each row execute function audit_is_append_only();
create trigger audit_seals_kept before truncate on audit_seals
  for each statement execute function audit_is_append_only();

-- The entries that wait for their seal.
create table audit_unsealed (
  at timestamptz not null,
  entry_id uuid not null,
  primary key (at, entry_id)
);
insert into audit_unsealed (at, entry_id) select at, id from audit_entries;
create function queue_for_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (at, entry_id) values (new.at, new.id);
  return null;
end $$;
create trigger audit_entries_queued after insert on audit_entries
  for each row execute function queue_for_seal();

-- What the log counts, kept as entries are sealed. Days are those of UTC.
create table audit_days (
  day date not null,
  category text not null,
  success boolean not null,
  entries bigint not null,
  primary key (day, category, success)
);
create table audit_actors (
  actor_id uuid primary key,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create table audit_kinds (
  kind text not null,
  category text not null,
  actor_kind text not null,
  actor_name text,
  action text not null,
  subject_kind text,
  -- Those of the first entry that was sealed of it.
  details jsonb not null,
  primary key (kind, category)
);

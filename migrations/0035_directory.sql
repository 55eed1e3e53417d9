-- By three letters and more that stand anywhere in a name or an address, people are found.
create extension if not exists pg_trgm;
create index users_search on users using gin (lower(name || ' ' || email) gin_trgm_ops);

alter table profiles
  -- When the account was last used, to a quarter of an hour; null: never.
  add column last_active_at timestamptz,
  -- While set, nobody can sign in to the account.
  add column suspended_at timestamptz;

update profiles set last_active_at = used.at
  from (select user_id, max(updated_at) as at from sessions group by user_id) as used
 where used.user_id = profiles.id;
-- Of sessions that were tidied away the log still knows.
update profiles set last_active_at = greatest(last_active_at, signed.at)
  from (select actor_id, max(at) as at from audit_entries
         where action = 'signed_in' and success and actor_id is not null group by actor_id) as signed
 where signed.actor_id = profiles.id;

-- The directory's orders; who was erased isn't in it.
create index profiles_by_name on profiles (lower(full_name), id) where erased_at is null;
create index profiles_by_joined on profiles (created_at, id) where erased_at is null;
create index profiles_by_active on profiles (coalesce(last_active_at, '1970-01-01T00:00:00Z'::timestamptz), id)
  where erased_at is null;
create index profiles_suspended on profiles (id) where suspended_at is not null;
create index profiles_role_present on profiles (role) where erased_at is null;

-- API tokens of the site, without an owner: they act for nobody, and stay when their maker leaves.
alter table api_tokens
  alter column user_id drop not null,
  alter column role drop not null,
  -- The administrator who made it; null for people's own.
  add column made_by uuid references users on delete set null,
  add constraint api_tokens_owner_check check ((user_id is null) = (role is null));

-- They act under their own id. Not valid: it only widens the former check, so no row needs reading.
alter table audit_entries
  drop constraint audit_entries_actor_kind_check,
  add constraint audit_entries_actor_kind_check
    check (actor_kind in ('person', 'guest', 'job', 'system', 'site_token')) not valid;

-- What the form of the settings says of its texts, the database says too.
alter table site_settings
  add constraint site_settings_site_name_check check (char_length(site_name) between 1 and 80),
  add constraint site_settings_site_description_check check (char_length(site_description) between 1 and 300),
  add constraint site_settings_support_email_check
    check (char_length(support_email) <= 254 and support_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  add constraint site_settings_timezone_check check (timezone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$');

-- Who changed which settings, and from what to what; one row for each version.
create table site_settings_history (
  version integer primary key,
  changed_at timestamptz not null,
  kind text not null check (kind in ('saved', 'reset')),
  actor_kind text not null check (actor_kind in ('person', 'system')),
  -- Null for the program itself, and once the account is erased.
  changed_by uuid references users,
  -- [{setting, from, to}], by the settings' names in the specification.
  changes jsonb not null
);
create index site_settings_history_changed_by on site_settings_history (changed_by);

-- Every process hears of it, whoever changes them: what a process obeys by itself (maintenance, how much it logs) follows.
create function tell_settings() returns trigger language plpgsql as $$
begin
  perform pg_notify('settings', '');
  return null;
end $$;
create trigger site_settings_told after update on site_settings for each statement execute function tell_settings();

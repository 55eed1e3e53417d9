-- A year of Scripture (World English Bible, public domain), and the mails of the morning.
create table devotionals (
  -- MM-DD of any year; 02-29 has one of its own.
  day text primary key check (day ~ '^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'),
  reference text not null check (char_length(reference) between 1 and 100),
  text text not null check (char_length(text) between 1 and 2000),
  title text not null check (char_length(title) between 1 and 200),
  thought text not null check (char_length(thought) between 1 and 1000),
  prayer text not null check (char_length(prayer) between 1 and 1000),
  -- Rises with each edit, so that nobody overwrites what they haven't seen.
  version integer not null default 1,
  edited_at timestamptz,
  edited_by uuid references users on delete set null
);
create index devotionals_editor on devotionals (edited_by) where edited_by is not null;

-- When each person who asked for mails in the morning gets the next one; nobody else has a row.
create table mornings (
  person_id uuid primary key references users on delete cascade,
  -- A choice or the zone has changed since the times were set: the next tick sets them anew.
  stale boolean not null default true,
  devotional_at timestamptz,
  community_at timestamptz,
  -- What was published after this is news to the person.
  community_from timestamptz
);
create index mornings_stale on mornings (person_id) where stale;
create index mornings_devotional on mornings (devotional_at) where devotional_at is not null;
create index mornings_community on mornings (community_at) where community_at is not null;

-- Whatever changes a choice or a zone, here or there, is seen by the next tick.
create function mornings_of_profile() returns trigger language plpgsql as $$
begin
  if new.daily_devotionals or new.community_updates then
    insert into mornings (person_id) values (new.id) on conflict (person_id) do update set stale = true;
  else
    delete from mornings where person_id = new.id;
  end if;
  return null;
end $$;
create trigger profiles_mornings_new after insert on profiles for each row
  when (new.daily_devotionals or new.community_updates) execute function mornings_of_profile();
create trigger profiles_mornings_changed after update of time_zone, daily_devotionals, community_updates on profiles for each row
  when (
    (old.daily_devotionals or old.community_updates or new.daily_devotionals or new.community_updates)
    and (old.time_zone, old.daily_devotionals, old.community_updates)
      is distinct from (new.time_zone, new.daily_devotionals, new.community_updates)
  ) execute function mornings_of_profile();

-- Who has no zone of their own lives in the site's.
create function mornings_of_site() returns trigger language plpgsql as $$
begin
  update mornings set stale = true from profiles where profiles.id = person_id and time_zone is null;
  return null;
end $$;
create trigger site_settings_mornings after update of timezone on site_settings for each row
  when (old.timezone is distinct from new.timezone) execute function mornings_of_site();

-- Mails that one can do without say how to stop them (RFC 8058); gone with the rest once the mail was sent.
alter table mails add column unsubscribe_url text;
-- Those of every morning are forgotten after some days.
create index mails_daily on mails (created_at) where key like 'devotional:%';
-- The last about a review tells what its client knows.
create index mails_review on mails (key text_pattern_ops) where key like 'review:%';

\load data/devotionals.tsv into devotionals sha256 ffc9ee75a4f29c8b8fe88fdeff763b30cfd1d622ccb1a2138cdcba55ffb08965

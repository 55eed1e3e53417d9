-- What a person tells about themselves, and what they want to be told.
alter table profiles
  -- The picture that stands for the person; a new file with every upload, so that no cache shows an old one.
  add column photo_id uuid references files on delete set null,
  add column session_reminders boolean not null default true,
  add column daily_devotionals boolean not null default false,
  add column community_updates boolean not null default false,
  add constraint profiles_tradition_length check (char_length(spiritual_tradition) <= 100),
  add constraint profiles_focus_count check (cardinality(mental_health_focus) <= 20);
create unique index profiles_photo on profiles (photo_id) where photo_id is not null;

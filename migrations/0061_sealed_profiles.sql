-- Tradition and focus areas are sealed with ENCRYPTION_KEYS. What is here in the clear is sealed by the program, which has the
-- keys, when it starts and every hour, and blanked; the columns in the clear go with a later release.
alter table profiles
  add column sealed_tradition text,
  -- A list as JSON.
  add column sealed_focus text,
  alter column spiritual_tradition set default '';
create index profiles_in_clear on profiles (id) where spiritual_tradition <> '' or mental_health_focus <> '{}';

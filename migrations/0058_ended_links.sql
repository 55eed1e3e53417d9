-- Links that were mailed to a person before this moment open nothing any more: they signed out elsewhere, or set a password.
alter table profiles add column links_ended_at timestamptz;

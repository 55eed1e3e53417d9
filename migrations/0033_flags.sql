-- Which flag was changed meanwhile, so that two administrators at once are told.
alter table feature_flags add column version integer not null default 1;

-- For whom a flag is on whose scope is user_specific.
create table feature_flag_users (
  flag_id text not null references feature_flags on delete cascade,
  person_id uuid not null references users on delete cascade,
  primary key (flag_id, person_id)
);
create index feature_flag_users_person on feature_flag_users (person_id);

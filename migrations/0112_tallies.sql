-- Running totals for reports. Writers append what they change, so none waits; a job sums the rows up.
create table tallies (
  -- Profiles that aren't erased.
  accounts integer not null default 0,
  -- Listed specialists, and the minutes that they offer on each weekday, Monday first.
  listed integer not null default 0,
  weekly_minutes integer[] not null default '{}'
);

create function tally_account() returns trigger language plpgsql as $$
declare
  change integer := (tg_op <> 'DELETE' and new.erased_at is null)::int
    - (tg_op <> 'INSERT' and old.erased_at is null)::int;
begin
  if change <> 0 then insert into tallies (accounts) values (change); end if;
  return null;
end $$;
create trigger profiles_tallied after insert or delete or update of erased_at on profiles
  for each row execute function tally_account();

create function tally_provider() returns trigger language plpgsql as $$
declare
  present boolean := tg_op <> 'DELETE' and new.listed;
  before boolean := tg_op <> 'INSERT' and old.listed;
begin
  if present or before then
    insert into tallies (listed, weekly_minutes) values (present::int - before::int, array(
      select coalesce(now_offered, 0) - coalesce(then_offered, 0)
        from unnest(case when present then new.weekly_minutes end, case when before then old.weekly_minutes end)
          with ordinality as days (now_offered, then_offered, day) order by day));
  end if;
  return null;
end $$;
create trigger providers_tallied after insert or delete or update of listed, weekly_minutes on providers
  for each row execute function tally_provider();

-- After the triggers, whose creation waits for writers: no change is missed.
insert into tallies select (select count(*) from profiles where erased_at is null), count(*),
    array[sum(weekly_minutes[1]), sum(weekly_minutes[2]), sum(weekly_minutes[3]), sum(weekly_minutes[4]),
      sum(weekly_minutes[5]), sum(weekly_minutes[6]), sum(weekly_minutes[7])]
  from providers where listed;

create index providers_joined on providers (created_at) include (weekly_minutes) where listed;

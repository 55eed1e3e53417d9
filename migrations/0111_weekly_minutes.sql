-- Minutes offered on each weekday, Monday first. Reports would otherwise read every specialist's windows.
alter table providers add column weekly_minutes integer[] not null default '{0,0,0,0,0,0,0}';

create function minute_of(clock text) returns integer language sql immutable strict parallel safe as $$
  select split_part(clock, ':', 1)::int * 60 + split_part(clock, ':', 2)::int;
$$;

create function weekly_minutes_of(provider uuid) returns integer[] language sql stable as $$
  select array_agg(minutes order by day) from (
    select day, coalesce(sum(minute_of(to_time) - minute_of(from_time)), 0)::int as minutes
      from generate_series(1, 7) as day left join weekly_hours on weekday = day and provider_id = provider
      group by day
  ) as days;
$$;

create function weekly_minutes_follow() returns trigger language plpgsql as $$
begin
  update providers set weekly_minutes = weekly_minutes_of(id)
    where id in (select provider_id from changed) and weekly_minutes <> weekly_minutes_of(id);
  return null;
end $$;

create trigger weekly_hours_added after insert on weekly_hours
  referencing new table as changed for each statement execute function weekly_minutes_follow();
create trigger weekly_hours_changed after update on weekly_hours
  referencing new table as changed for each statement execute function weekly_minutes_follow();
create trigger weekly_hours_removed after delete on weekly_hours
  referencing old table as changed for each statement execute function weekly_minutes_follow();

-- After the triggers, whose creation waits for writers: no change is missed.
update providers set weekly_minutes = weekly_minutes_of(id);

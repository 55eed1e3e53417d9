-- A backup that lacks bytes of files has failed, yet its file is better than none. One that somebody deletes is marked
-- first; a process that serves then deletes its file.
alter table backups add column deletion_requested boolean not null default false;
do $$
declare
  found record;
begin
  for found in
    select conname from pg_constraint
      where conrelid = 'backups'::regclass and contype = 'c'
        and (pg_get_constraintdef(oid) like '%interrupted%' or pg_get_constraintdef(oid) like '%checksum%')
  loop
    execute format('alter table backups drop constraint %I', found.conname);
  end loop;
end $$;
alter table backups
  add constraint backups_reason_check check (
    reason in ('interrupted', 'stopped', 'disk_full', 'folder', 'database', 'files', 'incomplete', 'unknown')),
  add constraint backups_file_check check (
    (file_name is null) = (checksum is null) and (state <> 'done' or file_name is not null)
      and (file_name is null or state = 'done' or reason = 'incomplete'));
-- Until now these counted as whole.
update backups set state = 'failed', reason = 'incomplete' where state = 'done' and missing_files > 0;

-- Services, flags and the site's description in American English. Keeps what administrators edited, and doesn't bring back services they deleted.

-- Base data: the six services that every installation begins with (client spec, section 3). The quotes are taken from
-- the World English Bible by scripts/verses.ts.
create temporary table newer_services (like services including defaults);
\load data/services.json into newer_services sha256 8d314ad84b77863f75e65959e0c60826e07d42a3e4bb73d1f0b0a90fa775801d
update services
  set description = newer.description, support_offered = newer.support_offered, issues_addressed = newer.issues_addressed
  from newer_services newer where services.id = newer.id and services.version = 1;
-- Only a new database has no account.
insert into services select * from newer_services where not exists (select from users)
  on conflict (id) do nothing;
drop table newer_services;

create temporary table newer_flags (like feature_flags including defaults);
\load data/feature-flags.json into newer_flags sha256 15528529ab22da3adcf0c95eba137c9e36b1bf09e79800b596b523d4b1f16c56
insert into feature_flags select * from newer_flags
  on conflict (id) do update set description = excluded.description where feature_flags.modified_at is null;
drop table newer_flags;

alter table site_settings alter column site_description
  set default 'Faith-based counseling and wellness with Christian doctors and pastors';
update site_settings set site_description = default
  where site_description = 'Faith-based counselling and wellness with Christian doctors and pastors';

-- Who asks to become a specialist. One application of a person waits at a time; what is withdrawn is gone.
create table provider_applications (
  id uuid primary key,
  person_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('doctor', 'pastor')),
  full_name text not null check (char_length(full_name) between 1 and 200),
  phone text not null check (char_length(phone) <= 40),
  specialization text not null check (char_length(specialization) between 1 and 100),
  experience text not null check (char_length(experience) <= 100),
  education text[] not null,
  location text not null check (char_length(location) <= 100),
  time_zone text not null,
  bio text not null check (char_length(bio) <= 2000),
  languages text[] not null,
  -- What they would offer; a service that is gone by then is left out.
  service_ids text[] not null,
  credential_kind text not null check (credential_kind in ('licence', 'ordination')),
  credential_number text not null check (char_length(credential_number) <= 100),
  credential_issuer text not null check (char_length(credential_issuer) <= 200),
  credential_region text not null check (char_length(credential_region) <= 100),
  credential_expires_on date,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  -- Why it wasn't approved, for the applicant to read.
  reason text check (char_length(reason) <= 500),
  submitted_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users on delete set null,
  check ((status = 'pending') = (decided_at is null))
);
create unique index provider_applications_pending on provider_applications (person_id) where status = 'pending';
create index provider_applications_person on provider_applications (person_id, submitted_at desc);
create index provider_applications_newest on provider_applications (status, submitted_at desc, id desc);
create index provider_applications_decided_by on provider_applications (decided_by) where decided_by is not null;

insert into buckets (id, readable_by, max_bytes, content_types, sealed) values
  ('applications', 'owner', 10 * 1024 * 1024, '{application/pdf,image/jpeg,image/png}', true);

-- The documents of an application, uploaded before it is sent; one that none brings is kept for a day.
create table application_documents (
  -- The file's own id.
  id uuid primary key references files,
  person_id uuid not null references users on delete cascade,
  application_id uuid references provider_applications on delete cascade,
  -- Sealed.
  name text not null,
  uploaded_at timestamptz not null
);
create index application_documents_application on application_documents (application_id) where application_id is not null;
create index application_documents_person on application_documents (person_id);
create index application_documents_unsent on application_documents (uploaded_at) where application_id is null;
create trigger application_documents_removed after delete on application_documents
  for each row execute function remove_attached_file();

-- The last day on which what licenses or ordains a specialist holds; null without an end, or where nothing is known.
-- A doctor's licences alone count, where there are any.
alter table providers add column licensed_until date;
update providers set licensed_until = (
  select case when bool_or(c.expires_on is null) then null else max(c.expires_on) end
    from provider_credentials c
   where c.provider_id = providers.id and c.state = 'approved'
     and (c.kind = 'licence' or providers.kind = 'pastor' or not exists (
       select from provider_credentials l
        where l.provider_id = providers.id and l.state = 'approved' and l.kind = 'licence')));
create index providers_licensed_until on providers (licensed_until) where licensed_until is not null;
-- The last day of which the specialist has been told: that it comes, and that it is past.
alter table providers add column expiry_announced date;
alter table providers add column expiry_told date;

-- One row: the 23 site settings of the administrator spec, section 3, with its defaults (section 9).
create table site_settings (
  id boolean primary key default true check (id),
  version integer not null default 1,
  site_name text not null default 'iTalk Health',
  site_description text not null default 'Faith-based counselling and wellness with Christian doctors and pastors',
  support_email text not null default 'support@italk.example',
  timezone text not null default 'America/New_York',
  default_session_duration integer not null default 60 check (default_session_duration between 15 and 240),
  booking_advance_notice integer not null default 24 check (booking_advance_notice between 0 and 720),
  cancellation_deadline integer not null default 2 check (cancellation_deadline between 0 and 168),
  max_daily_bookings integer not null default 8 check (max_daily_bookings between 1 and 100),
  email_notifications boolean not null default true,
  sms_notifications boolean not null default false,
  push_notifications boolean not null default true,
  reminder_time integer not null default 60 check (reminder_time between 5 and 10080),
  session_timeout integer not null default 30 check (session_timeout between 5 and 1440),
  password_min_length integer not null default 8 check (password_min_length between 6 and 64),
  require_two_factor boolean not null default false,
  allow_guest_booking boolean not null default false,
  calendar_provider text not null default 'google' check (calendar_provider in ('google', 'outlook', 'apple')),
  auto_sync_enabled boolean not null default true,
  buffer_time_minutes integer not null default 15 check (buffer_time_minutes between 0 and 120),
  maintenance_mode boolean not null default false,
  debug_mode boolean not null default false,
  log_level text not null default 'info' check (log_level in ('error', 'warn', 'info', 'debug')),
  backup_frequency text not null default 'daily' check (backup_frequency in ('hourly', 'daily', 'weekly', 'monthly'))
);
insert into site_settings default values;

create table feature_flags (
  id text primary key,
  name text not null,
  description text not null,
  category text not null check (category in ('communication', 'sessions', 'notifications', 'security', 'wellness')),
  enabled boolean not null,
  scope text not null check (scope in ('global', 'role_based', 'user_specific')),
  roles text[] not null default '{}',
  experimental boolean not null default false,
  modified_at timestamptz,
  modified_by uuid references users on delete set null
);

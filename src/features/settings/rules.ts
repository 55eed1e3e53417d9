import type { SettingBounds, SettingOptions, SiteSettings } from './contract.ts';

/** Defaults from the administrator spec, section 9. */
export const settingDefaults: Readonly<SiteSettings> = {
  siteName: 'iTalk Health',
  siteDescription: 'Faith-based counselling and wellness with Christian doctors and pastors',
  supportEmail: 'support@italk.example',
  timezone: 'America/New_York',
  defaultSessionDuration: 60,
  bookingAdvanceNotice: 24,
  cancellationDeadline: 2,
  maxDailyBookings: 8,
  emailNotifications: true,
  smsNotifications: false,
  pushNotifications: true,
  reminderTime: 60,
  sessionTimeout: 30,
  passwordMinLength: 8,
  requireTwoFactor: false,
  allowGuestBooking: false,
  calendarProvider: 'google',
  autoSyncEnabled: true,
  bufferTimeMinutes: 15,
  maintenanceMode: false,
  debugMode: false,
  logLevel: 'info',
  backupFrequency: 'daily',
};

/** Copied from the contract, whose schemas the form doesn't load; the type keeps them equal. */
export const settingBounds: SettingBounds = {
  siteName: { min: 1, max: 80 },
  siteDescription: { min: 1, max: 300 },
  supportEmail: { min: 3, max: 254 },
  defaultSessionDuration: { min: 15, max: 240 },
  bookingAdvanceNotice: { min: 0, max: 720 },
  cancellationDeadline: { min: 0, max: 168 },
  maxDailyBookings: { min: 1, max: 100 },
  reminderTime: { min: 5, max: 10_080 },
  sessionTimeout: { min: 5, max: 1_440 },
  passwordMinLength: { min: 6, max: 64 },
  bufferTimeMinutes: { min: 0, max: 120 },
};

export const settingOptions: SettingOptions = {
  calendarProvider: ['google', 'outlook', 'apple'],
  logLevel: ['error', 'warn', 'info', 'debug'],
  backupFrequency: ['hourly', 'daily', 'weekly', 'monthly'],
};

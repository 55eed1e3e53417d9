import { index, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  index('routes/landing.tsx'),
  route('home', 'routes/home.tsx'),
  route('services', 'routes/services.tsx'),
  route('service/:serviceId', 'routes/service.tsx'),
  route('therapists', 'routes/therapists.tsx'),
  route('profile', 'routes/profile.tsx'),
  route('growth', 'routes/growth.tsx'),
  route('prayers', 'routes/prayers.tsx'),
  route('admin/moderation', 'routes/admin-moderation.tsx'),
  route('admin/settings', 'routes/admin.tsx', { id: 'admin' }),
  route('adminsettings', 'routes/admin.tsx', { id: 'admin-short' }),
  route('about', 'routes/about.tsx'),
  route('faq', 'routes/faq.tsx'),
  route('contact', 'routes/contact.tsx'),
  route('admin/inbox', 'routes/admin-inbox.tsx'),
  route('offline', 'routes/offline.tsx'),
  route('verify', 'routes/verify.tsx'),
  route('reset-password', 'routes/reset-password.tsx'),
  route('dev/mail', 'routes/mail-tray.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;

import { createMiddleware } from 'hono/factory'

/** Another site's page must not reach these through a name that it lets point to loopback. */
export const loopbackOnly = createMiddleware(async (c, next) => {
  const host = new URL(c.req.url).hostname
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) return c.text('loopback only', 403)
  await next()
  return undefined
})

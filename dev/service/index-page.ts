import { html } from 'hono/html'

export function indexPage(basePath: string) {
  return html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Telephony sandbox</title></head>
  <body>
    <h1>Telephony sandbox</h1>
    <p>The Voice Telephony Account API with invented data. Its base path is <code>${basePath}</code>.</p>
    <ul>
      <li><code>POST /outgoing</code>, <code>GET /incoming</code></li>
      <li><code>GET /billing/details</code>, <code>POST /billing/invoice</code></li>
      <li><code>GET /agent/list</code>, <code>POST /agent/list</code></li>
    </ul>
    <p>
      <a href="/openapi.json">openapi.json</a> describes them;
      <a href="/sandbox/customers">/sandbox/customers</a> shows which customers were deleted.
    </p>
  </body>
</html>`
}

import { escapeHtml } from '../../../src/features/install/pages.ts'
import type { Core } from '../core.ts'
import type { HttpResponse } from './faults.ts'
import type { ConsentOffer } from './oauth.ts'

const scopeWords: Readonly<Record<string, string>> = {
  commands: 'Add slash commands that people can use',
  'chat:write': 'Send messages as Callboard',
  'channels:join': 'Join public channels in the workspace',
  'channels:read': 'View basic information about public channels',
  'files:write': 'Upload, edit, and delete files as Callboard',
  'groups:read': 'View basic information about private channels that it was added to',
  'mcp:connect': 'Let Slackbot ask Callboard for you',
  'users:read': 'View people in the workspace',
}

const style = `
  :root { color-scheme: light dark }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #16181c); color: light-dark(#1d1f23, #e8eaee) }
  main { max-width: 520px; padding: 32px; border-radius: 12px; background: light-dark(#fff, #1f2228) }
  h1 { font-size: 22px; margin-top: 0 }
  a { display: inline-block; margin: 4px 8px 4px 0; padding: 10px 18px; border-radius: 8px; text-decoration: none; font-weight: 600 }
  .allow { background: #14705a; color: #fff }
  .cancel { color: inherit; border: 1px solid currentColor }`

function render(core: Core, search: URLSearchParams, offer: ConsentOffer): string {
  const link = (choice: string) => {
    const query = new URLSearchParams(search)
    query.set('choice', choice)
    return escapeHtml(`/oauth/v2/allow?${query}`)
  }
  const scopes = (search.get('scope') ?? '')
    .split(',')
    .map((scope) => `<li>${escapeHtml(scopeWords[scope] ?? scope)}</li>`)
  const allow = offer
    .choices()
    .map(
      ({ workspace, person }, n) =>
        `<a class="allow" href="${link(String(n))}">Allow in ${escapeHtml(workspace)}, as ${escapeHtml(person)}</a>`,
    )
  const isOurs = search.get('client_id') === core.oauth.clientId
  const body = isOurs
    ? `<h1>Callboard asks for access to a workspace</h1><p>What will Callboard be able to do?</p><ul>${scopes.join('')}</ul>${allow.join('')}<a class="cancel" href="${link('cancel')}">Cancel</a>`
    : '<h1>That is no app of this Slack</h1>'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Allow Callboard?</title><style>${style}</style></head><body><main>${body}</main></body></html>`
}

const addToWorkspaces = /^\/manage\/E\w+\/integrations\/profile\/A\w+\/workspaces\/add$/

/**
 * Slack's own pages: the consent page, its buttons, the way into a workspace, and where an organization's admin adds an app
 * to workspaces. `undefined` for every other path.
 */
export function consentPage(url: string, core: Core): HttpResponse | undefined {
  const { pathname, searchParams } = new URL(url, 'http://slack')
  const offer = core.consentOffer
  if (!offer) return undefined
  const redirect = (location: string): HttpResponse => ({ status: 302, body: '', headers: { location } })
  if (addToWorkspaces.test(pathname)) return redirect(offer.home())
  switch (pathname) {
    case '/oauth/v2/authorize':
      return { status: 200, body: render(core, searchParams, offer) }
    case '/oauth/v2/allow': {
      const choice = searchParams.get('choice')
      const isDenied = choice === 'cancel'
      const consent = offer.choices()[isDenied ? 0 : Number(choice)]
      if (!consent) return { status: 404, body: 'no such workspace' }
      const authorizeUrl = `http://slack/oauth/v2/authorize?${searchParams}`
      return redirect(core.oauth.consent(authorizeUrl, { ...consent, isDenied }))
    }
    case '/app_redirect':
      return redirect(offer.home(searchParams.get('team') ?? undefined))
    default:
      return undefined
  }
}
